import { and, eq, inArray, isNull, lt, notInArray, or, type SQL, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../db/client.ts'
import { madeWithin } from '../../db/id-period.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readPage } from '../../db/paging.ts'
import type { Centavos } from '../../domain/money.ts'
import type { Period } from '../../domain/period.ts'
import { ledgerAccounts } from '../../ledger/ledger.tables.ts'
import { users } from '../users/users.tables.ts'
import { adjustments, sellerDebts } from './adjustments.tables.ts'

export type Adjustment = typeof adjustments.$inferSelect
export type AdjustmentFilter = Period & {
  sellerId?: string | undefined
  kind?: readonly Adjustment['kind'][] | undefined
}
export type SellerDebt = typeof sellerDebts.$inferSelect & { id: string; owedAmount: Centavos; sellerName: string }

const DEBTS_MAX = 1_000

const selected = ({ sellerId, kind, ...period }: AdjustmentFilter): SQL | undefined =>
  and(
    sellerId === undefined ? undefined : eq(adjustments.sellerId, sellerId),
    kind === undefined || kind.length === 0 ? undefined : inArray(adjustments.kind, [...kind]),
    madeWithin(adjustments, period),
  )

const owes = and(eq(ledgerAccounts.account, 'available'), lt(ledgerAccounts.balanceAmount, sql`0`))

export const createAdjustmentsQueries = (db: Reader) => ({
  async find(id: string): Promise<Adjustment | undefined> {
    const [row] = await db.select().from(adjustments).where(eq(adjustments.id, id))
    return row
  },

  /** Newest first. */
  async list(filter: AdjustmentFilter, page: PageRequest): Promise<Page<Adjustment>> {
    return readPage({ db, table: adjustments, id: adjustments.id, where: selected(filter) }, page)
  },

  /** Sellers who owe the platform, the oldest debts first, at most 1,000. */
  async listDebts(): Promise<SellerDebt[]> {
    const rows = await db
      .select({ debt: sellerDebts, balanceAmount: ledgerAccounts.balanceAmount, sellerName: users.name })
      .from(sellerDebts)
      .innerJoin(ledgerAccounts, and(eq(ledgerAccounts.sellerId, sellerDebts.sellerId), owes))
      .innerJoin(users, eq(users.id, sellerDebts.sellerId))
      .orderBy(sellerDebts.owedSince, sellerDebts.sellerId)
      .limit(DEBTS_MAX)
    return rows.map(({ debt, balanceAmount, sellerName }) => ({
      ...debt,
      id: debt.sellerId,
      owedAmount: -balanceAmount as Centavos,
      sellerName,
    }))
  },
})

export const createAdjustmentsRepository = (db: Writer) => ({
  ...createAdjustmentsQueries(db),

  async insert(adjustment: Adjustment): Promise<void> {
    await db.insert(adjustments).values(adjustment)
  },

  /** Notes who owes since now, and forgets who has paid. */
  async updateDebts(now: Date): Promise<void> {
    const owing = db.select({ sellerId: ledgerAccounts.sellerId }).from(ledgerAccounts).where(owes)
    await db.delete(sellerDebts).where(notInArray(sellerDebts.sellerId, owing))
    await db.execute(sql`
      insert into ${sellerDebts} (seller_id, owed_since)
      select ${ledgerAccounts.sellerId}, ${now.toISOString()}::timestamptz from ${ledgerAccounts}
      join ${users} on ${users.id} = ${ledgerAccounts.sellerId} where ${owes}
      on conflict do nothing`)
  },

  /** Takes debts that are older than an instant and whose sellers were not told since another, and notes that they are now. */
  async claimUntold(
    { owedBefore, toldBefore }: { owedBefore: Date; toldBefore: Date },
    limit: number,
    now: Date,
  ): Promise<{ sellerId: string; owedSince: Date }[]> {
    const due = db
      .select({ sellerId: sellerDebts.sellerId })
      .from(sellerDebts)
      .where(
        and(lt(sellerDebts.owedSince, owedBefore), or(isNull(sellerDebts.toldAt), lt(sellerDebts.toldAt, toldBefore))),
      )
      .limit(limit)
      .for('update', { skipLocked: true })
    return db
      .update(sellerDebts)
      .set({ toldAt: now })
      .where(inArray(sellerDebts.sellerId, sql`(${due})`))
      .returning({ sellerId: sellerDebts.sellerId, owedSince: sellerDebts.owedSince })
  },
})
