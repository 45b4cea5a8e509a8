import { sql } from 'drizzle-orm'
import type { Executor } from '../../db/client.ts'
import type { LedgerAccount } from '../../domain/ledger.ts'
import { type Centavos, centavos } from '../../domain/money.ts'
import { figureRows } from '../../figures/figures.queries.ts'

/** What becomes available on a São Paulo date. */
export type Release = { date: string; pendingAmount: Centavos; reservedAmount: Centavos }

export type BalanceSnapshot = { balances: Partial<Record<LedgerAccount, Centavos>>; releases: Release[] }

type Row = {
  balances: Partial<Record<LedgerAccount, number>> | null
  releases: { date: string; pending: number; reserved: number }[] | null
}

export const createBalanceQueries = (db: Executor) => ({
  /**
   * A seller's buckets, and what becomes available by date (of São Paulo) from `today` on, at one moment: one statement.
   * What should have been released before today counts for today. What a dispute has frozen has no date.
   */
  async findSnapshot(sellerId: string, today: string): Promise<BalanceSnapshot> {
    const { rows } = await db.execute<Row>(sql`
      select (
        select json_object_agg(account, balance_amount) from ledger_accounts where seller_id = ${sellerId}
      ) as balances, (
        select json_agg(json_build_object('date', date, 'pending', pending, 'reserved', reserved) order by date)
        from (
          select greatest(day, ${today}::date) as date,
            coalesce(sum(amount) filter (where dimensions = '{pending}'), 0) as pending,
            coalesce(sum(amount) filter (where dimensions = '{reserved}'), 0) as reserved
          from ${figureRows({ subject: 'due', sellerId }, { months: false })} as figure
          group by 1 having sum(amount) <> 0
        ) as days
      ) as releases`)
    const { balances, releases } = rows[0] ?? { balances: null, releases: null }
    return {
      balances: Object.fromEntries(
        Object.entries(balances ?? {}).map(([account, amount]) => [account, centavos(amount)]),
      ),
      releases: (releases ?? []).map(({ date, pending, reserved }) => ({
        date,
        pendingAmount: centavos(pending),
        reservedAmount: centavos(reserved),
      })),
    }
  },
})
