-- Why: Postgres itself refuses what would break the books, whoever writes: unbalanced transfers, edits, overlapping fees.
-- Lock: new triggers and a constraint on empty tables.
CREATE FUNCTION ledger_postings_balanced() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE unbalanced uuid;
BEGIN
  SELECT transfer_id INTO unbalanced FROM new_postings GROUP BY seller_id, transfer_id HAVING sum(amount) <> 0 LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'the postings of transfer % do not sum to zero', unbalanced
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_postings_balanced_ck', TABLE = 'ledger_postings';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_postings_balanced AFTER INSERT ON ledger_postings
  REFERENCING NEW TABLE AS new_postings FOR EACH STATEMENT EXECUTE FUNCTION ledger_postings_balanced();
--> statement-breakpoint
CREATE FUNCTION ledger_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append only: reverse a mistake with a new transfer', TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'ledger_append_only_ck', TABLE = TG_TABLE_NAME;
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_transfers_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_transfers
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_append_only();
--> statement-breakpoint
CREATE TRIGGER ledger_postings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_postings
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_append_only();
--> statement-breakpoint
ALTER TABLE fees ADD CONSTRAINT fees_band_ex EXCLUDE USING gist (
  coalesce(seller_id, '00000000-0000-0000-0000-000000000000'::uuid) WITH =,
  method WITH =,
  int4range(installments_from, installments_to, '[]') WITH &&
) WHERE (is_active);
--> statement-breakpoint
ALTER TABLE rate_limits SET UNLOGGED;
--> statement-breakpoint
-- Rows that change in place all day keep room on their pages for their next version, and queues are cleaned early.
ALTER TABLE ledger_accounts SET (fillfactor = 50);
--> statement-breakpoint
ALTER TABLE seller_webhooks SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500);
--> statement-breakpoint
ALTER TABLE webhook_deliveries SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);
--> statement-breakpoint
ALTER TABLE events SET (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05);
