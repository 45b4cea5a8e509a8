import { and, asc, desc, eq, isNull, lte, or } from 'drizzle-orm'
import { isAnyOf } from '../../db/arrays.ts'
import type { Reader, Writer } from '../../db/client.ts'
import { moveWhere } from '../../db/move.ts'
import { type PayerRefundStatus, payerRefundLifecycle } from '../../domain/reconciliation.ts'
import { payerRefunds } from './reconciliation.tables.ts'

export type PayerRefund = typeof payerRefunds.$inferSelect

/** How long a provider that was asked is left to work on it. */
const RETRY_MS = 60_000

export const createPayerRefundsQueries = (db: Reader) => ({
  /** What an exception has given back, the newest first. */
  async listPayerRefunds(exceptionId: string, limit: number): Promise<PayerRefund[]> {
    return db
      .select()
      .from(payerRefunds)
      .where(eq(payerRefunds.exceptionId, exceptionId))
      .orderBy(desc(payerRefunds.id))
      .limit(limit)
  },
})

export const createPayerRefundsRepository = (db: Writer) => ({
  async insertPayerRefund(row: PayerRefund): Promise<void> {
    await db.insert(payerRefunds).values(row)
  },

  /** Takes what has no outcome and nobody asked about for a minute, oldest first. */
  async claimPayerRefunds(limit: number, now: Date): Promise<PayerRefund[]> {
    const { id, status, lastAttemptAt } = payerRefunds
    const before = new Date(now.getTime() - RETRY_MS)
    const due = await db
      .select({ id })
      .from(payerRefunds)
      .where(and(eq(status, 'processing'), or(isNull(lastAttemptAt), lte(lastAttemptAt, before))))
      .orderBy(asc(id))
      .limit(limit)
      .for('update', { skipLocked: true })
    if (due.length === 0) return []
    const ids = due.map((row) => row.id)
    return db.update(payerRefunds).set({ lastAttemptAt: now }).where(isAnyOf(id, ids)).returning()
  },

  /** Moves one on from `processing`. Undefined: somebody heard of it first. */
  async movePayerRefund(
    id: string,
    to: PayerRefundStatus,
    changes: Partial<Pick<PayerRefund, 'reference' | 'statusReason' | 'completedAt' | 'updatedAt'>>,
  ): Promise<PayerRefund | undefined> {
    const where = eq(payerRefunds.id, id)
    const [row] = await moveWhere(db, payerRefunds, payerRefundLifecycle, { from: 'processing', to, changes, where })
    return row
  },
})
