import { and, asc, eq, gt, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { uuids } from '../../db/arrays.ts'
import type { Executor } from '../../db/client.ts'
import { readFoundPage, readPage } from '../../db/paging.ts'
import { insertRows, updateRows } from '../../db/rows.ts'
import { figureCount } from '../../figures/figures.queries.ts'
import type { Page, PageRequest } from '../../http/pagination.ts'
import { type PaymentFilter, paymentsWhere } from './payments.filter.ts'
import { foundPayments } from './payments.search.queries.ts'
import { payments } from './payments.tables.ts'

export type Payment = typeof payments.$inferSelect
/** A payment by its key: every row belongs to one seller. */
export type PaymentKey = { sellerId: string; id: string }

/** What may change after a payment was made. The terms it was made with never do. */
const MUTABLE = [
  'status',
  'statusReason',
  'paidAmount',
  'refundedAmount',
  'feeAmount',
  'netAmount',
  'reserveAmount',
  'pixQrCode',
  'pixEndToEndId',
  'boletoLine',
  'boletoBarcode',
  'boletoPdfUrl',
  'cardToken',
  'cardBrand',
  'cardLast4',
  'cardExpMonth',
  'cardExpYear',
  'cardAuthorizationCode',
  'expiresAt',
  'paidAt',
  'canceledAt',
  'updatedAt',
] as const satisfies readonly (keyof Payment)[]

const keyed = (keys: readonly PaymentKey[]): SQL => {
  const sellerIds = uuids(keys.map(({ sellerId }) => sellerId))
  const ids = uuids(keys.map(({ id }) => id))
  return sql`(${payments.sellerId}, ${payments.id}) in (select * from unnest(${sellerIds}, ${ids}))`
}

export const createPaymentsRepository = (db: Executor) => ({
  async insertMany(rows: readonly Payment[]): Promise<void> {
    await insertRows(db, payments, rows)
  },

  async find(sellerId: string, id: string): Promise<Payment | undefined> {
    const [row] = await db
      .select()
      .from(payments)
      .where(and(eq(payments.sellerId, sellerId), eq(payments.id, id)))
    return row
  },

  /** Payments by their keys, in no order. */
  async listByKeys(keys: readonly PaymentKey[]): Promise<Payment[]> {
    return keys.length === 0 ? [] : db.select().from(payments).where(keyed(keys))
  },

  /** A payment of any seller. For administrators only. */
  async findAnywhere(id: string): Promise<Payment | undefined> {
    const [row] = await db.select().from(payments).where(eq(payments.id, id)).limit(1)
    return row
  },

  list(
    { search, ...filter }: PaymentFilter & { search?: string | undefined },
    request: PageRequest,
  ): Promise<Page<Payment>> {
    if (search !== undefined) {
      const where = filter.sellerId === undefined ? undefined : eq(payments.sellerId, filter.sellerId)
      return readFoundPage(
        { db, table: payments, id: payments.id, found: foundPayments(search, filter), where },
        request,
      )
    }
    const count = figureCount(db, 'payment_created', filter, ['method', 'status'])
    return readPage({ db, table: payments, id: payments.id, where: paymentsWhere(filter), count }, request)
  },

  /** Locks payments until the transaction ends, in the order of their keys. `skipLocked` leaves busy ones out. */
  async lockMany(keys: readonly PaymentKey[], { skipLocked = false } = {}): Promise<Payment[]> {
    if (keys.length === 0) return []
    return db
      .select()
      .from(payments)
      .where(keyed(keys))
      .orderBy(asc(payments.sellerId), asc(payments.id))
      .for('update', skipLocked ? { skipLocked } : {})
  },

  /**
   * Writes what changed on locked payments. Invariant: every row was locked in this transaction, so nobody moved it
   * between the decision and this write.
   */
  async updateMany(rows: readonly Payment[]): Promise<number> {
    return updateRows(db, payments, rows, { keys: ['sellerId', 'id'], set: MUTABLE })
  },

  /** Payments whose time is up, the longest overdue first. */
  async listExpired(now: Date, limit: number): Promise<PaymentKey[]> {
    return db
      .select({ sellerId: payments.sellerId, id: payments.id })
      .from(payments)
      .where(and(inArray(payments.status, ['pending', 'authorized']), lte(payments.expiresAt, now)))
      .orderBy(asc(payments.expiresAt))
      .limit(limit)
  },

  /** Payments whose outcome at the provider is not known, made before `before`, in pages after `after`. */
  async listUnfinished(before: Date, limit: number, after?: Pick<Payment, 'createdAt' | 'id'>): Promise<Payment[]> {
    const beyond =
      after &&
      or(
        gt(payments.createdAt, after.createdAt),
        and(eq(payments.createdAt, after.createdAt), gt(payments.id, after.id)),
      )
    return db
      .select()
      .from(payments)
      .where(and(inArray(payments.status, ['created', 'processing']), lt(payments.createdAt, before), beyond))
      .orderBy(asc(payments.createdAt), asc(payments.id))
      .limit(limit)
  },
})
