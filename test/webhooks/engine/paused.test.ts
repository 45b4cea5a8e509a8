import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { registerSeller, type Seller } from '../../support/factories.ts'
import { createFaultServer, type FaultServer } from '../../support/fault-server.ts'
import { drain, makeDue, newEngine, newEvent, newWebhook } from '../../support/webhooks.ts'

let app: TestApp
let server: FaultServer
let seller: Seller
beforeAll(async () => {
  app = await startTestApp()
  server = await createFaultServer()
})
beforeEach(async () => {
  seller = await registerSeller(app)
  server.requests.length = 0
  await app.sql.query('update seller_webhooks set deleted_at = now() where deleted_at is null')
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const WORKING = { state: 'working', reason: null, responseStatus: null, nextAttemptAt: null }

const find = async (id: string) => (await app.api.get(`seller-webhooks/${id}`, { token: seller.token })).body

const askForTest = (id: string) => app.api.post(`seller-webhooks/${id}/test`, { token: seller.token })

const failFiveTimes = async (id: string, engine: ReturnType<typeof newEngine>) => {
  await newEvent(app, seller)
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await makeDue(app, id)
    await drain(engine)
  }
}

test('an address that is paused says so, with the reason and the next attempt, and forgets it when it works', async () => {
  const id = await newWebhook(app, seller, server.url('/status/503'))
  expect(await find(id)).toMatchObject({ status: 'enabled', health: WORKING })
  const engine = newEngine(app)
  await newEvent(app, seller)
  await drain(engine)
  const failing = (await find(id)).health
  expect(failing).toEqual({
    state: 'failing',
    reason: 'rejected',
    responseStatus: 503,
    nextAttemptAt: expect.stringMatching(/Z$/),
  })
  await failFiveTimes(id, engine)
  const paused = await find(id)
  const { rows } = await app.sql.query('select breaker_open_until from seller_webhooks where id = $1', [id])
  expect(paused).toMatchObject({
    status: 'enabled',
    health: { state: 'paused', reason: 'rejected', responseStatus: 503 },
  })
  expect(Date.parse(paused.health.nextAttemptAt)).toBeGreaterThanOrEqual(rows[0].breaker_open_until.getTime())
  const list = await app.api.get('seller-webhooks', { token: seller.token })
  expect(list.body.data[0].health).toEqual(paused.health)

  const url = server.url('/status/200')
  await app.api.patch(`seller-webhooks/${id}`, { token: seller.token, body: { url } })
  await askForTest(id)
  await drain(engine)
  expect((await find(id)).health).toEqual(WORKING)
})

test('202: a test of a paused address is sent at once and first of all, and decides whether the rest follows', async () => {
  const id = await newWebhook(app, seller, server.url('/status/503'))
  const engine = newEngine(app)
  await failFiveTimes(id, engine)
  server.requests.length = 0
  await drain(engine)
  expect(server.requests).toHaveLength(0)
  expect((await askForTest(id)).status).toBe(202)
  await engine.runOnce()
  expect(server.requests.map(({ body }) => JSON.parse(body.toString()).type)).toEqual(['webhook.test'])
  expect((await find(id)).health).toMatchObject({ state: 'paused', responseStatus: 503 })
})

test('409: a test of a webhook that its owner paused says that nothing is sent to it', async () => {
  const id = await newWebhook(app, seller, server.url('/status/200'))
  await app.api.patch(`seller-webhooks/${id}`, { token: seller.token, body: { status: 'paused' } })
  const refused = await askForTest(id)
  expect(refused.status).toBe(409)
  expect(refused.body).toMatchObject({
    code: 'webhook.not_enabled',
    detail: 'This webhook is paused or disabled: nothing is sent to it. Enable it first.',
  })
  await drain(newEngine(app))
  expect(server.requests).toHaveLength(0)
})
