-- Version: 1

-- What Postgres itself refuses, whoever writes: a transfer that does not balance, and any change of what was posted. None looks
-- further than one book, so that it holds wherever the book lies.

CREATE OR REPLACE FUNCTION ledger_transfer_balanced() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  posted record;
BEGIN
  -- It runs at the end of the statement that writes the transfer and its postings. None can be added later: their numbers
  -- go from 1 to `legs`, and all are taken.
  SELECT count(*) AS legs, sum(amount) AS amount INTO posted FROM ledger_postings
    WHERE seller_id = NEW.seller_id AND transfer_id = NEW.id;
  IF posted.legs <> NEW.legs OR posted.legs < 2 OR posted.amount <> 0 THEN
    RAISE EXCEPTION 'the postings of transfer % do not sum to zero', NEW.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_transfers_balanced_ck', TABLE = 'ledger_transfers';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER ledger_transfers_balanced AFTER INSERT ON ledger_transfers
  FOR EACH ROW EXECUTE FUNCTION ledger_transfer_balanced();

CREATE OR REPLACE FUNCTION ledger_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append only: reverse a mistake with a new transfer', TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'ledger_append_only_ck', TABLE = TG_TABLE_NAME;
END $$;

CREATE OR REPLACE TRIGGER ledger_transfers_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transfers
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_append_only();
CREATE OR REPLACE TRIGGER ledger_postings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_postings
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_append_only();
CREATE OR REPLACE TRIGGER ledger_chain_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_chain
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_append_only();
