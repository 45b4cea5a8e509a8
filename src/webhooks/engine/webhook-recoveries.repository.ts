import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Reader, Writer } from '../../db/client.ts'
import { webhookRecoveries } from '../webhooks.tables.ts'

export type RecoveryRow = typeof webhookRecoveries.$inferSelect

export const createWebhookRecoveriesQueries = (db: Reader) => ({
  /** The recovery of a webhook that has not finished: there is one at most. */
  async findRunning(sellerId: string, webhookId: string): Promise<RecoveryRow | undefined> {
    const [running] = await db
      .select()
      .from(webhookRecoveries)
      .where(
        and(
          eq(webhookRecoveries.sellerId, sellerId),
          eq(webhookRecoveries.webhookId, webhookId),
          isNull(webhookRecoveries.finishedAt),
        ),
      )
    return running
  },
})

export const createWebhookRecoveriesRepository = (db: Writer) => ({
  ...createWebhookRecoveriesQueries(db),

  async insert(recovery: Omit<RecoveryRow, 'resentCount' | 'finishedAt'>): Promise<RecoveryRow | undefined> {
    const [inserted] = await db.insert(webhookRecoveries).values(recovery).onConflictDoNothing().returning()
    return inserted
  },

  /** Locks the oldest recovery that waits and that no other worker has. */
  async claim(): Promise<RecoveryRow | undefined> {
    const [claimed] = await db
      .select()
      .from(webhookRecoveries)
      .where(isNull(webhookRecoveries.finishedAt))
      .orderBy(asc(webhookRecoveries.createdAt))
      .limit(1)
      .for('update', { skipLocked: true })
    return claimed
  },

  /** Writes down how far a recovery has come. */
  async updateProgress(
    { sellerId, id }: Pick<RecoveryRow, 'sellerId' | 'id'>,
    progress: Pick<RecoveryRow, 'cursorEventId' | 'resentCount' | 'finishedAt'>,
  ): Promise<void> {
    await db
      .update(webhookRecoveries)
      .set(progress)
      .where(and(eq(webhookRecoveries.sellerId, sellerId), eq(webhookRecoveries.id, id)))
  },
})
