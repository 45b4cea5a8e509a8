-- Version: 1

-- Tables whose old rows go by dropping a part: see partitions.ts. What is in no part is in `<name>_default`.

CREATE OR REPLACE FUNCTION uuid_at(at timestamptz) RETURNS uuid IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
  SELECT (encode(int8send((extract(epoch FROM at) * 1000)::bigint << 16), 'hex') || repeat('0', 16))::uuid
$$;

-- Makes a part, with the rows that came before it was there. False: it is there already.
CREATE OR REPLACE FUNCTION add_partition(parent text, key text, name text, starts timestamptz, ends timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  rest constant text := parent || '_default';
  lower_bound constant text := CASE key WHEN 'id' THEN uuid_at(starts)::text ELSE starts::text END;
  upper_bound constant text := CASE key WHEN 'id' THEN uuid_at(ends)::text ELSE ends::text END;
BEGIN
  IF to_regclass(name) IS NOT NULL THEN RETURN false; END IF;
  -- Nobody may add to the rest between its rows being taken out and the part being there.
  EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', rest);
  IF to_regclass(name) IS NOT NULL THEN RETURN false; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS) '
    'WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05)', name, parent);
  EXECUTE format('WITH moved AS (DELETE FROM %I WHERE %I >= %L AND %I < %L RETURNING *) INSERT INTO %I SELECT * FROM moved',
    rest, key, lower_bound, key, upper_bound, name);
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', parent, name, lower_bound, upper_bound);
  RETURN true;
END $$;

-- Drops a part and all its rows. False: events of it have yet to be fanned out, and it stays.
CREATE OR REPLACE FUNCTION drop_partition(name text) RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
DECLARE
  waits boolean;
BEGIN
  -- Events are counted: what goes is taken off the totals in the same transaction. Nothing of it waits, so nothing changes.
  IF name LIKE 'events\_p%' THEN
    EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE fanned_out_at IS NULL)', name) INTO waits;
    IF waits THEN RETURN false; END IF;
    EXECUTE format('INSERT INTO daily_total_changes (seller_id, subject, day, type, rows_count, amount, fee_amount, net_amount)
      SELECT seller_id, ''event'', sao_paulo_date(created_at), type, -count(*), 0, 0, 0 FROM %I GROUP BY 1, 3, 4', name);
  END IF;
  EXECUTE format('DROP TABLE %I', name);
  RETURN true;
END $$;
