-- Why: every Pix that reaches the platform's account ends somewhere a person can see, and the provider's own list is read on
-- from where the last run ended.
-- Lock: none, everything is new.
CREATE TABLE "received_pix" (
	"provider" text NOT NULL,
	"end_to_end_id" text NOT NULL,
	"id" uuid NOT NULL,
	"txid" text,
	"amount" bigint NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"seller_id" uuid,
	"payment_id" uuid,
	"resolved_by" uuid,
	"explanation" text,
	"last_attempt_at" timestamp (3) with time zone,
	"received_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "received_pix_pk" PRIMARY KEY("provider","end_to_end_id")
);
--> statement-breakpoint
CREATE TABLE "provider_cursors" (
	"provider" text PRIMARY KEY NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"read_until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "received_pix_id_uq" ON "received_pix" USING btree ("id");--> statement-breakpoint
CREATE INDEX "received_pix_open_ix" ON "received_pix" USING btree ("status","id") WHERE "received_pix"."status" in ('open', 'refunding');