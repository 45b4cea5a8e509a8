-- Why: reports and totals of lists are read from sums that triggers keep, exact at every moment, instead of by counting
-- millions of rows; indexes that only counted go. Postings know their kind, so that statements are narrowed by it.
-- Lock: ledger_postings and payments while their indexes are built and their rows are counted.
CREATE TABLE "figure_changes" (
	"seller_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"dimensions" text[] NOT NULL,
	"rows_count" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"fee_amount" bigint NOT NULL,
	"net_amount" bigint NOT NULL,
	"day" date NOT NULL
);
--> statement-breakpoint
CREATE TABLE "figures" (
	"seller_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"dimensions" text[] NOT NULL,
	"rows_count" bigint NOT NULL,
	"amount" bigint NOT NULL,
	"fee_amount" bigint NOT NULL,
	"net_amount" bigint NOT NULL,
	"span" text NOT NULL,
	"starts_on" date NOT NULL,
	CONSTRAINT "figures_pk" PRIMARY KEY("seller_id","subject","span","starts_on","dimensions")
);
--> statement-breakpoint
DROP INDEX "payments_list_ix";--> statement-breakpoint
DROP INDEX "ledger_postings_revenue_ix";--> statement-breakpoint
DROP INDEX "ledger_transfers_movements_ix";--> statement-breakpoint
DROP INDEX "payments_id_ix";--> statement-breakpoint
DROP INDEX "payments_paid_at_ix";--> statement-breakpoint
DROP INDEX "ledger_postings_all_ix";--> statement-breakpoint
ALTER TABLE "ledger_postings" ADD COLUMN "kind" text;--> statement-breakpoint
ALTER TABLE ledger_postings DISABLE TRIGGER ledger_postings_append_only;--> statement-breakpoint
UPDATE ledger_postings SET kind = transfer.kind FROM ledger_transfers AS transfer
  WHERE transfer.seller_id = ledger_postings.seller_id AND transfer.id = ledger_postings.transfer_id;--> statement-breakpoint
ALTER TABLE ledger_postings ENABLE TRIGGER ledger_postings_append_only;--> statement-breakpoint
ALTER TABLE "ledger_postings" ALTER COLUMN "kind" SET NOT NULL;--> statement-breakpoint
CREATE INDEX "figure_changes_seller_ix" ON "figure_changes" USING btree ("seller_id","subject");--> statement-breakpoint
CREATE INDEX "payments_unusual_ix" ON "payments" USING btree ("status","id") WHERE "payments"."status" not in ('paid', 'expired');--> statement-breakpoint
CREATE INDEX "payments_method_ix" ON "payments" USING btree ("seller_id","method","id");--> statement-breakpoint
CREATE INDEX "payments_amount_ix" ON "payments" USING btree ("seller_id","amount","id");--> statement-breakpoint
CREATE INDEX "ledger_postings_kind_ix" ON "ledger_postings" USING btree ("seller_id","kind","id") WHERE "ledger_postings"."kind" not in ('payment_received', 'payment_settled', 'reserve_held', 'reserve_released');--> statement-breakpoint
CREATE INDEX "ledger_postings_all_kind_ix" ON "ledger_postings" USING btree ("kind","id") WHERE "ledger_postings"."kind" not in ('payment_received', 'payment_settled', 'reserve_held', 'reserve_released');--> statement-breakpoint
CREATE INDEX "ledger_postings_all_account_ix" ON "ledger_postings" USING btree ("account","id") WHERE "ledger_postings"."account" in ('blocked', 'withdrawing');--> statement-breakpoint
CREATE INDEX "ledger_postings_created_at_ix" ON "ledger_postings" USING brin ("created_at") WITH (autosummarize=true,pages_per_range=32);--> statement-breakpoint
CREATE INDEX "payments_id_ix" ON "payments" USING btree ("id","status","method","amount");--> statement-breakpoint
CREATE INDEX "payments_paid_at_ix" ON "payments" USING brin ("paid_at") WITH (autosummarize=true,pages_per_range=32);--> statement-breakpoint
CREATE INDEX "ledger_postings_all_ix" ON "ledger_postings" USING btree ("id","account","kind") WHERE "ledger_postings"."account" in ('available', 'pending', 'reserved', 'blocked', 'withdrawing');
--> statement-breakpoint
-- Folding rewrites the sums of today all day: room on each page lets it do so in place. What was folded goes at once.
ALTER TABLE figures SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
--> statement-breakpoint
ALTER TABLE figure_changes SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
  autovacuum_vacuum_insert_threshold = -1);
