-- Why: files become statements, each comparison of a day and each resolution is kept, and what is nobody's goes back to its payer.
-- Lock: new tables, and nullable columns of the exceptions, instant.
CREATE TABLE "exception_resolutions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"exception_id" uuid NOT NULL,
	"resolution" text NOT NULL,
	"reason" text NOT NULL,
	"resolved_by" uuid,
	"approved_by" uuid,
	"run" integer,
	"provider_amount" bigint NOT NULL,
	"platform_amount" bigint NOT NULL,
	"posted_amount" bigint,
	"account" text,
	"book_id" uuid,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payer_refunds" (
	"id" uuid PRIMARY KEY NOT NULL,
	"exception_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"end_to_end_id" text,
	"charge_reference" text,
	"payment_id" uuid,
	"seller_id" uuid,
	"amount" bigint NOT NULL,
	"status" text NOT NULL,
	"status_reason" text,
	"reference" text,
	"last_attempt_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provider_statements" (
	"id" uuid PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"date" date NOT NULL,
	"format" text NOT NULL,
	"sha256" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"lines_count" bigint NOT NULL,
	"storage_key" text NOT NULL,
	"created_by" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "provider_statements_file_uq" UNIQUE("provider","date","sha256")
);
--> statement-breakpoint
CREATE TABLE "reconciliation_runs" (
	"reconciliation_id" uuid NOT NULL,
	"run" integer NOT NULL,
	"cause" text NOT NULL,
	"requested_by" uuid,
	"statement_id" uuid,
	"finished_at" timestamp (3) with time zone,
	"provider_amount" bigint NOT NULL,
	"platform_amount" bigint NOT NULL,
	"matched_count" bigint NOT NULL,
	"exception_count" bigint NOT NULL,
	"corrected_count" bigint NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "reconciliation_runs_pk" PRIMARY KEY("reconciliation_id","run")
);
--> statement-breakpoint
ALTER TABLE "reconciliation_exceptions" ADD COLUMN "reference" text;--> statement-breakpoint
ALTER TABLE "reconciliation_exceptions" ADD COLUMN "happened_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "reconciliation_exceptions" ADD COLUMN "corrected_amount" bigint;--> statement-breakpoint
ALTER TABLE "reconciliation_exceptions" ADD COLUMN "resolved_by_run" integer;--> statement-breakpoint
CREATE INDEX "exception_resolutions_exception_ix" ON "exception_resolutions" USING btree ("exception_id","id");--> statement-breakpoint
CREATE INDEX "payer_refunds_exception_ix" ON "payer_refunds" USING btree ("exception_id","id");--> statement-breakpoint
CREATE INDEX "payer_refunds_completed_ix" ON "payer_refunds" USING btree ("provider","completed_at");--> statement-breakpoint
CREATE INDEX "payer_refunds_processing_ix" ON "payer_refunds" USING btree ("id") WHERE "payer_refunds"."status" = 'processing';