import { setTimeout as wait } from 'node:timers/promises'
import { pino } from 'pino'
import { systemClock } from '../../src/clock.ts'
import { createSecretBox } from '../../src/crypto/secret-box.ts'
import { createDatabase, createPool, type Writer } from '../../src/db/client.ts'
import { inTransaction } from '../../src/db/transaction.ts'
import { createEventsQueries } from '../../src/events/events.queries.ts'
import { createEventsRepository } from '../../src/events/events.repository.ts'
import { createIds } from '../../src/ids.ts'
import { createSafeClient } from '../../src/outbound/safe-client.ts'
import type { Repositories, Transact } from '../../src/repositories.ts'
import { createSignal } from '../../src/signal.ts'
import { createSellerWebhooksRepository } from '../../src/webhooks/api/seller-webhooks.repository.ts'
import { startWebhookDispatcher } from '../../src/webhooks/engine/dispatcher.ts'
import { createWebhookEngine } from '../../src/webhooks/engine/engine.ts'
import { createWebhookDeliveriesRepository } from '../../src/webhooks/engine/webhook-deliveries.repository.ts'
import { createWebhookQueuesQueries } from '../../src/webhooks/engine/webhook-queues.queries.ts'
import { createWebhookQueuesRepository } from '../../src/webhooks/engine/webhook-queues.repository.ts'
import { createWebhookRecoveriesRepository } from '../../src/webhooks/engine/webhook-recoveries.repository.ts'

/**
 * A process that commits events and delivers whatever is due, its own and those of others, until it is killed. It says a
 * line when it begins. Told to write nothing, it delivers alone.
 */
export type WebhookWorkerSettings = {
  databaseUrl: string
  encryptionKey: string
  sellerIds: string[]
  eventsPerSecond: number
  deadlineMs: number
  leaseMs: number
  /** What its events tell. */
  data: object
}

const BATCHES_PER_SECOND = 50

const settings = JSON.parse(process.argv[2] ?? '{}') as WebhookWorkerSettings
const pool = createPool({ url: settings.databaseUrl, max: 5, onError: () => undefined })
const database = createDatabase(pool)
const newId = createIds(systemClock)
const signal = createSignal()

// Only what the engine uses: a process of the whole platform takes ten times as long to begin its short life.
const repositoriesOn = (tx: Writer) =>
  ({
    events: createEventsRepository(tx, newId),
    sellerWebhooks: createSellerWebhooksRepository(tx),
    webhookDeliveries: createWebhookDeliveriesRepository(tx),
    webhookQueues: createWebhookQueuesRepository(tx),
    webhookRecoveries: createWebhookRecoveriesRepository(tx),
  }) satisfies Partial<Repositories> as Repositories

const transact: Transact = (work) => inTransaction(database, (tx) => work(repositoriesOn(tx)))
const logger = pino({ level: 'silent' })

const engine = createWebhookEngine({
  paceUnproven: async () => 0,
  read: { events: createEventsQueries(database), webhookQueues: createWebhookQueuesQueries(database) },
  transact,
  clock: systemClock,
  wallClock: systemClock,
  newId,
  secretBox: createSecretBox(Buffer.from(settings.encryptionKey)),
  client: createSafeClient({ allowedNetworks: ['127.0.0.0/8'], socketsPerOriginMax: 1_000 }),
  logger,
  deadlineMs: settings.deadlineMs,
  leaseMs: settings.leaseMs,
})
startWebhookDispatcher({ engine, signal, logger })
process.stdout.write('begun\n')

const perBatch = Math.ceil(settings.eventsPerSecond / BATCHES_PER_SECOND)
while (settings.eventsPerSecond > 0) {
  const events = Array.from({ length: perBatch }, () => ({
    type: 'payment.paid' as const,
    sellerId: settings.sellerIds[Math.floor(Math.random() * settings.sellerIds.length)] ?? '',
    data: settings.data,
  }))
  await transact((tx) => tx.events.add(events, systemClock.now()))
  signal.notify()
  await wait(1_000 / BATCHES_PER_SECOND)
}
