import { and, eq, inArray, sql } from 'drizzle-orm'
import { dailyTotals } from '../../daily-totals/counting.ts'
import type { Writer } from '../../db/client.ts'
import { databaseNow } from '../../db/columns.ts'
import { firstIdOf } from '../../db/id-period.ts'
import { webhookDeliveries } from '../webhooks.tables.ts'
import { createWebhookDeliveriesQueries, type NewDelivery } from './webhook-deliveries.queries.ts'

const snake = ({ sellerId, id, webhookId, eventId, eventType, replayNumber, createdAt, isFirst }: NewDelivery) => ({
  is_first: isFirst ?? false,
  seller_id: sellerId,
  id,
  webhook_id: webhookId,
  event_id: eventId,
  event_type: eventType,
  replay_number: replayNumber,
  created_at: createdAt,
})

// By the least that puts it first, so that it does not look like one that has waited for long.
const justBeforeAll = sql`least(${databaseNow}, (
  select min(waiting.next_attempt_at) from webhook_deliveries as waiting
  where waiting.webhook_id = given.webhook_id and waiting.status = 'pending')) - interval '1 millisecond'`

export const createWebhookDeliveriesRepository = (db: Writer) => ({
  ...createWebhookDeliveriesQueries(db),

  /**
   * Writes deliveries that are due at once and tells their queues. Those that are there already are left alone; those for
   * webhooks that are deleted by now are taken back. The queues are locked last and in the order of all who wait for them,
   * so that sending stands still for the end of this transaction only.
   */
  async insertDue(deliveries: readonly NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return
    const rows = JSON.stringify(deliveries.map(snake))
    await db.execute(sql`
      with changed as (insert into webhook_deliveries (seller_id, id, webhook_id, event_id, event_type, replay_number, status,
        attempts_made, next_attempt_at, created_at, updated_at)
      select seller_id, id, webhook_id, event_id, event_type, replay_number, 'pending', 0,
        case when is_first then ${justBeforeAll} else ${databaseNow} end, created_at, created_at
      from json_to_recordset(${rows}::json) as given(seller_id uuid, id uuid, webhook_id uuid, event_id uuid,
        event_type text, replay_number integer, created_at timestamptz, is_first boolean)
      on conflict (seller_id, event_id, webhook_id, replay_number) do nothing returning new)
      ${sql.raw(dailyTotals('insert'))}`)
    const endpoints = [...new Map(deliveries.map((delivery) => [delivery.webhookId, snake(delivery)])).values()]
    const live = await db.execute<{ id: string }>(sql`
      with live as (
        select endpoint.seller_id, endpoint.id from seller_webhooks as endpoint
        join json_to_recordset(${JSON.stringify(endpoints)}::json) as given(seller_id uuid, webhook_id uuid)
          on endpoint.seller_id = given.seller_id and endpoint.id = given.webhook_id
        where endpoint.deleted_at is null order by endpoint.seller_id, endpoint.id for no key update of endpoint
      )
      update seller_webhooks as endpoint set next_due_at = greatest(${databaseNow}, endpoint.breaker_open_until)
      from live where endpoint.seller_id = live.seller_id and endpoint.id = live.id
      returning endpoint.id`)
    if (live.rows.length < endpoints.length)
      await this.deleteInserted(deliveries, new Set(live.rows.map(({ id }) => id)))
  },

  /** Takes back what this transaction has written for webhooks that are not among the live ones. */
  async deleteInserted(deliveries: readonly NewDelivery[], live: ReadonlySet<string>): Promise<void> {
    const gone = deliveries.filter(({ webhookId }) => !live.has(webhookId))
    await db.execute(sql`
      with changed as (
        delete from webhook_deliveries as delivery
        using json_to_recordset(${JSON.stringify(gone.map(snake))}::json) as given(seller_id uuid, id uuid)
        where delivery.seller_id = given.seller_id and delivery.id = given.id returning old
      ) ${sql.raw(dailyTotals('delete'))}`)
  },

  /** Ends what waits for webhooks that are gone; what a call under way brings is not recorded. */
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

  /** Forgets what webhooks answered when they were told of a seller's events: an answer may repeat what it was told. */
  async updateAnswersForgotten(sellerId: string, eventIds: readonly string[]): Promise<void> {
    if (eventIds.length === 0) return
    await db.execute(sql`
      update webhook_attempts as attempt set response_snippet = null from webhook_deliveries as delivery
      where delivery.seller_id = ${sellerId} and delivery.event_id = any(${sql.param([...eventIds])}::uuid[])
        and attempt.seller_id = delivery.seller_id and attempt.delivery_id = delivery.id
        and attempt.response_snippet is not null`)
  },

  /** Deletes some of the deliveries of events that are older than an instant. Answers how many. */
  async deleteOfEventsBefore(instant: Date, limit: number): Promise<number> {
    const { rows } = await db.execute<{ deleted: number }>(sql`
      with changed as (
        delete from webhook_deliveries where (seller_id, id) in (
          select seller_id, id from webhook_deliveries where event_id < ${firstIdOf(instant.getTime())}
          limit ${limit} for update skip locked
        ) returning old
      ), followed as (${sql.raw(dailyTotals('delete'))})
      select count(*)::int as deleted from changed`)
    return rows[0]?.deleted ?? 0
  },
})
