-- Why: sellers reconcile a day: what was paid, what became available, and what went back, whatever day it was made on.
-- Lock: none that writes wait for; an index at a time is built beside them.
-- Transaction: none
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_settlements_seller_settled_at_ix" ON "payment_settlements" USING btree ("seller_id","settled_at","payment_id") WHERE "payment_settlements"."status" = 'available';--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payment_settlements_settled_at_ix" ON "payment_settlements" USING brin ("settled_at");--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "payments_seller_paid_at_ix" ON "payments" USING btree ("seller_id","paid_at","id") WHERE "payments"."paid_at" is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "refunds_status_ix" ON "refunds" USING btree ("seller_id","status","id");