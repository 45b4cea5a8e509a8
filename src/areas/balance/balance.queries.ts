import { sql } from 'drizzle-orm'
import type { Executor } from '../../db/client.ts'
import type { LedgerAccount } from '../../domain/ledger.ts'
import { type Centavos, centavos } from '../../domain/money.ts'

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
          select greatest(date, ${today}::date) as date, sum(pending) as pending, sum(reserved) as reserved
          from (
            select available_on as date, amount - canceled_amount as pending, 0 as reserved
            from payment_settlements where seller_id = ${sellerId} and status = 'waiting'
            union all
            select (release_at at time zone 'America/Sao_Paulo')::date, 0, amount - released_amount - consumed_amount
            from reserve_holds where seller_id = ${sellerId} and status = 'held'
          ) as parts
          where pending + reserved > 0
          group by 1
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
