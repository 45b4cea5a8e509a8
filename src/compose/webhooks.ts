import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { SecretBox } from '../crypto/secret-box.ts'
import { autocommit, type Database } from '../db/client.ts'
import type { Once } from '../idempotency/once.ts'
import type { NewId } from '../ids.ts'
import { createDnsResolver, createSystemResolver } from '../outbound/resolver.ts'
import { createSafeClient } from '../outbound/safe-client.ts'
import { createRateLimitsRepository } from '../rate-limits/rate-limits.repository.ts'
import { createRateLimits } from '../rate-limits/rate-limits.ts'
import type { Reads, Repositories, Transact } from '../repositories.ts'
import type { Signal } from '../signal.ts'
import { createEventsService } from '../webhooks/api/events.service.ts'
import { createSellerWebhooksService } from '../webhooks/api/seller-webhooks.service.ts'
import { createWebhookDeliveriesService } from '../webhooks/api/webhook-deliveries.service.ts'
import { createWebhookTarget } from '../webhooks/api/webhook-target.ts'
import { createWebhookEngine } from '../webhooks/engine/engine.ts'
import type { FollowEvents } from '../webhooks/engine/fan-out.ts'
import { createPurgeEvents } from '../webhooks/engine/purge.ts'
import { createPaceUnproven } from '../webhooks/engine/unproven-pace.ts'
import { createWebhookBacklog, webhookGauges } from '../webhooks/engine/webhook-gauges.ts'

type Dependencies = {
  config: Pick<Config, 'webhookTargets' | 'rateLimits'>
  database: Database
  read: Reads
  transact: Transact
  patient: { read: Reads; transact: Transact }
  once: Once<Repositories>
  clock: Clock
  wallClock: Clock
  newId: NewId
  secretBox: SecretBox
  logger: FastifyBaseLogger
  eventSignal: Signal
  /** What else follows from events. */
  followEvents: FollowEvents
}

/**
 * As many as an engine holds deliveries: one host may serve the endpoints of many sellers, and none of them may wait, and
 * so time out, because of another. Each endpoint has a bound of its own.
 */
const SOCKETS_PER_ORIGIN_MAX = 1_000

/** Wires what sellers see of webhooks, and the engine that delivers them. */
export const composeWebhooks = ({ config, database, eventSignal, patient, ...rest }: Dependencies) => {
  const { read, clock } = rest
  const targets = config.webhookTargets
  const resolver = targets.allowedNetworks.length > 0 ? createSystemResolver() : createDnsResolver()
  const dependencies = { ...rest, notify: eventSignal.notify }
  const client = createSafeClient({ ...targets, resolver, socketsPerOriginMax: SOCKETS_PER_ORIGIN_MAX })
  const repository = createRateLimitsRepository(autocommit(database))
  const { windowMs, unprovenWebhooks: perWindowMax } = config.rateLimits
  const rateLimits = createRateLimits({ repository, windowMs, clock: rest.wallClock })
  const paceUnproven = createPaceUnproven({ rateLimits, perWindowMax })
  const webhookEngine = createWebhookEngine({ ...dependencies, client, paceUnproven })
  const findWebhookBacklog = createWebhookBacklog({ read, clock })
  return {
    services: {
      sellerWebhooks: createSellerWebhooksService({
        ...dependencies,
        checkTarget: createWebhookTarget({ targets, resolver }),
      }),
      webhookDeliveries: createWebhookDeliveriesService(dependencies),
      events: createEventsService({ read, clock }),
      webhookEngine,
      findWebhookBacklog,
      eventSignal,
    },
    jobs: { purgeEvents: createPurgeEvents({ ...patient, clock }) },
    gauges: webhookGauges(findWebhookBacklog, webhookEngine),
  }
}
