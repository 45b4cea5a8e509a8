-- Why: a dashboard between two instants read what all sellers were paid on its first and last day to find one seller's.
-- Lock: writes to payments wait while the index is built. At millions of payments make it before with CONCURRENTLY.
CREATE INDEX IF NOT EXISTS "payments_seller_paid_at_ix" ON "payments" USING btree ("seller_id","paid_at") WHERE "payments"."paid_at" is not null;
