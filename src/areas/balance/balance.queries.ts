import { sql } from 'drizzle-orm'
import { totalRows } from '../../daily-totals/daily-totals.queries.ts'
import type { Reader } from '../../db/client.ts'
import type { LedgerAccount } from '../../domain/ledger.ts'
import { type Centavos, centavos } from '../../domain/money.ts'

/** Whose balance, as seen on which date of São Paulo. */
export type BalanceKey = { sellerId: string; today: string }

/** What becomes available on a São Paulo date. */
export type Release = { date: string; pendingAmount: Centavos; reservedAmount: Centavos }

export type BalanceSnapshot = BalanceKey & {
  balances: Partial<Record<LedgerAccount, Centavos>>
  releases: Release[]
}

type Row = BalanceKey & {
  balances: Partial<Record<LedgerAccount, number>> | null
  releases: { date: string; pending: number; reserved: number }[] | null
}

const snapshotOf = ({ sellerId, today, balances, releases }: Row): BalanceSnapshot => ({
  sellerId,
  today,
  balances: Object.fromEntries(Object.entries(balances ?? {}).map(([account, amount]) => [account, centavos(amount)])),
  releases: (releases ?? []).map(({ date, pending, reserved }) => ({
    date,
    pendingAmount: centavos(pending),
    reservedAmount: centavos(reserved),
  })),
})

export const createBalanceQueries = (db: Reader) => ({
  /**
   * Sellers' buckets, and what becomes available by date (of São Paulo) from `today` on, at one moment: one statement.
   * What should have been released before today counts for today. What a dispute has frozen has no date.
   */
  async listSnapshots(keys: readonly BalanceKey[]): Promise<BalanceSnapshot[]> {
    const sellerIds = sql.param(keys.map(({ sellerId }) => sellerId))
    const dates = sql.param(keys.map(({ today }) => today))
    const due = totalRows('due', { sellerId: sql`asked.seller_id` }, { months: false })
    const { rows } = await db.execute<Row>(sql`
      select seller_id as "sellerId", to_char(today, 'YYYY-MM-DD') as today, (
        select json_object_agg(account, balance_amount) from ledger_accounts where seller_id = asked.seller_id
      ) as balances, (
        select json_agg(json_build_object('date', date, 'pending', pending, 'reserved', reserved) order by date)
        from (
          select greatest(day, today) as date,
            coalesce(sum(amount) filter (where account = 'pending'), 0) as pending,
            coalesce(sum(amount) filter (where account = 'reserved'), 0) as reserved
          from ${due} as total group by 1 having sum(amount) <> 0
        ) as days
      ) as releases
      from unnest(${sellerIds}::uuid[], ${dates}::date[]) as asked (seller_id, today)`)
    return rows.map(snapshotOf)
  },
})
