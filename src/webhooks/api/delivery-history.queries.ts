import { and, asc, eq, inArray, type SQL } from 'drizzle-orm'
import { countTotal } from '../../daily-totals/daily-totals.queries.ts'
import type { Reader } from '../../db/client.ts'
import { madeWithin } from '../../db/id-period.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readPage } from '../../db/paging.ts'
import { webhookAttempts, webhookDeliveries } from '../webhooks.tables.ts'

export type DeliveryRow = typeof webhookDeliveries.$inferSelect
export type AttemptRow = typeof webhookAttempts.$inferSelect

export type DeliveryFilter = {
  sellerId: string
  webhookId: string
  statuses?: readonly DeliveryRow['status'][] | undefined
  /** Half open, on createdAt. */
  from?: Date | undefined
  to?: Date | undefined
}

const selected = ({ sellerId, webhookId, statuses, from, to }: DeliveryFilter): SQL | undefined =>
  and(
    eq(webhookDeliveries.sellerId, sellerId),
    eq(webhookDeliveries.webhookId, webhookId),
    statuses === undefined || statuses.length === 0 ? undefined : inArray(webhookDeliveries.status, [...statuses]),
    madeWithin(webhookDeliveries, { from, to }),
  )

/** What sellers see of deliveries. The delivery engine alone writes them. */
export const createDeliveryHistoryQueries = (db: Reader) => ({
  async find(sellerId: string, webhookId: string, id: string): Promise<DeliveryRow | undefined> {
    const [delivery] = await db
      .select()
      .from(webhookDeliveries)
      .where(and(selected({ sellerId, webhookId }), eq(webhookDeliveries.id, id)))
    return delivery
  },

  /** Newest first. */
  async list(filter: DeliveryFilter, page: PageRequest): Promise<Page<DeliveryRow>> {
    const { webhookId, statuses, ...scope } = filter
    const isNarrowed = statuses !== undefined && statuses.length > 0
    const count = isNarrowed ? undefined : () => countTotal(db, 'delivery', scope, { webhook_id: webhookId })
    return readPage({ db, table: webhookDeliveries, id: webhookDeliveries.id, where: selected(filter), count }, page)
  },

  /** What was tried for these deliveries of one seller, in order. */
  async listAttempts(sellerId: string, deliveryIds: readonly string[]): Promise<AttemptRow[]> {
    if (deliveryIds.length === 0) return []
    return db
      .select()
      .from(webhookAttempts)
      .where(and(eq(webhookAttempts.sellerId, sellerId), inArray(webhookAttempts.deliveryId, [...deliveryIds])))
      .orderBy(asc(webhookAttempts.deliveryId), asc(webhookAttempts.attempt))
  },
})
