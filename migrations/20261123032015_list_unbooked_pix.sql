-- Why: administrators also list Pix that went back or were explained, which are as few among those that were booked.
-- Lock: none that waits; both are done beside everything else.
-- Transaction: none
CREATE INDEX CONCURRENTLY IF NOT EXISTS "received_pix_unbooked_ix" ON "received_pix" USING btree ("status","id") WHERE "received_pix"."status" <> 'booked';--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "received_pix_open_ix";
