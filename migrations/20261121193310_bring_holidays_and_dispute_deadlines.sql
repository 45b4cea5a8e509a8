-- Why: administrators correct the holidays of banks and set what a lost dispute costs; the clock ends unanswered disputes;
-- refunds that were begun at the provider have nobody here who asked for them.
-- Lock: new tables; refunds and disputes for a moment, for columns with constant defaults. The check reads refunds once.
CREATE TABLE "dispute_fees" (
	"type" text PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"fee_amount" bigint NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "dispute_fees_fee_amount_ck" CHECK ("dispute_fees"."fee_amount" >= 0)
);
--> statement-breakpoint
CREATE TABLE "holiday_overrides" (
	"date" date PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"is_holiday" boolean NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "refunds" ALTER COLUMN "requested_by" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "disputes" ADD COLUMN "fee_amount" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "disputes" ADD COLUMN "reminded_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "disputes" ADD COLUMN "resolved_by" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "origin" text DEFAULT 'seller' NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_requested_by_ck" CHECK (("refunds"."origin" = 'seller') = ("refunds"."requested_by" is not null));