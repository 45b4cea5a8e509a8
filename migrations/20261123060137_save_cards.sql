-- Why: providers keep customers' cards for later charges, and a payment says which of them paid it.
-- Lock: new tables, and a nullable column, instant. Payments of before were made with tokens.
CREATE TABLE "saved_cards" (
	"seller_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"status" text NOT NULL,
	"token_sealed" text,
	"brand" text,
	"last4" text,
	"exp_month" integer,
	"exp_year" integer,
	"consented_at" timestamp (3) with time zone NOT NULL,
	"consent_text_version" text,
	"last_attempt_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "saved_cards_pk" PRIMARY KEY("seller_id","id")
);
--> statement-breakpoint
CREATE TABLE "sandbox_cards" (
	"reference" text PRIMARY KEY NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "card_id" uuid;--> statement-breakpoint
CREATE INDEX "saved_cards_customer_id_ix" ON "saved_cards" USING btree ("seller_id","customer_id","id") WHERE "saved_cards"."status" in ('saving', 'active');--> statement-breakpoint
CREATE INDEX "saved_cards_unfinished_ix" ON "saved_cards" USING btree ("updated_at") WHERE "saved_cards"."status" in ('saving', 'deleting');