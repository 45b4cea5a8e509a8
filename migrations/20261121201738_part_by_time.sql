-- Why: months of events and attempts, and days of first answers, go by dropping a part instead of row by row. No foreign
-- key may point into a part that is dropped: the purge deletes deliveries before the events that they were made of.
-- Lock: the three tables are written anew; nothing else may use them meanwhile. Their sums stay as they are.
ALTER TABLE "webhook_attempts" DROP CONSTRAINT "webhook_attempts_delivery_id_fk";
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" DROP CONSTRAINT "webhook_deliveries_event_id_fk";
--> statement-breakpoint
DROP INDEX "events_created_at_ix";--> statement-breakpoint
DROP INDEX "idempotency_keys_created_at_ix";--> statement-breakpoint
CREATE INDEX "webhook_deliveries_event_id_ix" ON "webhook_deliveries" USING brin ("event_id");--> statement-breakpoint
ALTER TABLE "idempotency_keys" DROP CONSTRAINT "idempotency_keys_pk";
--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_pk" PRIMARY KEY("owner_id","operation","key","created_at");
--> statement-breakpoint
CREATE FUNCTION uuid_at(at timestamptz) RETURNS uuid IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
  SELECT (encode(int8send((extract(epoch FROM at) * 1000)::bigint << 16), 'hex') || repeat('0', 16))::uuid $$;
--> statement-breakpoint
CREATE FUNCTION add_partition(parent text, key text, name text, starts timestamptz, ends timestamptz) RETURNS boolean
LANGUAGE plpgsql AS $$
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
--> statement-breakpoint
CREATE FUNCTION drop_partition(name text) RETURNS void LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
BEGIN
  -- What goes is taken off the sums in the same transaction. Its rows no longer change.
  IF name LIKE 'events\_p%' THEN
    EXECUTE format('INSERT INTO figure_changes (seller_id, subject, day, dimensions, rows_count, amount, fee_amount, net_amount)
      SELECT seller_id, ''event'', sao_paulo_date(created_at), ARRAY[type], -count(*), 0, 0, 0 FROM %I GROUP BY 1, 3, 4', name);
  END IF;
  EXECUTE format('DROP TABLE %I', name);
END $$;
--> statement-breakpoint
DO $do$
DECLARE
  one record;
  definition text;
  definitions text[];
  part timestamptz;
  sources constant text := pg_get_viewdef('figure_sources');
  differences constant text := pg_get_viewdef('figure_differences');
BEGIN
  DROP VIEW figure_differences, figure_sources;
  FOR one IN SELECT * FROM (VALUES
    ('events', 'id', 'events_pk', 'seller_id, id', 'month'),
    ('webhook_attempts', 'id', 'webhook_attempts_pk', 'seller_id, id', 'month'),
    ('idempotency_keys', 'created_at', 'idempotency_keys_pk', 'owner_id, operation, key, created_at', 'day')
  ) AS given (name, key, pk, pk_columns, every) LOOP
    SELECT array_agg(pg_get_indexdef(indexrelid)) INTO definitions FROM pg_index
      WHERE indrelid = one.name::regclass AND NOT indisprimary;
    EXECUTE format('ALTER TABLE %I RENAME TO %I', one.name, one.name || '_whole');
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', one.name || '_whole', one.pk);
    FOREACH definition IN ARRAY coalesce(definitions, '{}') LOOP
      EXECUTE 'DROP INDEX ' || (regexp_match(definition, 'INDEX (\w+) '))[1];
    END LOOP;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS, CONSTRAINT %I PRIMARY KEY (%s)) '
      'PARTITION BY RANGE (%I)', one.name, one.name || '_whole', one.pk, one.pk_columns, one.key);
    FOREACH definition IN ARRAY coalesce(definitions, '{}') LOOP
      EXECUTE definition;
    END LOOP;
    EXECUTE format('CREATE TABLE %I PARTITION OF %I DEFAULT', one.name || '_default', one.name);
    EXECUTE format('INSERT INTO %I SELECT * FROM %I', one.name || '_default', one.name || '_whole');
    EXECUTE format('DROP TABLE %I', one.name || '_whole');
    -- From what is kept on: what is older stays in the rest until it is deleted.
    FOR part IN SELECT generate_series(
      date_trunc(one.every, now() AT TIME ZONE 'UTC') - ('1 ' || one.every)::interval,
      date_trunc(one.every, now() AT TIME ZONE 'UTC') + ('2 ' || one.every)::interval,
      ('1 ' || one.every)::interval) AT TIME ZONE 'UTC'
    LOOP
      PERFORM add_partition(one.name, one.key,
        one.name || to_char(part AT TIME ZONE 'UTC', CASE one.every WHEN 'month' THEN '"_p"YYYYMM' ELSE '"_p"YYYYMMDD' END),
        part, (part AT TIME ZONE 'UTC' + ('1 ' || one.every)::interval) AT TIME ZONE 'UTC');
    END LOOP;
  END LOOP;
  EXECUTE 'CREATE VIEW figure_sources AS ' || sources;
  EXECUTE 'CREATE VIEW figure_differences AS ' || differences;
END $do$;
--> statement-breakpoint
CREATE TRIGGER events_figures_insert AFTER INSERT ON events REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION events_figures_insert();
--> statement-breakpoint
CREATE TRIGGER events_figures_delete AFTER DELETE ON events REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION events_figures_delete();
