-- Why: reports about every seller read dozens of sums of each seller and day. One row of a seller and day, or month, that
-- triggers keep beside those sums makes a report of a thousand sellers as quick at ten million payments as at none.
-- Lock: folding waits while the sums of sellers are summed; a table that nothing reads is made.
CREATE TABLE "seller_sums" (
	"span" text NOT NULL,
	"starts_on" date NOT NULL,
	"seller_id" uuid NOT NULL,
	"paid_count" bigint NOT NULL,
	"gross_volume_amount" bigint NOT NULL,
	"fees_count" bigint NOT NULL,
	"legs_count" bigint NOT NULL,
	"payment_fees_amount" bigint NOT NULL,
	"withdrawal_fees_amount" bigint NOT NULL,
	"dispute_fees_amount" bigint NOT NULL,
	"refunded_fees_amount" bigint NOT NULL,
	"provider_cost_amount" bigint NOT NULL,
	"refunds_amount" bigint NOT NULL,
	"lost_disputes_amount" bigint NOT NULL,
	"withdrawn_amount" bigint NOT NULL,
	"withdrawals_amount" bigint NOT NULL,
	CONSTRAINT "seller_sums_pk" PRIMARY KEY("span","starts_on","seller_id")
);
--> statement-breakpoint
-- Folding rewrites the rows of today all day.
ALTER TABLE seller_sums SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
--> statement-breakpoint
DO $do$
DECLARE
  -- One definition of the sums makes the triggers, what is summed at first, and the view of what they missed.
  reported constant text := $$seller_id <> '00000000-0000-0000-0000-000000000000' AND (subject = 'payment_paid'
    OR subject = 'posting' AND (dimensions[1] IN ('fee_revenue', 'provider_cost')
      OR dimensions[2] NOT IN ('payment_received', 'payment_settled', 'reserve_held', 'reserve_released')))$$;
  definitions constant text[][] := ARRAY[
    ['paid_count', 'rows_count', $$subject = 'payment_paid'$$],
    ['gross_volume_amount', 'amount', $$subject = 'payment_paid'$$],
    ['fees_count', 'rows_count', $$subject = 'posting' AND dimensions[1] IN ('fee_revenue', 'provider_cost')$$],
    ['legs_count', 'rows_count', $$subject = 'posting'$$],
    ['payment_fees_amount', 'amount', $$subject = 'posting' AND dimensions[1] = 'fee_revenue'
      AND dimensions[2] IN ('payment_received', 'payment_settled', 'reserve_held', 'reserve_released')$$],
    ['withdrawal_fees_amount', 'amount', $$subject = 'posting' AND dimensions[1] = 'fee_revenue'
      AND dimensions[2] IN ('withdrawal_requested', 'withdrawal_completed', 'withdrawal_reversed')$$],
    ['dispute_fees_amount', 'amount', $$subject = 'posting' AND dimensions[1] = 'fee_revenue'
      AND dimensions[2] IN ('dispute_opened', 'dispute_won', 'dispute_lost')$$],
    ['refunded_fees_amount', '-amount', $$subject = 'posting' AND dimensions[1] = 'fee_revenue'
      AND dimensions[2] IN ('refund_requested', 'refund_failed', 'dispute_reversed', 'withdrawal_returned')$$],
    ['provider_cost_amount', '-amount', $$subject = 'posting' AND dimensions[1] = 'provider_cost'$$],
    ['refunds_amount', 'amount', $$subject = 'posting' AND dimensions[1] IN ('clearing', 'receivable')
      AND dimensions[2] IN ('refund_requested', 'refund_failed')$$],
    ['lost_disputes_amount', 'amount', $$subject = 'posting' AND dimensions[1] IN ('clearing', 'receivable')
      AND dimensions[2] IN ('dispute_lost', 'dispute_reversed')$$],
    ['withdrawn_amount', 'amount', $$subject = 'posting' AND dimensions[1] = 'clearing'
      AND dimensions[2] IN ('withdrawal_completed', 'withdrawal_returned')$$],
    ['withdrawals_amount', '-amount', $$subject = 'posting' AND dimensions[1] IN ('withdrawing', 'available')
      AND dimensions[2] IN ('withdrawal_completed', 'withdrawal_returned')$$]
  ];
  one record;
  columns text;
  sums text;
  totals text;
  added text;
  zeros text;
  signed text;
