import { and, asc, inArray, isNull, sql } from 'drizzle-orm'
import type { Writer } from '../../db/client.ts'
import { databaseNow } from '../../db/columns.ts'
import type { WebhookStatus } from '../../domain/webhook.ts'
import type { EndpointHealth } from '../../domain/webhook-breaker.ts'
import { type PreviousSecret, sellerWebhooks } from '../webhooks.tables.ts'
import { createWebhookQueuesQueries, ready } from './webhook-queues.queries.ts'

type EndpointKey = { sellerId: string; webhookId: string }

/** A due endpoint as its claimer sees it: where its deliveries go, how they are signed, how it fares. */
export type DueEndpoint = EndpointKey & {
  url: string
  secretSealed: string
  previousSecrets: readonly PreviousSecret[]
  health: EndpointHealth
  /** It has answered 2xx at this address. */
  isProven: boolean
}

/**
 * How many deliveries of an endpoint one worker may hold: `sharedMax` together with other workers, `ownMax` while no other
 * holds any. So at most `sharedMax` calls are under way when each worker makes at most that many at once.
 */
export type EndpointRoom = EndpointKey & { sharedMax: number; ownMax: number }

export type Lease = { token: string; workerId: string; leaseMs: number }

/** A leased delivery with the text to send, and the trace that its event belongs to. */
export type LeasedDelivery = EndpointKey & {
  id: string
  eventId: string
  eventType: string
  attemptsMade: number
  body: string
  trace: string | null
}

/** An endpoint whose attempts are being recorded. `now` is the database's time. */
export type LockedEndpoint = EndpointKey & { status: WebhookStatus; health: EndpointHealth; now: Date }

/** The endpoint after its attempts. */
export type EndpointResult = EndpointKey & {
  health: EndpointHealth
  succeeded: boolean
  lastFailure: LastFailure | null
}

/** What an attempt that failed brought, and the status of its answer if one came. */
export type LastFailure = { result: string; responseStatus: number | null }

/** What became of one lease. `delayMs` is the time until the next attempt, from now. */
export type DeliveryResult = EndpointKey & {
  id: string
  leaseToken: string
  status: 'pending' | 'succeeded' | 'failed'
  delayMs: number | null
  attemptsMade: number
  /** Null: the lease is given back unsent. */
  attempt: {
    id: string
    result: string
    responseStatus: number | null
    responseSnippet: string | null
    durationMs: number
    /** Of the bytes that were sent, in hexadecimal. */
    bodySha256: string
  } | null
}

const health = {
  consecutiveFailures: sellerWebhooks.consecutiveFailures,
  failedAttempts: sellerWebhooks.failedAttempts,
  failingSince: sellerWebhooks.failingSince,
  breakerOpenUntil: sellerWebhooks.breakerOpenUntil,
  breakerOpenings: sellerWebhooks.breakerOpenings,
}

const roomRows = (rooms: readonly EndpointRoom[]) =>
  JSON.stringify(
    rooms.map(({ sellerId, webhookId, sharedMax, ownMax }) => ({
      seller_id: sellerId,
      webhook_id: webhookId,
      shared_max: sharedMax,
      own_max: ownMax,
    })),
  )

const rooms = (given: readonly EndpointRoom[], workerId: string) => sql`
  select given.*, case when held.by_others = 0 then greatest(given.own_max - held.by_us, 0)
    else greatest(given.shared_max - held.by_others - held.by_us, 0) end as free, held.first_end
  from json_to_recordset(${roomRows(given)}::json)
    as given(seller_id uuid, webhook_id uuid, shared_max integer, own_max integer)
  cross join lateral (
    select count(*) filter (where leased_by = ${workerId}) as by_us,
      count(*) filter (where leased_by <> ${workerId}) as by_others, min(leased_until) as first_end
    from webhook_deliveries
    where webhook_id = given.webhook_id and status = 'pending' and lease_token is not null and leased_until > now()
  ) as held`

