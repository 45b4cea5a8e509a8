-- Why: people who paid a seller are erased, and with them what was told of them to others: how far that is.
-- Lock: none, the table is new.
CREATE TABLE "erasures" (
	"seller_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"requested_by" uuid NOT NULL,
	"email" text,
	"cursor_id" uuid NOT NULL,
	"scanning_since" timestamp (3) with time zone,
	"customers_count" integer NOT NULL,
	"payments_count" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone,
	CONSTRAINT "erasures_pk" PRIMARY KEY("seller_id","id")
);
--> statement-breakpoint
CREATE INDEX "erasures_open_ix" ON "erasures" USING btree ("created_at","id") WHERE "erasures"."completed_at" is null;