import { and, asc, eq, inArray, max, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../db/client.ts'
import { firstIdOf, madeSince } from '../../db/id-period.ts'
import { readPage } from '../../db/paging.ts'
import type { WaitingEvent } from '../../events/events.repository.ts'
import { figureCount } from '../../figures/figures.queries.ts'
import type { Page, PageRequest } from '../../http/pagination.ts'
import { databaseNow } from './seller-webhooks.repository.ts'
import { sellerWebhooks, webhookAttempts, webhookDeliveries } from './seller-webhooks.tables.ts'

export type DeliveryRow = typeof webhookDeliveries.$inferSelect
export type AttemptRow = typeof webhookAttempts.$inferSelect

/** A delivery that is due at once. */
export type NewDelivery = Pick<
  DeliveryRow,
  'sellerId' | 'id' | 'webhookId' | 'eventId' | 'eventType' | 'replayNumber' | 'createdAt'
>

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
    madeSince(webhookDeliveries, { from, to }),
  )

const snake = ({ sellerId, id, webhookId, eventId, eventType, replayNumber, createdAt }: NewDelivery) => ({
  seller_id: sellerId,
  id,
  webhook_id: webhookId,
  event_id: eventId,
  event_type: eventType,
  replay_number: replayNumber,
  created_at: createdAt,
})

const createInserts = (db: Executor) => ({
  /**
   * Writes deliveries that are due at once and tells their lanes. Those that are there already are left alone; those for
   * webhooks that are deleted by now are taken back. The lanes are locked last and in the order of all who wait for them,
   * so that sending stands still for the end of this transaction only.
   */
  async insertDue(deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return
    const rows = JSON.stringify(deliveries.map(snake))
    await db.execute(sql`
      insert into webhook_deliveries (seller_id, id, webhook_id, event_id, event_type, replay_number, status,
        attempts_made, next_attempt_at, created_at, updated_at)
      select seller_id, id, webhook_id, event_id, event_type, replay_number, 'pending', 0, ${databaseNow},
        created_at, created_at
      from json_to_recordset(${rows}::json) as given(seller_id uuid, id uuid, webhook_id uuid, event_id uuid,
        event_type text, replay_number integer, created_at timestamptz)
      on conflict (seller_id, event_id, webhook_id, replay_number) do nothing`)
    const lanes = [...new Map(deliveries.map((delivery) => [delivery.webhookId, snake(delivery)])).values()]
    const live = await db.execute<{ id: string }>(sql`
      with live as (
        select lane.seller_id, lane.id from seller_webhooks as lane
        join json_to_recordset(${JSON.stringify(lanes)}::json) as given(seller_id uuid, webhook_id uuid)
          on lane.seller_id = given.seller_id and lane.id = given.webhook_id
        where lane.deleted_at is null order by lane.seller_id, lane.id for no key update of lane
      )
      update seller_webhooks as lane set next_due_at = greatest(${databaseNow}, lane.breaker_open_until)
      from live where lane.seller_id = live.seller_id and lane.id = live.id
      returning lane.id`)
    if (live.rows.length < lanes.length) await this.deleteInserted(deliveries, new Set(live.rows.map(({ id }) => id)))
  },

  /** Takes back what this transaction has written for webhooks that are not among the live ones. */
  async deleteInserted(deliveries: readonly NewDelivery[], live: ReadonlySet<string>): Promise<void> {
    const gone = deliveries.filter(({ webhookId }) => !live.has(webhookId))
    await db.execute(sql`
      delete from webhook_deliveries as delivery
      using json_to_recordset(${JSON.stringify(gone.map(snake))}::json) as given(seller_id uuid, id uuid)
      where delivery.seller_id = given.seller_id and delivery.id = given.id`)
  },

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
})

export const createWebhookDeliveriesRepository = (db: Executor) => ({
  ...createInserts(db),

  async find(sellerId: string, webhookId: string, id: string): Promise<DeliveryRow | undefined> {
    const [delivery] = await db
      .select()
      .from(webhookDeliveries)
      .where(and(selected({ sellerId, webhookId }), eq(webhookDeliveries.id, id)))
    return delivery
  },

  /** Newest first. */
  async list(filter: DeliveryFilter, page: PageRequest): Promise<Page<DeliveryRow>> {
    const { webhookId, ...narrowing } = filter
    const count = figureCount(db, 'delivery', { ...narrowing, webhookIds: [webhookId] }, ['webhookIds'])
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

  /** Ends what waits for webhooks that are gone; a call under way can no longer settle. */
  async cancelPending(sellerId: string, webhookIds: readonly string[], now: Date): Promise<void> {
    await db
      .update(webhookDeliveries)
      .set({
        status: 'canceled',
        nextAttemptAt: null,
        leaseToken: null,
        leasedBy: null,
        leasedUntil: null,
        updatedAt: now,
      })
      .where(
        and(
          eq(webhookDeliveries.sellerId, sellerId),
          inArray(webhookDeliveries.webhookId, [...webhookIds]),
          eq(webhookDeliveries.status, 'pending'),
        ),
      )
  },

  /** Deletes some of the deliveries of events that are older than an instant. Answers how many. */
  async deleteOfEventsBefore(instant: Date, limit: number): Promise<number> {
    const { rowCount } = await db.execute(sql`
      delete from webhook_deliveries where ctid = any(array(
        select ctid from webhook_deliveries where event_id < ${firstIdOf(instant.getTime())}
        limit ${limit} for update skip locked
      ))`)
    return rowCount ?? 0
  },

  /** How the deliveries stand, over all sellers. Looks at each lane once, and counts no further than a limit. */
  async findBacklog(): Promise<Backlog> {
    const { rows } = await db.execute<{ pending: number; late: number; open: number; disabled: number }>(sql`
      select
        (select count(*) from (select from ${webhookDeliveries} where status = 'pending' limit ${PENDING_COUNT_MAX}) as bounded)
          ::integer as pending,
        coalesce(extract(epoch from now() - min(due.next_attempt_at)), 0)::float8 as late,
        (count(*) filter (where lane.status = 'enabled' and lane.breaker_open_until > now()))::integer as open,
        (count(*) filter (where lane.status = 'disabled'))::integer as disabled
      from ${sellerWebhooks} as lane left join lateral (
        select next_attempt_at from ${webhookDeliveries} as delivery
        where delivery.webhook_id = lane.id and delivery.status = 'pending' and delivery.next_attempt_at <= now()
          and lane.status = 'enabled' and (lane.breaker_open_until is null or lane.breaker_open_until <= now())
        order by delivery.next_attempt_at limit 1
      ) as due on true
      where lane.deleted_at is null`)
    const [figures] = rows
    return {
      pendingCount: figures?.pending ?? 0,
      oldestDueSeconds: figures?.late ?? 0,
      breakersOpenCount: figures?.open ?? 0,
      disabledCount: figures?.disabled ?? 0,
    }
  },
})

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
