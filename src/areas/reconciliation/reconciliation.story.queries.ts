import { asc, eq, sql } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import type { DisputeStatus } from '../../domain/dispute.ts'
import { type Centavos, centavos } from '../../domain/money.ts'
import type { PaymentStatus } from '../../domain/payment.ts'
import type { RefundStatus } from '../../domain/refund.ts'
import type { TreasuryPayoutStatus } from '../../domain/treasury.ts'
import type { WithdrawalStatus } from '../../domain/withdrawal.ts'
import { exceptionResolutions } from './reconciliation.tables.ts'

export type ExceptionResolution = typeof exceptionResolutions.$inferSelect

/** What of ours an exception is about, as it stands now. */
export type OurSide = {
  type: 'payment' | 'refund' | 'dispute' | 'withdrawal' | 'treasury_payout' | 'payer_refund'
  id: string
  status: PaymentStatus | RefundStatus | DisputeStatus | WithdrawalStatus | TreasuryPayoutStatus
  amount: Centavos
  at: Date | null
}

const STORY_MAX = 100

/** What an administrator wants to know of one exception. */
export const createStoryQueries = (db: Reader) => ({
  /** Each time that it was resolved, in order, at most 100. */
  async listResolutions(exceptionId: string): Promise<ExceptionResolution[]> {
    return db
      .select()
      .from(exceptionResolutions)
      .where(eq(exceptionResolutions.exceptionId, exceptionId))
      .orderBy(asc(exceptionResolutions.id))
      .limit(STORY_MAX)
  },

  /** The payment, refund or payout of that id, of the seller or of the platform. */
  async findOurSide(sellerId: string, id: string): Promise<OurSide | undefined> {
    const key = sql`seller_id = ${sellerId}::uuid and id = ${id}::uuid`
    const { rows } = await db.execute<Omit<OurSide, 'amount' | 'at'> & { amount: string; at: string | null }>(sql`
      select 'payment' as type, id, status, case when paid_at is null then amount else paid_amount end as amount,
        paid_at as at from payments where ${key}
      union all select 'refund', id, status, amount, updated_at from refunds where ${key}
      union all select 'dispute', id, status, amount, resolved_at from disputes where ${key}
      union all select 'withdrawal', id, status, net_amount, completed_at from withdrawals where ${key}
      union all select 'treasury_payout', id, status, amount, completed_at from treasury_payouts where id = ${id}::uuid
      union all select 'payer_refund', id, status, amount, completed_at from payer_refunds where id = ${id}::uuid
      limit 1`)
    const [row] = rows
    if (row === undefined) return undefined
    return { ...row, amount: centavos(Number(row.amount)), at: row.at === null ? null : new Date(row.at) }
  },
})
