-- Why: declined cards are counted for what they are tried at, after rules that administrators change.
-- Lock: new tables only.
CREATE TABLE "velocity_counters" (
	"key" text PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"window_started_at" timestamp (3) with time zone NOT NULL,
	"waits_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "velocity_rules" (
	"subject" text PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"failures_max" integer NOT NULL,
	"within_minutes" integer NOT NULL,
	"first_wait_minutes" integer NOT NULL,
	"longest_wait_minutes" integer NOT NULL,
	"is_active" boolean NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "velocity_counters_window_started_at_ix" ON "velocity_counters" USING btree ("window_started_at");