BEGIN
  SELECT string_agg(name, ', ' ORDER BY place), string_agg(format(
      'coalesce(sum(sign * (%s)) FILTER (WHERE %s), 0)::bigint AS %s', value, condition, name), ', ' ORDER BY place),
    string_agg(format('sum(%1$s)::bigint AS %1$s', name), ', ' ORDER BY place),
    string_agg(format('%1$s = seller_sums.%1$s + excluded.%1$s', name), ', ' ORDER BY place),
    string_agg('0', ', ')
  INTO columns, sums, totals, added, zeros FROM (
    SELECT place, definitions[place][1] AS name, definitions[place][2] AS value, definitions[place][3] AS condition
    FROM generate_subscripts(definitions, 1) AS place
  ) AS named;
  FOR one IN SELECT * FROM (VALUES
    ('insert', 'SELECT 1 AS sign, * FROM new_rows', 'NEW TABLE AS new_rows'),
    ('update', 'SELECT 1 AS sign, * FROM new_rows UNION ALL SELECT -1, * FROM old_rows',
      'OLD TABLE AS old_rows NEW TABLE AS new_rows'),
    ('delete', 'SELECT -1 AS sign, * FROM old_rows', 'OLD TABLE AS old_rows')
  ) AS given (operation, rows_of, transitions) LOOP
    -- Whoever folds beside another may have to wait here, and never while they hold what the other one needs.
    EXECUTE format($$
      CREATE FUNCTION figures_sellers_%1$s() RETURNS trigger LANGUAGE plpgsql AS $body$
      BEGIN
        PERFORM pg_advisory_xact_lock('seller_sums'::regclass::oid::bigint);
        INSERT INTO seller_sums (span, starts_on, seller_id, %2$s)
        SELECT * FROM (
          SELECT span, starts_on, seller_id, %3$s FROM (%4$s) AS signed WHERE %5$s GROUP BY 1, 2, 3
        ) AS changed WHERE (%2$s) <> (%6$s)
        ON CONFLICT (span, starts_on, seller_id) DO UPDATE SET %7$s;
        RETURN NULL;
      END $body$;
      CREATE TRIGGER figures_sellers_%1$s AFTER %1$s ON figures REFERENCING %8$s
        FOR EACH STATEMENT EXECUTE FUNCTION figures_sellers_%1$s()$$,
      one.operation, columns, sums, one.rows_of, reported, zeros, added, one.transitions);
  END LOOP;
  EXECUTE format('CREATE VIEW seller_sum_differences AS
    SELECT * FROM (
      SELECT span, starts_on, seller_id, %1$s FROM (
        SELECT span, starts_on, seller_id, %2$s FROM (SELECT 1 AS sign, * FROM figures) AS signed WHERE %3$s GROUP BY 1, 2, 3
        UNION ALL
        SELECT span, starts_on, seller_id, %4$s FROM seller_sums
      ) AS both_ways GROUP BY 1, 2, 3
    ) AS compared WHERE (%5$s) <> (%6$s)',
    totals, sums, reported, (SELECT string_agg('-' || name, ', ') FROM unnest(string_to_array(columns, ', ')) AS name),
    columns, zeros);
  EXECUTE format('INSERT INTO seller_sums (span, starts_on, seller_id, %1$s)
    SELECT span, starts_on, seller_id, %1$s FROM seller_sum_differences', columns);
END $do$;
--> statement-breakpoint
CREATE FUNCTION figures_sellers_truncate() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  TRUNCATE seller_sums;
  RETURN NULL;
END $body$;
--> statement-breakpoint
CREATE TRIGGER figures_sellers_truncate AFTER TRUNCATE ON figures FOR EACH STATEMENT
  EXECUTE FUNCTION figures_sellers_truncate();
