import { and, eq, gte, inArray, lt, sql } from 'drizzle-orm'
import { countTotal } from '../../daily-totals/daily-totals.queries.ts'
import type { Reader } from '../../db/client.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readPage } from '../../db/paging.ts'
import { type Centavos, ZERO } from '../../domain/money.ts'
import { type WithdrawalFilter, withdrawalsWhere } from './withdrawals.filter.ts'
import { withdrawals } from './withdrawals.tables.ts'

export type Withdrawal = typeof withdrawals.$inferSelect
export type WithdrawalKey = Pick<Withdrawal, 'sellerId' | 'id'>

/** What counts towards a day's limit: money that left, or may still leave. */
const COUNTED = ['pending_approval', 'approved', 'processing', 'completed'] as const

export const only = ({ sellerId, id }: WithdrawalKey) => and(eq(withdrawals.sellerId, sellerId), eq(withdrawals.id, id))

// By status the total is known beforehand; what a search finds has to be counted.
const countOf = (db: Reader, { status, search, ...scope }: WithdrawalFilter) =>
  search === undefined ? () => countTotal(db, 'withdrawal', scope, { status }) : undefined

export const createWithdrawalsQueries = (db: Reader) => ({
  async find(sellerId: string, id: string): Promise<Withdrawal | undefined> {
    const [row] = await db.select().from(withdrawals).where(only({ sellerId, id }))
    return row
  },

  /** Any seller's withdrawal, for administrators. */
  async findAnywhere(id: string): Promise<Withdrawal | undefined> {
    const [row] = await db.select().from(withdrawals).where(eq(withdrawals.id, id))
    return row
  },

  /** Newest first. */
  async list(filter: WithdrawalFilter, page: PageRequest): Promise<Page<Withdrawal>> {
    const where = withdrawalsWhere(filter)
    return readPage({ db, table: withdrawals, id: withdrawals.id, where, count: countOf(db, filter) }, page)
  },

  /** What a seller has withdrawn, or asked to, in a half open period, in centavos. */
  async sumRequested(sellerId: string, from: Date, to: Date): Promise<Centavos> {
    const [row] = await db
      .select({ total: sql`coalesce(sum(${withdrawals.amount}), 0)::bigint`.mapWith(withdrawals.amount) })
      .from(withdrawals)
      .where(
        and(
          eq(withdrawals.sellerId, sellerId),
          gte(withdrawals.requestedAt, from),
          lt(withdrawals.requestedAt, to),
          inArray(withdrawals.status, [...COUNTED]),
        ),
      )
    return row?.total ?? ZERO
  },
})
