-- Why: mails are asked for in the transaction that causes them and sent behind it, so each needs a row that says what became
-- of it; people choose which mails they get; and a day's digest for administrators is looked into once.
-- Lock: none, everything is new.
CREATE TABLE "mail_digests" (
	"date" date PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_preferences" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"language" text NOT NULL,
	"turned_off" text[] NOT NULL,
	"payer_receipts" boolean NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"seller_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"language" text,
	"recipient_user_id" uuid,
	"recipient_address" text,
	"event_id" uuid,
	"data" jsonb,
	"secret_sealed" text,
	"status" text NOT NULL,
	"reason" text,
	"message_id" text,
	"attempts_made" integer DEFAULT 0 NOT NULL,
	"last_result" text,
	"reply_code" integer,
	"next_attempt_at" timestamp (3) with time zone,
	"lease_token" uuid,
	"give_up_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "mails_pk" PRIMARY KEY("seller_id","id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "mails_event_uq" ON "mails" USING btree ("seller_id","event_id","kind") WHERE "mails"."event_id" is not null;--> statement-breakpoint
CREATE INDEX "mails_due_ix" ON "mails" USING btree ("next_attempt_at","id") WHERE "mails"."status" = 'waiting';--> statement-breakpoint
CREATE INDEX "mails_failed_ix" ON "mails" USING btree ("id") WHERE "mails"."status" = 'failed';--> statement-breakpoint
CREATE INDEX "mails_recipient_user_id_ix" ON "mails" USING btree ("recipient_user_id","id") WHERE "mails"."recipient_user_id" is not null;--> statement-breakpoint
CREATE INDEX "mails_created_at_ix" ON "mails" USING brin ("created_at");