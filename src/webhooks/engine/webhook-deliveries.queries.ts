import { and, eq, max, sql } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import type { WaitingEvent } from '../../events/events.queries.ts'
import { sellerWebhooks, webhookDeliveries } from '../webhooks.tables.ts'

type DeliveryRow = typeof webhookDeliveries.$inferSelect

/** A delivery that is due at once; before all others of its webhook where it `isFirst`. */
export type NewDelivery = Pick<
  DeliveryRow,
  'sellerId' | 'id' | 'webhookId' | 'eventId' | 'eventType' | 'replayNumber' | 'createdAt'
> & { isFirst?: boolean }

/** Counting stops here: a backlog of this size says enough. */
export const PENDING_COUNT_MAX = 100_000

export type Backlog = {
  /** Deliveries that wait, at most PENDING_COUNT_MAX. */
  pendingCount: number
  /** How late the oldest delivery is that nothing but capacity keeps from being sent. */
  oldestDueSeconds: number
  breakersOpenCount: number
  disabledCount: number
}

export const createWebhookDeliveriesQueries = (db: Reader) => ({
  /** The number that the next replay of an event to a webhook takes. */
  async findNextReplay({ sellerId, webhookId, eventId }: Omit<NewDelivery, 'id'>): Promise<number> {
    const [last] = await db
      .select({ number: max(webhookDeliveries.replayNumber) })
      .from(webhookDeliveries)
      .where(
        and(
          eq(webhookDeliveries.sellerId, sellerId),
          eq(webhookDeliveries.eventId, eventId),
          eq(webhookDeliveries.webhookId, webhookId),
        ),
      )
    return (last?.number ?? -1) + 1
  },

  /** Of these events, those that a webhook has neither received nor is about to, with their next replay's number. */
  async listMissed(webhookId: string, candidates: readonly WaitingEvent[]): Promise<Map<string, number>> {
    const rows = JSON.stringify(candidates.map(({ sellerId, id }) => ({ seller_id: sellerId, id })))
    const missed = await db.execute<{ id: string; replay: number }>(sql`
      select given.id, coalesce(max(delivery.replay_number) + 1, 0) as replay
      from json_to_recordset(${rows}::json) as given(seller_id uuid, id uuid)
      left join webhook_deliveries delivery on delivery.seller_id = given.seller_id and delivery.event_id = given.id
        and delivery.webhook_id = ${webhookId}
      group by given.id
      having coalesce(bool_and(delivery.status in ('failed', 'canceled')), true)`)
    return new Map(missed.rows.map(({ id, replay }) => [id, replay]))
  },

  /** How the deliveries stand, over all sellers. Looks at each endpoint once, and counts no further than a limit. */
  async findBacklog(): Promise<Backlog> {
    const { rows } = await db.execute<{ pending: number; late: number; open: number; disabled: number }>(sql`
      select
        (select count(*) from (select from ${webhookDeliveries} where status = 'pending' limit ${PENDING_COUNT_MAX}) as bounded)
          ::integer as pending,
        coalesce(extract(epoch from now() - min(due.next_attempt_at)), 0)::float8 as late,
        (count(*) filter (where endpoint.status = 'enabled' and endpoint.breaker_open_until > now()))::integer as open,
        (count(*) filter (where endpoint.status = 'disabled'))::integer as disabled
      from ${sellerWebhooks} as endpoint left join lateral (
        select next_attempt_at from ${webhookDeliveries} as delivery
        where delivery.webhook_id = endpoint.id and delivery.status = 'pending' and delivery.next_attempt_at <= now()
          and endpoint.status = 'enabled' and (endpoint.breaker_open_until is null or endpoint.breaker_open_until <= now())
        order by delivery.next_attempt_at limit 1
      ) as due on true
      where endpoint.deleted_at is null`)
    const [backlog] = rows
    return {
      pendingCount: backlog?.pending ?? 0,
      oldestDueSeconds: backlog?.late ?? 0,
      breakersOpenCount: backlog?.open ?? 0,
      disabledCount: backlog?.disabled ?? 0,
    }
  },
})
