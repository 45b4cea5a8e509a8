-- Why: people correct sellers' balances, two of them where the policy asks for it; the platform knows what providers charge, and
-- pays out what it earned.
-- Lock: none, everything is new.
CREATE TABLE "adjustments" (
	"seller_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"kind" text NOT NULL,
	"amount" bigint NOT NULL,
	"against" text NOT NULL,
	"reason" text NOT NULL,
	"forced" boolean NOT NULL,
	"proposed_by" uuid NOT NULL,
	"approved_by" uuid,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "adjustments_pk" PRIMARY KEY("seller_id","id"),
	CONSTRAINT "adjustments_amount_ck" CHECK ("adjustments"."amount" <> 0)
);
--> statement-breakpoint
CREATE TABLE "seller_debts" (
	"seller_id" uuid PRIMARY KEY NOT NULL,
	"owed_since" timestamp (3) with time zone NOT NULL,
	"told_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "approval_policy" (
	"id" integer PRIMARY KEY NOT NULL,
	"withdrawal_from_amount" bigint,
	"adjustment_from_amount" bigint,
	"write_off_from_amount" bigint,
	"treasury_payout_from_amount" bigint,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "approval_policy_id_ck" CHECK ("approval_policy"."id" = 1)
);
--> statement-breakpoint
CREATE TABLE "approvals" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"seller_id" uuid,
	"amount" bigint NOT NULL,
	"reason" text,
	"request" jsonb NOT NULL,
	"status" text NOT NULL,
	"proposed_by" uuid NOT NULL,
	"decided_by" uuid,
	"decision_reason" text,
	"decided_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provider_costs" (
	"provider" text NOT NULL,
	"method" text NOT NULL,
	"installments_from" smallint NOT NULL,
	"installments_to" smallint NOT NULL,
	"percentage_bps" integer NOT NULL,
	"fixed_amount" bigint NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "provider_costs_pk" PRIMARY KEY("provider","method","installments_from"),
	CONSTRAINT "provider_costs_installments_ck" CHECK ("provider_costs"."installments_from" <= "provider_costs"."installments_to")
);
--> statement-breakpoint
CREATE TABLE "treasury_payouts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"amount" bigint NOT NULL,
	"pix_key_type" text NOT NULL,
	"pix_key" text NOT NULL,
	"reason" text NOT NULL,
	"status" text NOT NULL,
	"status_reason" text,
	"provider" text NOT NULL,
	"reference" text,
	"end_to_end_id" text,
	"proposed_by" uuid NOT NULL,
	"approved_by" uuid,
	"last_attempt_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "treasury_payouts_amount_ck" CHECK ("treasury_payouts"."amount" > 0)
);
--> statement-breakpoint
CREATE INDEX "adjustments_all_ix" ON "adjustments" USING btree ("id","created_at");--> statement-breakpoint
CREATE INDEX "approvals_list_ix" ON "approvals" USING btree ("id","created_at");--> statement-breakpoint
CREATE INDEX "approvals_status_ix" ON "approvals" USING btree ("status","id");--> statement-breakpoint
CREATE UNIQUE INDEX "approvals_pending_uq" ON "approvals" USING btree ("kind","subject_id") WHERE "approvals"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "treasury_payouts_list_ix" ON "treasury_payouts" USING btree ("id","created_at");--> statement-breakpoint
CREATE INDEX "treasury_payouts_status_ix" ON "treasury_payouts" USING btree ("status","id");