-- Why: reports tell fees, costs and margin by the provider whose services earned or cost them.
-- Lock: for a moment; the column is nullable, and null for what was posted before.
ALTER TABLE "ledger_postings" ADD COLUMN "provider" text;