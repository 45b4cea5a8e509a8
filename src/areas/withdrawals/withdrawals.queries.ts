import { and, eq, gte, inArray, lt, sql } from 'drizzle-orm'
import { countTotal } from '../../daily-totals/daily-totals.queries.ts'
import type { Reader } from '../../db/client.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readPage } from '../../db/paging.ts'
import { type Centavos, ZERO } from '../../domain/money.ts'
import { ledgerAccounts } from '../../ledger/ledger.tables.ts'
import { users } from '../users/users.tables.ts'
import { type WithdrawalFilter, withdrawalsWhere } from './withdrawals.filter.ts'
import { withdrawals } from './withdrawals.tables.ts'

export type Withdrawal = typeof withdrawals.$inferSelect
export type WithdrawalKey = Pick<Withdrawal, 'sellerId' | 'id'>

/** What counts towards a day's limit: money that left, or may still leave. */
const COUNTED = ['pending_approval', 'approved', 'processing', 'completed'] as const

export const only = ({ sellerId, id }: WithdrawalKey) => and(eq(withdrawals.sellerId, sellerId), eq(withdrawals.id, id))

const SELLER_NOT_APPROVED = 'seller_not_approved'
const SELLER_BLOCKED = 'seller_blocked'
/** A dispute or a refund took more than there was: what was set aside before is no longer the seller's to take. */
const BALANCE_BELOW_ZERO = 'balance_below_zero'

export const mayReceive = sql`${users.approved} and ${users.blockedAt} is null and ${users.deletedAt} is null`

export const owes = sql`exists (
  select from ${ledgerAccounts} where ${ledgerAccounts.sellerId} = ${withdrawals.sellerId}
    and ${ledgerAccounts.account} = 'available' and ${ledgerAccounts.balanceAmount} < 0
)`

/** Why an approved withdrawal is not paid out; null where it can be. Beside its seller's row. */
export const blockedBy = sql`case
  when ${users.blockedAt} is not null then ${SELLER_BLOCKED}
  when not (${mayReceive}) then ${SELLER_NOT_APPROVED}
  when ${owes} then ${BALANCE_BELOW_ZERO} end`

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

  /** Why a withdrawal is not paid out, though it was approved; null where it could be. */
  async findBlock(key: WithdrawalKey): Promise<string | null> {
    const [row] = await db
      .select({ block: sql<string | null>`${blockedBy}` })
      .from(withdrawals)
      .innerJoin(users, eq(users.id, withdrawals.sellerId))
      .where(only(key))
    return row?.block ?? null
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