const resultRows = (results: readonly DeliveryResult[]) =>
  JSON.stringify(
    results.map(({ sellerId, id, leaseToken, status, delayMs, attemptsMade, attempt }) => ({
      seller_id: sellerId,
      id,
      lease_token: leaseToken,
      status,
      delay_ms: delayMs,
      attempts_made: attemptsMade,
      attempt_id: attempt?.id,
      result: attempt?.result,
      response_status: attempt?.responseStatus,
      response_snippet: attempt?.responseSnippet,
      duration_ms: attempt?.durationMs,
      body_sha256: attempt?.bodySha256,
    })),
  )

const endpointRows = (endpoints: readonly EndpointResult[]) =>
  JSON.stringify(
    endpoints.map(({ sellerId, webhookId, succeeded, lastFailure, health: after }) => ({
      seller_id: sellerId,
      id: webhookId,
      succeeded,
      last_failure: lastFailure?.result,
      last_failure_status: lastFailure?.responseStatus,
      consecutive_failures: after.consecutiveFailures,
      failed_attempts: after.failedAttempts,
      failing_since: after.failingSince,
      breaker_open_until: after.breakerOpenUntil,
      breaker_openings: after.breakerOpenings,
    })),
  )

/** The delivery engine's view of webhooks: each is an endpoint with a queue of deliveries. */
export const createWebhookQueuesRepository = (db: Writer) => ({
  ...createWebhookQueuesQueries(db),

  /**
   * Locks due endpoints, the longest due first; those that another worker has locked are left to it. The lock is held from
   * here on, so that two workers never count the same free places.
   */
  async lockDue(limit: number): Promise<DueEndpoint[]> {
    const endpoints = await db
      .select({
        sellerId: sellerWebhooks.sellerId,
        webhookId: sellerWebhooks.id,
        url: sellerWebhooks.url,
        secretSealed: sellerWebhooks.secretSealed,
        previousSecrets: sellerWebhooks.previousSecrets,
        isProven: sql<boolean>`${sellerWebhooks.lastSuccessAt} is not null`,
        health,
      })
      .from(sellerWebhooks)
      .where(ready)
      .orderBy(asc(sellerWebhooks.nextDueAt))
      .limit(limit)
      .for('no key update', { skipLocked: true })
    return endpoints
  },

  /** Leases due deliveries of locked endpoints, taking turns between endpoints, `limit` in all. */
  async lease(
    given: readonly EndpointRoom[],
    { token, workerId, leaseMs }: Lease,
    limit: number,
  ): Promise<LeasedDelivery[]> {
    const until = sql`${databaseNow} + ${leaseMs} * interval '1 millisecond'`
    const { rows } = await db.execute<
      Record<'sellerId' | 'webhookId' | 'id' | 'eventId' | 'eventType' | 'body', string> & {
        attemptsMade: number
        trace: string | null
      }
    >(sql`
      with room as (${rooms(given, workerId)}),
      picked as (
        select due.seller_id, due.id from room cross join lateral (
          select seller_id, id, row_number() over (order by next_attempt_at, id) as turn
          from webhook_deliveries
          where webhook_id = room.webhook_id and status = 'pending' and next_attempt_at <= now()
          order by next_attempt_at, id limit room.free
        ) as due
        order by due.turn limit ${limit}
      ),
      leased as (
        update webhook_deliveries as delivery
        set lease_token = ${token}, leased_by = ${workerId}, leased_until = ${until}, next_attempt_at = ${until}
        from picked where delivery.seller_id = picked.seller_id and delivery.id = picked.id
        returning delivery.seller_id, delivery.webhook_id, delivery.id, delivery.event_id,
          delivery.event_type, delivery.attempts_made
      )
      select leased.seller_id as "sellerId", leased.webhook_id as "webhookId", leased.id, leased.event_id as "eventId",
        leased.event_type as "eventType", leased.attempts_made as "attemptsMade", event.body, event.trace
      from leased join events as event on event.seller_id = leased.seller_id and event.id = leased.event_id
      order by leased.id`)
    return rows
  },

  /** Says when locked endpoints are due next: a full one when a delivery that ends frees a place, or its earliest lease ends. */
  async updateDue(given: readonly EndpointRoom[], workerId: string): Promise<void> {
    await db.execute(sql`
      with room as (${rooms(given, workerId)})
      update seller_webhooks as endpoint set next_due_at = case when room.free = 0 then room.first_end else (
        select next_attempt_at from webhook_deliveries
        where webhook_id = room.webhook_id and status = 'pending' order by next_attempt_at limit 1) end
      from room where endpoint.seller_id = room.seller_id and endpoint.id = room.webhook_id`)
  },

  /** Locks endpoints that are not deleted, in one order for all who wait for them, with the database's time. */
  async lock(endpoints: readonly EndpointKey[]): Promise<LockedEndpoint[]> {
    const rows = await db
      .select({
        sellerId: sellerWebhooks.sellerId,
        webhookId: sellerWebhooks.id,
        status: sellerWebhooks.status,
        health,
        now: sql<string>`now()`,
      })
      .from(sellerWebhooks)
      .where(
        and(
          inArray(sellerWebhooks.sellerId, [...new Set(endpoints.map(({ sellerId }) => sellerId))]),
          inArray(sellerWebhooks.id, [...new Set(endpoints.map(({ webhookId }) => webhookId))]),
          isNull(sellerWebhooks.deletedAt),
        ),
      )
      .orderBy(asc(sellerWebhooks.sellerId), asc(sellerWebhooks.id))
      .for('no key update')
    return rows.map(({ now, ...endpoint }) => ({ ...endpoint, now: new Date(now) }))
  },

  /** Ends leases and logs their attempts. Answers the deliveries whose lease still was the one given. */
  async record(results: readonly DeliveryResult[]): Promise<Set<string>> {
    const { rows } = await db.execute<{ id: string }>(sql`
      with given as (
        select * from json_to_recordset(${resultRows(results)}::json) as given(seller_id uuid, id uuid, lease_token uuid,
          status text, delay_ms float8, attempts_made integer, attempt_id uuid, result text, response_status integer,
          response_snippet text, duration_ms integer, body_sha256 text)
      ),
      recorded as (
        update webhook_deliveries as delivery
        set status = given.status, attempts_made = given.attempts_made, lease_token = null, leased_by = null,
          leased_until = null, updated_at = now(),
          next_attempt_at = ${databaseNow} + given.delay_ms * interval '1 millisecond'
        from given
        where delivery.seller_id = given.seller_id and delivery.id = given.id
          and delivery.lease_token = given.lease_token and delivery.status = 'pending'
        returning delivery.seller_id, delivery.id
      ),
      logged as (
        insert into webhook_attempts (seller_id, id, delivery_id, attempt, result, response_status, response_snippet,
          duration_ms, body_sha256, created_at)
        select seller_id, attempt_id, id, attempts_made, result, response_status, response_snippet, duration_ms,
          body_sha256, now()
        from given join recorded using (seller_id, id) where attempt_id is not null
      )
      select id from recorded`)
    return new Set(rows.map(({ id }) => id))
  },

  /** Writes down how endpoints fare, and when they are due next. The caller holds their locks. */
  async updateHealth(endpoints: readonly EndpointResult[]): Promise<void> {
    await db.execute(sql`
      update seller_webhooks as endpoint
      set consecutive_failures = given.consecutive_failures, failed_attempts = given.failed_attempts,
        failing_since = given.failing_since, breaker_open_until = given.breaker_open_until,
        breaker_openings = given.breaker_openings,
        last_success_at = case when given.succeeded then now() else endpoint.last_success_at end,
        last_failure = coalesce(given.last_failure, endpoint.last_failure),
        last_failure_status = case when given.last_failure is null then endpoint.last_failure_status
          else given.last_failure_status end,
        next_due_at = greatest(given.breaker_open_until, (
          select next_attempt_at from webhook_deliveries
          where webhook_id = endpoint.id and status = 'pending' order by next_attempt_at limit 1))
      from json_to_recordset(${endpointRows(endpoints)}::json) as given(seller_id uuid, id uuid, succeeded boolean,
        last_failure text, last_failure_status integer, consecutive_failures integer, failed_attempts integer, failing_since timestamptz,
        breaker_open_until timestamptz, breaker_openings integer)
      where endpoint.seller_id = given.seller_id and endpoint.id = given.id`)
  },
})
