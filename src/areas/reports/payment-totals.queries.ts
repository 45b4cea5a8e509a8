import { sql } from 'drizzle-orm'
import { totalRows } from '../../daily-totals/daily-totals.queries.ts'
import type { Reader } from '../../db/client.ts'
import { type Centavos, centavos } from '../../domain/money.ts'
import type { PaymentMethod, PaymentStatus } from '../../domain/payment.ts'

/** What a report is about: a half open period, of one seller or of all. */
export type ReportScope = { from: Date; to: Date; sellerId?: string | undefined }

/** Payments paid in the period, summed by São Paulo date (null: not asked for), by method and by what they are now. */
export type PaidRow = {
  date: string | null
  method: PaymentMethod
  status: PaymentStatus
  count: number
  paidAmount: Centavos
  feeAmount: Centavos
  netAmount: Centavos
}

/** Payments created in the period, by what they are now. */
export type CreatedRow = { status: PaymentStatus; count: number; amount: Centavos }

type Raw<Row> = { [Name in keyof Row]: Row[Name] extends number ? string : Row[Name] }

const amountOf = (text: string | undefined): Centavos => centavos(Number(text ?? 0))

export const createPaymentTotals = (db: Reader) => ({
  async listPaid(scope: ReportScope, { perDay = false }: { perDay?: boolean } = {}): Promise<PaidRow[]> {
    const { rows } = await db.execute<Raw<PaidRow>>(sql`
      select ${perDay ? sql`day::text` : sql`null`} as date, method, status, sum(rows_count)::bigint as count,
        sum(amount)::bigint as "paidAmount", sum(fee_amount)::bigint as "feeAmount", sum(net_amount)::bigint as "netAmount"
      from ${totalRows('payment_paid', scope, { months: !perDay })} as total
      group by 1, method, status having sum(rows_count) <> 0`)
    return rows.map((row) => ({
      ...row,
      count: Number(row.count),
      paidAmount: amountOf(row.paidAmount),
      feeAmount: amountOf(row.feeAmount),
      netAmount: amountOf(row.netAmount),
    }))
  },

  async listCreated(scope: ReportScope): Promise<CreatedRow[]> {
    const { rows } = await db.execute<Raw<CreatedRow>>(sql`
      select status, sum(rows_count)::bigint as count, sum(amount)::bigint as amount
      from ${totalRows('payment_created', scope)} as total
      group by status having sum(rows_count) <> 0`)
    return rows.map(({ status, count, amount }) => ({ status, count: Number(count), amount: amountOf(amount) }))
  },

  /** The disputes that were opened in the period. */
  async sumDisputed(scope: ReportScope): Promise<{ count: number; amount: Centavos }> {
    const { rows } = await db.execute<{ count: string; amount: string }>(sql`
      select coalesce(sum(rows_count), 0)::bigint as count, coalesce(sum(amount), 0)::bigint as amount
      from ${totalRows('dispute', scope)} as total`)
    return { count: Number(rows[0]?.count ?? 0), amount: amountOf(rows[0]?.amount) }
  },
})
