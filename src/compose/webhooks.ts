import type { FastifyBaseLogger } from 'fastify'
import { createEventsService } from '../areas/events/events.service.ts'
import { createSellerWebhooksService } from '../areas/seller-webhooks/seller-webhooks.service.ts'
import { createWebhookDeliveriesService } from '../areas/seller-webhooks/webhook-deliveries.service.ts'
import { createWebhookTarget } from '../areas/seller-webhooks/webhook-target.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { createSecretBox } from '../crypto/secret-box.ts'
import type { EventSignal } from '../events/event-signal.ts'
import type { Once } from '../idempotency/once.ts'
import type { NewId } from '../ids.ts'
import { createDnsResolver, createSystemResolver } from '../outbound/resolver.ts'
import { createSafeClient } from '../outbound/safe-client.ts'
import type { Reads, Repositories, Transact } from '../repositories.ts'
import { createWebhookEngine } from '../workers/webhooks/engine.ts'
import { createPurgeEvents } from '../workers/webhooks/purge.ts'
import { createWebhookBacklog, webhookGauges } from '../workers/webhooks/webhook-gauges.ts'

type Foundations = {
  config: Pick<Config, 'encryptionKey' | 'webhookAllowedNetworks'>
  read: Reads
  transact: Transact
  once: Once<Repositories>
  clock: Clock
  wallClock: Clock
  newId: NewId
  logger: FastifyBaseLogger
  eventSignal: EventSignal
}

/**
 * As many as an engine holds deliveries: one host may serve the endpoints of many sellers, and none of them may wait, and
 * so time out, because of another. Each endpoint has a bound of its own.
 */
const SOCKETS_PER_ORIGIN_MAX = 1_000

/** Wires what sellers see of webhooks, and the engine that delivers them. */
export const composeWebhooks = ({ config, eventSignal, ...rest }: Foundations) => {
  const { read, transact, clock } = rest
  const allowedNetworks = config.webhookAllowedNetworks
  const resolver = allowedNetworks.length > 0 ? createSystemResolver() : createDnsResolver()
  const secretBox = createSecretBox(Buffer.from(config.encryptionKey))
  const foundations = { ...rest, secretBox, notify: eventSignal.notify }
  const client = createSafeClient({ allowedNetworks, resolver, socketsPerOriginMax: SOCKETS_PER_ORIGIN_MAX })
  const webhookEngine = createWebhookEngine({ ...foundations, client })
  const findWebhookBacklog = createWebhookBacklog({ read, clock })
  return {
    services: {
      sellerWebhooks: createSellerWebhooksService({
        ...foundations,
        checkTarget: createWebhookTarget({ allowedNetworks, resolver }),
      }),
      webhookDeliveries: createWebhookDeliveriesService(foundations),
      events: createEventsService({ read, clock }),
      webhookEngine,
      findWebhookBacklog,
      eventSignal,
    },
    jobs: { purgeEvents: createPurgeEvents({ read, transact, clock }) },
    gauges: webhookGauges(findWebhookBacklog, webhookEngine),
  }
}
