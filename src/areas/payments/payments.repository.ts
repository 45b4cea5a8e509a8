import { and, asc, eq, gt, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { dailyTotals } from '../../daily-totals/counting.ts'
import { countTotal } from '../../daily-totals/daily-totals.queries.ts'
import { uuids } from '../../db/arrays.ts'
import type { Reader, Writer } from '../../db/client.ts'
import { type Moved, moveMany } from '../../db/move.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readFoundPage, readNext, readPage, type Walk } from '../../db/paging.ts'
import { insertMany } from '../../db/write.ts'
import { paymentLifecycle } from '../../domain/payment.ts'
import { type PaymentFilter, type PaymentSelection, paymentsWhere } from './payments.filter.ts'
import { searchedPayments } from './payments.search.queries.ts'
import { payments } from './payments.tables.ts'

export type Payment = typeof payments.$inferSelect
/** A payment by its key: every row belongs to one seller. */
export type PaymentKey = { sellerId: string; id: string }

/** What may change after a payment was made, beside its status. The terms it was made with never do. */
const MUTABLE = [
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
  'paidFineAmount',
  'paidInterestAmount',
  'paidDiscountAmount',
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

// By method and status the total is known beforehand; whatever else narrows a list has to be counted.
const countOf = (db: Reader, { sellerId, from, to, method, status, ...others }: PaymentFilter) => {
  if (Object.values(others).some((value) => value !== undefined)) return undefined
  return () => countTotal(db, 'payment_created', { sellerId, from, to }, { method, status })
}

const SORTS = { amount: payments.amount, paidAt: payments.paidAt }

export const createPaymentsQueries = (db: Reader) => ({
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

  /** Of a search, what it looked through: it goes on behind `searchedTo`. */
  list({ search, ...filter }: PaymentSelection, request: PageRequest): Promise<Page<Payment>> {
    const source = { db, table: payments, id: payments.id, sorts: SORTS }
    if (search !== undefined) {
      const where = filter.sellerId === undefined ? undefined : eq(payments.sellerId, filter.sellerId)
      const found = searchedPayments({ text: search, filter, searchedTo: request.cursor?.searchedTo })
      return readFoundPage({ ...source, ...found, where }, request)
    }
    return readPage({ ...source, where: paymentsWhere(filter), count: countOf(db, filter) }, request)
  },

  /** The next payments behind a place in a list that is not searched. */
  listNext(filter: PaymentFilter, walk: Walk, limit: number): Promise<Payment[]> {
    const where = paymentsWhere(filter)
    return readNext({ db, table: payments, id: payments.id, sorts: SORTS, where }, walk, limit)
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

export const createPaymentsRepository = (db: Writer) => ({
  ...createPaymentsQueries(db),

  async insertMany(rows: readonly Payment[]): Promise<void> {
    await insertMany(db, payments, rows, { follow: dailyTotals })
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
   * Writes locked payments as they are to stand. Throws InvariantError for a move that the lifecycle lacks, and for a payment
   * that is no longer in the state that it was judged in.
   */
  async moveMany(moves: readonly Moved<typeof payments>[]): Promise<void> {
    await moveMany(db, payments, paymentLifecycle, moves, {
      keys: ['sellerId', 'id'],
      set: MUTABLE,
      follow: dailyTotals,
    })
  },
})
