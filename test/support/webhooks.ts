import { paymentEvents } from '../../src/areas/payments/payment-events.catalogue.ts'
import { createSecretBox } from '../../src/crypto/secret-box.ts'
import { createSafeClient, type SafeClientOptions } from '../../src/outbound/safe-client.ts'
import { createWebhookEngine, type WebhookEngineDependencies } from '../../src/webhooks/engine/engine.ts'
import type { TestApp } from './app.ts'
import type { Seller } from './factories.ts'

/** Registers an address for a seller over the API, and answers its id. */
export const newWebhook = async (app: TestApp, seller: Seller, url: string, fields: object = {}): Promise<string> => {
  const answer = await app.api.post('seller-webhooks', { token: seller.token, body: { url, ...fields } })
  if (answer.status !== 201) throw new Error(`the webhook was refused: ${answer.text}`)
  return answer.body.id
}

/** The data of a true `payment.paid`, with metadata of the test's own. */
export const paidEventData = (metadata: Record<string, string> = {}) => ({
  ...paymentEvents['payment.paid'].example,
  metadata,
})

/** A `payment.paid` of a seller, committed. Answers its id. */
export const newEvent = async (app: TestApp, seller: Seller, metadata: Record<string, string> = {}) => {
  const event = { type: 'payment.paid', sellerId: seller.id, data: paidEventData(metadata) } as const
  await app.services.transact((tx) => tx.events.add([event], app.clock.now()))
  const { rows } = await app.sql.query('select id from events where seller_id = $1 order by id desc limit 1', [
    seller.id,
  ])
  return String(rows[0].id)
}

export const newEvents = (app: TestApp, seller: Seller, count: number): Promise<void> =>
  app.services.transact((tx) =>
    tx.events.add(
      Array.from({ length: count }, (_, index) => ({
        type: 'payment.paid' as const,
        sellerId: seller.id,
        data: paidEventData({ index: String(index) }),
      })),
      app.clock.now(),
    ),
  )

type EngineOptions = Partial<WebhookEngineDependencies> & { clientOptions?: Partial<SafeClientOptions> }

/** An engine of a process of its own, on the app's database. */
export const newEngine = (app: TestApp, { clientOptions, ...options }: EngineOptions = {}) => {
  const { read, transact, clock, wallClock, newId, logger } = app.services
  const paceUnproven = async () => 0
  const secretBox = createSecretBox(Buffer.from(app.config.encryptionKey))
  const client = createSafeClient({ allowedNetworks: ['127.0.0.0/8'], socketsPerOriginMax: 1_000, ...clientOptions })
  return createWebhookEngine({
    read,
    transact,
    clock,
    wallClock,
    newId,
    logger,
    secretBox,
    client,
    paceUnproven,
    ...options,
  })
}

/** Runs an engine until it finds nothing more to do. */
export const drain = async (engine: { runOnce(): Promise<number> }): Promise<void> => {
  while ((await engine.runOnce()) > 0);
}

/** A webhook's deliveries as they lie in the database, oldest first. */
export const deliveriesOf = async (app: TestApp, webhookId: string) => {
  const { rows } = await app.sql.query(
    `select *, extract(epoch from next_attempt_at - now())::float8 as wait_seconds
     from webhook_deliveries where webhook_id = $1 order by id`,
    [webhookId],
  )
  return rows
}

export const attemptsOf = async (app: TestApp, webhookId: string) => {
  const { rows } = await app.sql.query(
    `select attempt.* from webhook_attempts attempt join webhook_deliveries delivery on delivery.id = delivery_id
     where webhook_id = $1 order by delivery_id, attempt`,
    [webhookId],
  )
  return rows
}

export const endpointOf = async (app: TestApp, webhookId: string) => {
  const { rows } = await app.sql.query(
    `select *, extract(epoch from breaker_open_until - now())::float8 as open_seconds
     from seller_webhooks where id = $1`,
    [webhookId],
  )
  return rows[0]
}

/** Makes everything that waits for a webhook due now, as if the time had come. */
export const makeDue = async (app: TestApp, webhookId: string): Promise<void> => {
  await app.sql.query(
    `update webhook_deliveries set next_attempt_at = now() - interval '1 second'
     where webhook_id = $1 and status = 'pending' and lease_token is null`,
    [webhookId],
  )
  await app.sql.query(
    `update seller_webhooks set next_due_at = now() - interval '1 second', breaker_open_until =
       case when breaker_open_until is null then null else now() - interval '1 second' end where id = $1`,
    [webhookId],
  )
}
