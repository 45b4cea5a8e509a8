-- Why: a list of the deliveries that failed read all of a webhook's to count them.
-- Lock: writes to webhook_deliveries wait while the index is built. At millions of them make it before with CONCURRENTLY.
CREATE INDEX IF NOT EXISTS "webhook_deliveries_failed_ix" ON "webhook_deliveries" USING btree ("seller_id","webhook_id","id","status") WHERE "webhook_deliveries"."status" in ('failed', 'canceled');
