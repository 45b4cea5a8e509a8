import type { Follow } from '../db/write.ts'

const SIDES = {
  insert: '(values (1, changed.new))',
  update: '(values (-1, changed.old), (1, changed.new))',
  delete: '(values (-1, changed.old))',
} as const

const SUMS = ['rows_count', 'amount', 'fee_amount', 'net_amount']
  .map((name) => `sum(side.sign * total.${name})::bigint`)
  .join(', ')

/**
 * Notes what a write changes of the daily totals, in the statement that writes: for inserts, updates and deletes of every
 * table that has a function `daily_totals_of` in `sql/`. A write of such a table that forgets it makes the totals wrong.
 */
export const dailyTotals: Follow = (operation) => `
  insert into daily_total_changes
  select total.seller_id, total.subject, total.day, total.method, total.status, total.account, total.kind, total.direction,
    total.type, total.webhook_id, ${SUMS}
  from changed cross join lateral ${SIDES[operation]} as side (sign, row)
  cross join lateral daily_totals_of(side.row) as total
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
  having (${SUMS}) <> (0, 0, 0, 0)`
