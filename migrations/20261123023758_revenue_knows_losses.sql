-- Why: what was lost is a part of the margin.
-- Lock: for a moment; zero is kept in the catalogue, and is what processes of the version before write.
ALTER TABLE "daily_revenue" ADD COLUMN "losses_amount" bigint DEFAULT 0 NOT NULL;