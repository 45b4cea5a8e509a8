const SUMS = 'sum(rows_count)::bigint, sum(amount)::bigint, sum(fee_amount)::bigint, sum(net_amount)::bigint'
const COLUMNS = 'seller_id, subject, dimensions, span, starts_on, rows_count, amount, fee_amount, net_amount'
const ALL = "'00000000-0000-0000-0000-000000000000'::uuid"

const summed = (seller: string, span: string, startsOn: string): string =>
  `insert into figures (${COLUMNS}) select ${seller}, subject, dimensions, '${span}', ${startsOn}, ${SUMS} from days group by 1, 2, 3, 5`

/**
 * What folding would make of all changes, in one go: they are the only ones, and `figures` is empty. Building the key once
 * costs a fraction of adding to it.
 */
export const FOLD_FIGURES = [
  // No trigger counts events that are born with their deliveries.
  `insert into figure_changes (seller_id, subject, day, dimensions, rows_count, amount, fee_amount, net_amount)
   select seller_id, 'event', sao_paulo_date(created_at), array[type], count(*), 0, 0, 0 from events group by 1, 3, 4`,
  'alter table figures drop constraint figures_pk',
  `create temporary table days as select seller_id, subject, dimensions, day, sum(rows_count) as rows_count,
     sum(amount) as amount, sum(fee_amount) as fee_amount, sum(net_amount) as net_amount
   from figure_changes group by 1, 2, 3, 4`,
  summed('seller_id', 'day', 'day'),
  summed('seller_id', 'month', "date_trunc('month', day)::date"),
  ...[summed(ALL, 'day', 'day'), summed(ALL, 'month', "date_trunc('month', day)::date")].map((statement) =>
    statement.replace('from days', `from days where seller_id <> ${ALL}`),
  ),
  'truncate figure_changes',
  'alter table figures add constraint figures_pk primary key (seller_id, subject, span, starts_on, dimensions)',
  // Day by day, as folding writes them.
  'cluster seller_sums using seller_sums_pk',
]
