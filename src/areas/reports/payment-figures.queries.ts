import { and, eq, gte, lt, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Executor } from '../../db/client.ts'
import { createdWithin } from '../../db/id-range.ts'
import { type Centavos, centavos } from '../../domain/money.ts'
import type { PaymentMethod, PaymentStatus } from '../../domain/payment.ts'
import { payments } from '../payments/payments.tables.ts'

/** What a report is about: a half open period, of one seller or of all. */
export type ReportScope = { from: Date; to: Date; sellerId?: string | undefined }

/** Payments paid in the period, summed by the part of it they were paid in, by method and by what they are now. */
export type PaidRow = {
  /** Place in the list of starts, from 1. */
  part: number
  method: PaymentMethod
  status: PaymentStatus
  count: number
  paidAmount: Centavos
  feeAmount: Centavos
  netAmount: Centavos
}

/** Payments created in the period, by what they are now. */
export type CreatedRow = { status: PaymentStatus; count: number; amount: Centavos }

const counted = sql`count(*)`.mapWith(Number)
const total = (column: AnyPgColumn) => sql`coalesce(sum(${column}), 0)::bigint`.mapWith(payments.amount)

/** Which of the parts that begin at `starts` an instant is in, from 1. */
export const partOf = (instant: AnyPgColumn, starts: readonly Date[]): SQL<number> =>
  sql<number>`width_bucket(${instant}, ${sql.param(starts.map((start) => start.toISOString()))}::timestamptz[])`

export const createPaymentFigures = (db: Executor) => ({
  async listPaid({ sellerId, from, to }: ReportScope, starts: readonly Date[]): Promise<PaidRow[]> {
    return db
      .select({
        part: partOf(payments.paidAt, starts).mapWith(Number),
        method: payments.method,
        status: payments.status,
        count: counted,
        paidAmount: total(payments.paidAmount),
        feeAmount: total(payments.feeAmount),
        netAmount: total(payments.netAmount),
      })
      .from(payments)
      .where(
        and(
          sellerId === undefined ? undefined : eq(payments.sellerId, sellerId),
          gte(payments.paidAt, from),
          lt(payments.paidAt, to),
        ),
      )
      .groupBy(sql`1, 2, 3`)
  },

  async listCreated({ sellerId, ...period }: ReportScope): Promise<CreatedRow[]> {
    return db
      .select({ status: payments.status, count: counted, amount: total(payments.amount) })
      .from(payments)
      .where(and(sellerId === undefined ? undefined : eq(payments.sellerId, sellerId), createdWithin(payments, period)))
      .groupBy(payments.status)
  },

  /** The disputes that were opened in the period. */
  async sumDisputed({ sellerId, from, to }: ReportScope): Promise<{ count: number; amount: Centavos }> {
    const { rows } = await db.execute<{ count: string; amount: string }>(sql`
      select count(*), coalesce(sum(amount), 0)::bigint as amount from disputes
      where created_at >= ${from.toISOString()}::timestamptz and created_at < ${to.toISOString()}::timestamptz
        and ${sellerId === undefined ? sql`true` : sql`seller_id = ${sellerId}`}`)
    return { count: Number(rows[0]?.count ?? 0), amount: centavos(Number(rows[0]?.amount ?? 0)) }
  },
})
