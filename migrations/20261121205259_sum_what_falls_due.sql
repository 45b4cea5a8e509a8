-- Why: the balance of a seller who waits for much read every part and hold that is to come. A fee's method is looked up
-- for fees alone, where the trigger looked up that of every posting.
-- Lock: payment_settlements and reserve_holds for a moment, for their triggers, and while what is to come is summed.
CREATE OR REPLACE FUNCTION ledger_postings_figures_insert() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $body$
BEGIN
  INSERT INTO figure_changes (seller_id, subject, day, dimensions, rows_count, amount, fee_amount, net_amount)
  SELECT seller_id, 'posting', day, dimensions, count(*), sum(amount), 0, 0
  FROM (
    SELECT counted.seller_id, sao_paulo_date(counted.created_at) AS day, counted.amount, ARRAY[
      counted.account, counted.kind, CASE WHEN counted.amount > 0 THEN 'credit' ELSE 'debit' END,
      coalesce(CASE WHEN counted.account IN ('fee_revenue', 'provider_cost') THEN (
        SELECT payment.method FROM ledger_transfers AS transfer
        JOIN payments AS payment ON payment.seller_id = transfer.seller_id AND payment.id =
          CASE transfer.reference_type
            WHEN 'refund' THEN (
              SELECT payment_id FROM refunds
              WHERE refunds.seller_id = transfer.seller_id AND refunds.id = transfer.reference_id)
            WHEN 'dispute' THEN (
              SELECT payment_id FROM disputes
              WHERE disputes.seller_id = transfer.seller_id AND disputes.id = transfer.reference_id)
            ELSE transfer.reference_id
          END
        WHERE transfer.seller_id = counted.seller_id AND transfer.id = counted.transfer_id
      ) END, '')
    ] AS dimensions
    FROM new_rows AS counted
    WHERE counted.account IN ('available', 'pending', 'reserved', 'blocked', 'withdrawing', 'fee_revenue', 'provider_cost')
      OR counted.account IN ('clearing', 'receivable')
        AND counted.kind NOT IN ('payment_received', 'payment_settled', 'reserve_held', 'reserve_released')
  ) AS counted
  GROUP BY 1, 3, 4;
  RETURN NULL;
END $body$;
--> statement-breakpoint
-- What falls due, by the day on which it does: balances are asked for all the time, and a seller may wait for millions.
CREATE FUNCTION payment_settlements_figures_insert() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  INSERT INTO figure_changes (seller_id, subject, day, dimensions, rows_count, amount, fee_amount, net_amount)
  SELECT seller_id, 'due', available_on, '{pending}', count(*), sum(amount - canceled_amount), 0, 0
  FROM new_rows WHERE status = 'waiting' GROUP BY 1, 3;
  RETURN NULL;
END $body$;
--> statement-breakpoint
CREATE FUNCTION payment_settlements_figures_update() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  INSERT INTO figure_changes (seller_id, subject, day, dimensions, rows_count, amount, fee_amount, net_amount)
  SELECT * FROM (
    SELECT seller_id, 'due', day, '{pending}'::text[], sum(sign) AS rows_count, sum(sign * part) AS amount, 0, 0 FROM (
      SELECT seller_id, available_on AS day, amount - canceled_amount AS part, 1 AS sign FROM new_rows WHERE status = 'waiting'
      UNION ALL
      SELECT seller_id, available_on, amount - canceled_amount, -1 FROM old_rows WHERE status = 'waiting'
    ) AS signed GROUP BY 1, 3
  ) AS changed WHERE rows_count <> 0 OR amount <> 0;
  RETURN NULL;
END $body$;
--> statement-breakpoint
CREATE FUNCTION reserve_holds_figures_insert() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  INSERT INTO figure_changes (seller_id, subject, day, dimensions, rows_count, amount, fee_amount, net_amount)
  SELECT seller_id, 'due', sao_paulo_date(release_at), '{reserved}', count(*),
    sum(amount - released_amount - consumed_amount), 0, 0
  FROM new_rows WHERE status = 'held' GROUP BY 1, 3;
  RETURN NULL;
END $body$;
--> statement-breakpoint
CREATE FUNCTION reserve_holds_figures_update() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  INSERT INTO figure_changes (seller_id, subject, day, dimensions, rows_count, amount, fee_amount, net_amount)
  SELECT * FROM (
    SELECT seller_id, 'due', sao_paulo_date(release_at), '{reserved}'::text[], sum(sign) AS rows_count,
      sum(sign * part) AS amount, 0, 0
    FROM (
      SELECT seller_id, release_at, amount - released_amount - consumed_amount AS part, 1 AS sign
      FROM new_rows WHERE status = 'held'
      UNION ALL
      SELECT seller_id, release_at, amount - released_amount - consumed_amount, -1 FROM old_rows WHERE status = 'held'
    ) AS signed GROUP BY 1, 3
  ) AS changed WHERE rows_count <> 0 OR amount <> 0;
  RETURN NULL;
END $body$;
--> statement-breakpoint
CREATE TRIGGER payment_settlements_figures_insert AFTER INSERT ON payment_settlements REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION payment_settlements_figures_insert();
--> statement-breakpoint
CREATE TRIGGER payment_settlements_figures_update AFTER UPDATE ON payment_settlements
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION payment_settlements_figures_update();
--> statement-breakpoint
CREATE TRIGGER reserve_holds_figures_insert AFTER INSERT ON reserve_holds REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION reserve_holds_figures_insert();
--> statement-breakpoint
CREATE TRIGGER reserve_holds_figures_update AFTER UPDATE ON reserve_holds
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION reserve_holds_figures_update();
--> statement-breakpoint
DO $do$
DECLARE
  sources constant text := rtrim(pg_get_viewdef('figure_sources'), ';');
BEGIN
  -- Both are due at the first moment of their day.
  EXECUTE 'CREATE OR REPLACE VIEW figure_sources AS ' || sources || $view$
    UNION ALL SELECT seller_id, 'due', id, (available_on::timestamp AT TIME ZONE 'America/Sao_Paulo')::timestamptz(3), ARRAY['pending'],
      amount - canceled_amount, 0, 0, 1
    FROM payment_settlements WHERE status = 'waiting'
    UNION ALL SELECT seller_id, 'due', id, release_at, ARRAY['reserved'], amount - released_amount - consumed_amount, 0, 0, 1
    FROM reserve_holds WHERE status = 'held'$view$;
END $do$;
--> statement-breakpoint
INSERT INTO figure_changes (seller_id, subject, day, dimensions, rows_count, amount, fee_amount, net_amount)
  SELECT seller_id, subject, day, dimensions, rows_count, amount, fee_amount, net_amount FROM figure_differences
  WHERE subject = 'due';
