-- Why: the statement of a period walked through the day behind it, whose postings may have been numbered after their time.
-- Hardly any were: an index of those says whether it has to.
-- Lock: writes to ledger_postings wait while it is built. At millions of them make it before with CONCURRENTLY.
CREATE INDEX IF NOT EXISTS "ledger_postings_late_ix" ON "ledger_postings" USING btree ("seller_id","id") WHERE uuid_extract_timestamp("ledger_postings"."id") - "ledger_postings"."created_at" > interval '1 minute';
