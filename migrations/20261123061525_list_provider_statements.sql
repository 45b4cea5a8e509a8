-- Why: administrators list the files that were handed in, the newest first, within a period.
-- Lock: none that waits; it is done beside everything else.
-- Transaction: none
CREATE INDEX CONCURRENTLY IF NOT EXISTS "provider_statements_list_ix" ON "provider_statements" USING btree ("id","created_at");