--> statement-breakpoint
CREATE FUNCTION sao_paulo_date(at timestamptz) RETURNS date IMMUTABLE PARALLEL SAFE LANGUAGE sql
  AS $$ SELECT (at AT TIME ZONE 'America/Sao_Paulo')::date $$;
--> statement-breakpoint
-- One definition of what is counted makes both the view of rows to count and the triggers that note how they change.
DO $do$
DECLARE
  movement constant text := $$kind NOT IN ('payment_received', 'payment_settled', 'reserve_held', 'reserve_released')$$;
  -- The method of a fee or cost is that of the payment behind it.
  method_of_posting constant text := $$ LEFT JOIN LATERAL (
    SELECT payment.method FROM ledger_transfers AS transfer
    LEFT JOIN refunds AS refund ON transfer.reference_type = 'refund'
      AND refund.seller_id = transfer.seller_id AND refund.id = transfer.reference_id
    LEFT JOIN disputes AS dispute ON transfer.reference_type = 'dispute'
      AND dispute.seller_id = transfer.seller_id AND dispute.id = transfer.reference_id
    JOIN payments AS payment ON payment.seller_id = transfer.seller_id
      AND payment.id = coalesce(refund.payment_id, dispute.payment_id, transfer.reference_id)
    WHERE transfer.seller_id = counted.seller_id AND transfer.id = counted.transfer_id
  ) AS origin ON counted.account IN ('fee_revenue', 'provider_cost')$$;
  one record;
  operation text;
  query constant text := 'SELECT %s AS seller_id, %L AS subject, counted.id, counted.%I AS at, %s AS dimensions, '
    '%s AS amount, %s AS fee_amount, %s AS net_amount, %s AS sign FROM %I AS counted%s WHERE %s';
  rows_of text;
  views text[] := '{}';
