import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import { COMPANY_STATUSES, type CompanyStatus } from '../../domain/company.ts'
import { type Centavos, centavos, ZERO } from '../../domain/money.ts'
import { providerEvents } from '../../providers/provider-events.tables.ts'
import { companies } from '../companies/companies.tables.ts'
import { users } from '../users/users.tables.ts'
import { withdrawals } from '../withdrawals/withdrawals.tables.ts'

/** How many wait, and since when the first of them does. */
export type Waiting = { count: number; since: Date | null }

const counted = sql`count(*)`.mapWith(Number)
const STUCK = ['unmatched', 'failed'] as const

/** How things stand now, over all sellers: what waits for somebody, and for how long. */
export const createPlatformState = (db: Reader) => ({
  async countSellers(): Promise<{ total: number; approved: number; notApproved: number; deleted: number }> {
    const [row] = await db
      .select({
        total: counted,
        approved: sql`count(*) filter (where ${users.approved} and ${users.deletedAt} is null)`.mapWith(Number),
        deleted: sql`count(${users.deletedAt})`.mapWith(Number),
      })
      .from(users)
      .where(and(eq(users.role, 'seller'), isNull(users.sellerId)))
    const { total, approved, deleted } = row ?? { total: 0, approved: 0, deleted: 0 }
    return { total, approved, notApproved: total - approved - deleted, deleted }
  },

  /** Companies by status, and those that await approval. Deleted ones are not counted. */
  async countCompanies(): Promise<{ byStatus: { status: CompanyStatus; count: number }[]; waiting: Waiting }> {
    const rows = await db
      .select({
        status: companies.status,
        count: counted,
        since: sql`min(${companies.submittedAt})`.mapWith(companies.submittedAt),
      })
      .from(companies)
      .where(sql`${companies.deletedAt} is null`)
      .groupBy(companies.status)
    const of = (status: CompanyStatus) => rows.find((row) => row.status === status)
    const waiting = of('awaiting_approval')
    return {
      byStatus: COMPANY_STATUSES.map((status) => ({ status, count: of(status)?.count ?? 0 })),
      waiting: { count: waiting?.count ?? 0, since: waiting?.since ?? null },
    }
  },

  /** Withdrawals that wait for an administrator. */
  async countWaitingWithdrawals(): Promise<Waiting & { amount: Centavos }> {
    const [row] = await db
      .select({
        count: counted,
        amount: sql`coalesce(sum(${withdrawals.amount}), 0)::bigint`.mapWith(withdrawals.amount),
        since: sql<Date | null>`min(${withdrawals.requestedAt})`.mapWith(withdrawals.requestedAt),
      })
      .from(withdrawals)
      .where(eq(withdrawals.status, 'pending_approval'))
    return row ?? { count: 0, amount: ZERO, since: null }
  },

  /** Disputes without an outcome, and the first date by which one must be answered. */
  async countOpenDisputes(): Promise<{ count: number; amount: Centavos; respondBy: Date | null }> {
    const { rows } = await db.execute<{ count: string; amount: string; respondByMs: number | null }>(sql`
      select count(*), coalesce(sum(amount), 0)::bigint as amount,
        (extract(epoch from min(respond_by) filter (where status = 'open')) * 1000)::float8 as "respondByMs"
      from disputes where status in ('open', 'under_review')`)
    const [row] = rows
    return {
      count: Number(row?.count ?? 0),
      amount: centavos(Number(row?.amount ?? 0)),
      respondBy: typeof row?.respondByMs === 'number' ? new Date(row.respondByMs) : null,
    }
  },

  /** Callbacks of providers that changed nothing and should have. */
  async countStuckProviderEvents(): Promise<{ unmatched: number; failed: number; since: Date | null }> {
    const rows = await db
      .select({
        status: providerEvents.status,
        count: counted,
        since: sql`min(${providerEvents.receivedAt})`.mapWith(providerEvents.receivedAt),
      })
      .from(providerEvents)
      .where(inArray(providerEvents.status, [...STUCK]))
      .groupBy(providerEvents.status)
    const countOf = (wanted: string) => rows.find(({ status }) => status === wanted)?.count ?? 0
    const first = rows.map(({ since }) => since).toSorted((a, b) => a.getTime() - b.getTime())[0]
    return { unmatched: countOf('unmatched'), failed: countOf('failed'), since: first ?? null }
  },
})
