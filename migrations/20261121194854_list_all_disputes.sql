-- Why: administrators list and find disputes of all sellers.
-- Lock: writes to disputes wait while the index is built.
CREATE INDEX "disputes_all_ix" ON "disputes" USING btree ("id","status","type");