BEGIN
  CREATE TEMPORARY TABLE counted_things ON COMMIT DROP AS SELECT * FROM (VALUES
    ('payments', 'payment_created', 'counted.seller_id', 'created_at', 'ARRAY[counted.method, counted.status]',
      'counted.amount', '0', '0', '', 'true', '{INSERT,UPDATE,DELETE}'::text[]),
    ('payments', 'payment_paid', 'counted.seller_id', 'paid_at', 'ARRAY[counted.method, counted.status]',
      'counted.paid_amount', 'counted.fee_amount', 'counted.net_amount', '', 'counted.paid_at IS NOT NULL',
      '{INSERT,UPDATE,DELETE}'),
    ('ledger_postings', 'posting', 'counted.seller_id', 'created_at',
      $$ARRAY[counted.account, counted.kind, CASE WHEN counted.amount > 0 THEN 'credit' ELSE 'debit' END,
        coalesce(origin.method, '')]$$,
      'counted.amount', '0', '0', method_of_posting,
      $$counted.account IN ('available', 'pending', 'reserved', 'blocked', 'withdrawing', 'fee_revenue', 'provider_cost')
        OR counted.account IN ('clearing', 'receivable') AND counted.$$ || movement, '{INSERT}'),
    ('disputes', 'dispute', 'counted.seller_id', 'created_at', 'ARRAY[counted.type, counted.status]',
      'counted.amount', '0', '0', '', 'true', '{INSERT,UPDATE,DELETE}'),
    ('withdrawals', 'withdrawal', 'counted.seller_id', 'created_at', 'ARRAY[counted.status]',
      'counted.amount', '0', '0', '', 'true', '{INSERT,UPDATE,DELETE}'),
    ('customers', 'customer', 'counted.seller_id', 'created_at', $$'{}'::text[]$$,
      '0', '0', '0', '', 'counted.deleted_at IS NULL', '{INSERT,UPDATE,DELETE}'),
    ('events', 'event', 'counted.seller_id', 'created_at', 'ARRAY[counted.type]',
      '0', '0', '0', '', 'true', '{INSERT,DELETE}'),
    ('provider_events', 'provider_event', $$'00000000-0000-0000-0000-000000000000'::uuid$$, 'received_at',
      'ARRAY[counted.status]', '0', '0', '0', '', 'true', '{INSERT,UPDATE,DELETE}')
  ) AS given (relation, subject, seller_id, at, dimensions, amount, fee_amount, net_amount, joins, condition, operations);

  SELECT array_agg(format(query, seller_id, subject, at, dimensions, amount, fee_amount, net_amount, '1', relation,
    joins, condition)) INTO views FROM counted_things;
  EXECUTE 'CREATE VIEW figure_sources AS ' || array_to_string(views, ' UNION ALL ');

  FOR one IN SELECT DISTINCT relation, operations FROM counted_things LOOP
    FOREACH operation IN ARRAY one.operations LOOP
      SELECT string_agg(format(query, seller_id, subject, at, dimensions, amount, fee_amount, net_amount, side.sign,
        side.name, joins, condition), ' UNION ALL ')
      INTO rows_of FROM counted_things
      CROSS JOIN (VALUES ('1', 'new_rows', 'DELETE'), ('-1', 'old_rows', 'INSERT')) AS side (sign, name, never)
      WHERE relation = one.relation AND never <> operation;
      EXECUTE format($$
        CREATE FUNCTION %1$I() RETURNS trigger LANGUAGE plpgsql AS $body$
        BEGIN
          INSERT INTO figure_changes (seller_id, subject, day, dimensions, rows_count, amount, fee_amount, net_amount)
          SELECT * FROM (
            SELECT seller_id, subject, sao_paulo_date(at), dimensions, sum(sign) AS rows_count, sum(sign * amount) AS amount,
              sum(sign * fee_amount) AS fee_amount, sum(sign * net_amount) AS net_amount
            FROM (%2$s) AS signed GROUP BY 1, 2, 3, 4
          ) AS changed WHERE rows_count <> 0 OR amount <> 0 OR fee_amount <> 0 OR net_amount <> 0;
          RETURN NULL;
        END $body$;
        CREATE TRIGGER %1$I AFTER %3$s ON %4$I REFERENCING %5$s FOR EACH STATEMENT EXECUTE FUNCTION %1$I()$$,
        one.relation || '_figures_' || lower(operation), rows_of, operation, one.relation,
        CASE operation WHEN 'INSERT' THEN 'NEW TABLE AS new_rows' WHEN 'DELETE' THEN 'OLD TABLE AS old_rows'
          ELSE 'OLD TABLE AS old_rows NEW TABLE AS new_rows' END);
    END LOOP;
  END LOOP;
  DROP TABLE counted_things;
END $do$;
--> statement-breakpoint
-- What the sums lack, or have too much, compared with counting the rows.
CREATE VIEW figure_differences AS
  SELECT * FROM (
    SELECT seller_id, subject, day, dimensions, sum(rows_count)::bigint AS rows_count, sum(amount)::bigint AS amount,
      sum(fee_amount)::bigint AS fee_amount, sum(net_amount)::bigint AS net_amount
    FROM (
      SELECT seller_id, subject, sao_paulo_date(at) AS day, dimensions, 1 AS rows_count, amount, fee_amount, net_amount
      FROM figure_sources
      UNION ALL
      SELECT seller_id, subject, starts_on, dimensions, -rows_count, -amount, -fee_amount, -net_amount FROM figures
      WHERE span = 'day' AND (seller_id <> '00000000-0000-0000-0000-000000000000' OR subject = 'provider_event')
      UNION ALL
      SELECT seller_id, subject, day, dimensions, -rows_count, -amount, -fee_amount, -net_amount FROM figure_changes
    ) AS both_ways
    GROUP BY 1, 2, 3, 4
  ) AS compared
  WHERE rows_count <> 0 OR amount <> 0 OR fee_amount <> 0 OR net_amount <> 0;
--> statement-breakpoint
INSERT INTO figure_changes (seller_id, subject, day, dimensions, rows_count, amount, fee_amount, net_amount)
  SELECT seller_id, subject, day, dimensions, rows_count, amount, fee_amount, net_amount FROM figure_differences;
