-- Why: what providers say happened is compared with the books, day by day; what does not agree is kept until it is resolved.
-- Lock: new tables, and a nullable column of the sandbox's records, instant.
CREATE TABLE "provider_statement_lines" (
	"reconciliation_id" uuid NOT NULL,
	"run" integer NOT NULL,
	"number" integer NOT NULL,
	"kind" text NOT NULL,
	"reference" text NOT NULL,
	"end_to_end_id" text,
	"amount" bigint NOT NULL,
	"fee_amount" bigint,
	"happened_at" timestamp (3) with time zone NOT NULL,
	"seller_id" uuid,
	"subject_id" uuid,
	CONSTRAINT "provider_statement_lines_pk" PRIMARY KEY("reconciliation_id","run","number")
);
--> statement-breakpoint
CREATE TABLE "reconciliation_exceptions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"date" date NOT NULL,
	"kind" text NOT NULL,
	"line_kind" text NOT NULL,
	"subject" text NOT NULL,
	"seller_id" uuid,
	"subject_id" uuid,
	"end_to_end_id" text,
	"provider_amount" bigint NOT NULL,
	"platform_amount" bigint NOT NULL,
	"status" text NOT NULL,
	"resolution" text,
	"reason" text,
	"resolved_by" uuid,
	"approved_by" uuid,
	"resolved_at" timestamp (3) with time zone,
	"reopened_count" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "reconciliation_exceptions_subject_uq" UNIQUE("provider","date","kind","subject")
);
--> statement-breakpoint
CREATE TABLE "reconciliations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"date" date NOT NULL,
	"status" text NOT NULL,
	"run" integer NOT NULL,
	"provider_amount" bigint NOT NULL,
	"platform_amount" bigint NOT NULL,
	"matched_count" bigint NOT NULL,
	"exception_count" bigint NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "reconciliations_provider_date_uq" UNIQUE("provider","date")
);
--> statement-breakpoint
ALTER TABLE "sandbox_records" ADD COLUMN "fee_amount" bigint;--> statement-breakpoint
CREATE INDEX "provider_statement_lines_subject_ix" ON "provider_statement_lines" USING btree ("subject_id");--> statement-breakpoint
CREATE INDEX "reconciliation_exceptions_list_ix" ON "reconciliation_exceptions" USING btree ("id","created_at");--> statement-breakpoint
CREATE INDEX "reconciliation_exceptions_status_ix" ON "reconciliation_exceptions" USING btree ("status","id");--> statement-breakpoint
CREATE INDEX "reconciliations_list_ix" ON "reconciliations" USING btree ("id","created_at");--> statement-breakpoint
CREATE INDEX "reconciliations_status_ix" ON "reconciliations" USING btree ("status","date");