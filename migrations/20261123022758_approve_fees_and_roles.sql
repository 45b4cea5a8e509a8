-- Why: two administrators may be asked for where fees, or what administrators may do, are changed.
-- Lock: one table of one row, for a moment; the columns are nullable. Null is false.
ALTER TABLE "approval_policy" ADD COLUMN "fees" boolean;--> statement-breakpoint
ALTER TABLE "approval_policy" ADD COLUMN "roles" boolean;