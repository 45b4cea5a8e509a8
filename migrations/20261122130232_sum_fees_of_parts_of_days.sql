-- Why: reports between two instants fetched every posting of the first and the last day to sum what was earned: a second at
-- ten million payments. An index that holds what is summed takes the place of a summary of ranges.
-- Lock: writes to ledger_postings wait while it is built. At millions of them make it before with CONCURRENTLY.
CREATE INDEX IF NOT EXISTS "ledger_postings_fees_ix" ON "ledger_postings" USING btree ("created_at","account","kind","amount","seller_id") WHERE "ledger_postings"."account" in ('fee_revenue', 'provider_cost');--> statement-breakpoint
DROP INDEX IF EXISTS "ledger_postings_created_at_ix";
