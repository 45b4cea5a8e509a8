-- Why: a payment paid a quarter more for its event. Sums learn of events when their deliveries are made, many at a time,
-- and one index is both key and list; what is not yet counted is looked up among the few that wait.
-- Lock: events while its key is built anew and those that wait are taken off the sums.
ALTER TABLE "events" DROP CONSTRAINT "events_pk";
--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_pk" PRIMARY KEY("seller_id","id") INCLUDE ("type","created_at");
--> statement-breakpoint
DROP INDEX "events_list_ix";
--> statement-breakpoint
DROP TRIGGER events_figures_insert ON events;
--> statement-breakpoint
-- Events that no sum knows yet: counted beside the sums, until the fan-out marks them and its trigger takes them in.
CREATE VIEW figure_waiting AS
  SELECT seller_id, 'event' AS subject, sao_paulo_date(created_at) AS day, ARRAY[type] AS dimensions, 1 AS rows_count,
    0 AS amount, 0 AS fee_amount, 0 AS net_amount
  FROM events WHERE fanned_out_at IS NULL;
--> statement-breakpoint
INSERT INTO figure_changes (seller_id, subject, day, dimensions, rows_count, amount, fee_amount, net_amount)
  SELECT seller_id, subject, day, dimensions, -count(*), 0, 0, 0 FROM figure_waiting GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
-- Hardly any event is born with its deliveries: the rest pay for a look at one column.
CREATE OR REPLACE FUNCTION events_figures_insert() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  INSERT INTO figure_changes (seller_id, subject, day, dimensions, rows_count, amount, fee_amount, net_amount)
  VALUES (NEW.seller_id, 'event', sao_paulo_date(NEW.created_at), ARRAY[NEW.type], 1, 0, 0, 0);
  RETURN NULL;
END $body$;
--> statement-breakpoint
CREATE FUNCTION events_figures_update() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  INSERT INTO figure_changes (seller_id, subject, day, dimensions, rows_count, amount, fee_amount, net_amount)
  SELECT seller_id, 'event', day, dimensions, sum(sign), 0, 0, 0 FROM (
    SELECT seller_id, sao_paulo_date(created_at) AS day, ARRAY[type] AS dimensions, 1 AS sign
    FROM new_rows WHERE fanned_out_at IS NOT NULL
    UNION ALL
    SELECT seller_id, sao_paulo_date(created_at), ARRAY[type], -1 FROM old_rows WHERE fanned_out_at IS NOT NULL
  ) AS signed GROUP BY 1, 3, 4 HAVING sum(sign) <> 0;
  RETURN NULL;
END $body$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION events_figures_delete() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  INSERT INTO figure_changes (seller_id, subject, day, dimensions, rows_count, amount, fee_amount, net_amount)
  SELECT seller_id, 'event', sao_paulo_date(created_at), ARRAY[type], -count(*), 0, 0, 0
  FROM old_rows WHERE fanned_out_at IS NOT NULL GROUP BY 1, 3, 4;
  RETURN NULL;
END $body$;
--> statement-breakpoint
DROP FUNCTION drop_partition(text);
--> statement-breakpoint
CREATE FUNCTION drop_partition(name text) RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
DECLARE
  waits boolean;
BEGIN
  -- What goes is taken off the sums in the same transaction. Its rows no longer change: nothing of it waits.
  IF name LIKE 'events\_p%' THEN
    EXECUTE format('SELECT EXISTS (SELECT FROM %I WHERE fanned_out_at IS NULL)', name) INTO waits;
    IF waits THEN RETURN false; END IF;
    EXECUTE format('INSERT INTO figure_changes (seller_id, subject, day, dimensions, rows_count, amount, fee_amount, net_amount)
      SELECT seller_id, ''event'', sao_paulo_date(created_at), ARRAY[type], -count(*), 0, 0, 0 FROM %I GROUP BY 1, 3, 4', name);
  END IF;
  EXECUTE format('DROP TABLE %I', name);
  RETURN true;
END $$;
--> statement-breakpoint
CREATE TRIGGER events_figures_insert AFTER INSERT ON events FOR EACH ROW WHEN (NEW.fanned_out_at IS NOT NULL)
  EXECUTE FUNCTION events_figures_insert();
--> statement-breakpoint
CREATE TRIGGER events_figures_update AFTER UPDATE ON events REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION events_figures_update();
--> statement-breakpoint
CREATE OR REPLACE VIEW figure_differences AS
  SELECT * FROM (
    SELECT seller_id, subject, day, dimensions, sum(rows_count)::bigint AS rows_count, sum(amount)::bigint AS amount,
      sum(fee_amount)::bigint AS fee_amount, sum(net_amount)::bigint AS net_amount
    FROM (
      SELECT seller_id, subject, sao_paulo_date(at) AS day, dimensions, 1 AS rows_count, amount, fee_amount, net_amount
      FROM figure_sources
      UNION ALL
      SELECT seller_id, subject, day, dimensions, -rows_count, 0, 0, 0 FROM figure_waiting
      UNION ALL
      SELECT seller_id, subject, starts_on, dimensions, -rows_count, -amount, -fee_amount, -net_amount FROM figures
      WHERE span = 'day' AND (seller_id <> '00000000-0000-0000-0000-000000000000' OR subject = 'provider_event')
      UNION ALL
      SELECT seller_id, subject, day, dimensions, -rows_count, -amount, -fee_amount, -net_amount FROM figure_changes
    ) AS both_ways
    GROUP BY 1, 2, 3, 4
  ) AS compared
  WHERE rows_count <> 0 OR amount <> 0 OR fee_amount <> 0 OR net_amount <> 0;
