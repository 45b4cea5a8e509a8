-- Version: 1

-- What one row counts as. Each table that is counted has a function daily_totals_of(row), in a file beside this one, which
-- answers this for every subject that the row belongs to. Writers, readers and the verifier all ask those functions.

CREATE OR REPLACE FUNCTION sao_paulo_date(at timestamptz) RETURNS date
  IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$ SELECT (at AT TIME ZONE 'America/Sao_Paulo')::date $$;

CREATE OR REPLACE FUNCTION daily_total(
  seller_id uuid, subject text, day date,
  method text DEFAULT NULL, status text DEFAULT NULL, account text DEFAULT NULL, kind text DEFAULT NULL,
  direction text DEFAULT NULL, type text DEFAULT NULL, webhook_id uuid DEFAULT NULL,
  amount bigint DEFAULT 0, fee_amount bigint DEFAULT 0, net_amount bigint DEFAULT 0
) RETURNS SETOF daily_total_changes IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
  SELECT seller_id, subject, day, method, status, account, kind, direction, type, webhook_id,
    1::bigint, amount, fee_amount, net_amount
$$;
