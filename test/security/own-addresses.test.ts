import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { registerSeller } from '../support/factories.ts'
import { createFaultServer, type FaultServer } from '../support/fault-server.ts'
import { attemptsOf, drain, newEvent, newWebhook } from '../support/webhooks.ts'

let app: TestApp
let server: FaultServer
beforeAll(async () => {
  app = await startTestApp({ WEBHOOK_DENIED_NETWORKS: '127.0.0.1/32,8.8.8.0/24' })
  server = await createFaultServer()
})
afterAll(async () => {
  await server.close()
  await app.close()
})

test('400: a webhook at an address that the platform calls its own, though it is public or allowed', async () => {
  const { token } = await registerSeller(app)
  const create = (url: string) => app.api.post('seller-webhooks', { token, body: { url } })
  for (const url of ['https://8.8.8.8/hook', 'https://[::ffff:8.8.8.8]/hook', server.url('/status/200')]) {
    const { status, body } = await create(url)
    expect([status, body.errors]).toMatchObject([400, [{ path: 'url', code: 'blocked_address' }]])
  }
  expect((await create('https://8.8.4.4/hook')).status).toBe(201)
  expect((await create('http://127.0.0.2/hook')).status).toBe(201)
})

test('an address that has become the platform’s own is not called', async () => {
  const seller = await registerSeller(app)
  const id = await newWebhook(app, seller, 'http://127.0.0.2/hook')
  await app.sql.query('update seller_webhooks set url = $2 where id = $1', [id, server.url('/status/200')])
  await newEvent(app, seller)
  await drain(app.services.webhookEngine)
  expect(server.requests).toHaveLength(0)
  expect(await attemptsOf(app, id)).toMatchObject([{ result: 'blocked_address' }])
})
