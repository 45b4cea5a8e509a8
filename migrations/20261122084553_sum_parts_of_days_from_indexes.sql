-- Why: reports between two instants fetched every payment of the first and the last day to sum it. Two indexes that hold what
-- is summed take the place of two that did not.
-- Lock: writes to payments wait while the indexes are built. At millions of payments make both before with CONCURRENTLY.
CREATE INDEX IF NOT EXISTS "payments_all_ix" ON "payments" USING btree ("id","status","method","amount","seller_id","created_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "payments_all_paid_ix" ON "payments" USING btree ("paid_at","seller_id","method","status","paid_amount","fee_amount","net_amount","id") WHERE "payments"."paid_at" is not null;--> statement-breakpoint
DROP INDEX IF EXISTS "payments_id_ix";--> statement-breakpoint
DROP INDEX IF EXISTS "payments_paid_at_ix";
