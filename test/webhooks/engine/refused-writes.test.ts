import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWebhookDispatcher } from '../../../src/webhooks/engine/dispatcher.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import type { Seller } from '../../support/factories.ts'
import { createPayment, pay, postPayment, sellingSeller } from '../../support/payments.ts'
import { createWriteJudge, FAILURES } from '../../support/refused-writes.ts'
import { until } from '../../support/until.ts'
import { attemptsOf, deliveriesOf, newEngine, newEvents, newWebhook } from '../../support/webhooks.ts'

/** A receiver that lets callers wait until it is told to answer, and answers at once from then on. */
const startReceiver = async () => {
  const waiting: ServerResponse[] = []
  const ids = new Set<string>()
  let isHolding = true
  const server = createServer((request, response) => {
    ids.add(String(request.headers['webhook-id']))
    if (isHolding) waiting.push(response)
    else response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    ids,
    waiting,
    answerAll: () => {
      isHolding = false
      for (const response of waiting) response.end()
    },
    close: () => new Promise((closed) => server.close(closed).closeAllConnections()),
  }
}

let app: TestApp
let seller: Seller
let writes: Awaited<ReturnType<typeof createWriteJudge>>
beforeAll(async () => {
  app = await startTestApp()
  seller = await sellingSeller(app)
  writes = await createWriteJudge(app.sql)
})
afterAll(async () => {
  await app.close()
})

const paymentsCount = async () => Number((await app.sql.query('select count(*) from payments')).rows[0].count)

test('503: while the disk is full writes ask to come back, reads go on, and a repeat then does the work once', async () => {
  const unpaid = await createPayment(app, seller)
  const before = await paymentsCount()
  await writes.refuse('disk_full')
  const refused = await Promise.all([
    postPayment(app, seller, { amount: 4_321 }, { key: 'on-a-full-disk' }),
    postPayment(app, seller, { amount: 1_234 }),
    pay(app, seller, unpaid.id),
    app.api.post('customers', { token: seller.token, body: { name: 'Maria de Souza' } }),
  ])
  expect(refused.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
    refused.map(() => [503, '1']),
  )
  expect((await app.api.get(`payments/${unpaid.id}`, { token: seller.token })).status).toBe(200)
  expect(await paymentsCount()).toBe(before)
  await writes.accept()
  const again = await postPayment(app, seller, { amount: 4_321 }, { key: 'on-a-full-disk' })
  expect([again.status, again.body.amount, again.headers.get('idempotency-replayed')]).toEqual([201, 4_321, null])
  await pay(app, seller, unpaid.id)
  expect(await paymentsCount()).toBe(before + 1)
})

test.each(Object.entries(FAILURES))(
  'a worker that meets %s loses nothing, and goes on when it is over',
  async (_, failure) => {
    const receiver = await startReceiver()
    await app.sql.query('update events set fanned_out_at = now() where fanned_out_at is null')
    const id = await newWebhook(app, seller, `http://127.0.0.1:${receiver.port}/`)
    const engine = newEngine(app, { deadlineMs: 8_000, leaseMs: 10_000 })
    const dispatcher = startWebhookDispatcher({ engine, signal: app.services.eventSignal, logger: app.services.logger })
    await newEvents(app, seller, 20)
    await until('calls are under way', () => receiver.waiting.length === 10)
    await writes.refuse(failure)
    receiver.answerAll()
    // What they answered cannot be written down, and nothing more is claimed.
    await until('the calls have ended', () => engine.inFlightCount() === 0)
    const rows = await deliveriesOf(app, id)
    expect(rows.map(({ status, attempts_made: made }) => [status, made])).toEqual(rows.map(() => ['pending', 0]))
    expect(await attemptsOf(app, id)).toEqual([])
    expect(receiver.ids.size).toBe(10)
    await writes.accept()
    await until('everything is delivered', async () =>
      (await deliveriesOf(app, id)).every(({ status }) => status === 'succeeded'),
    )
    await dispatcher.stop()
    expect(receiver.ids.size).toBe(20)
    await app.api.delete(`seller-webhooks/${id}`, { token: seller.token })
    await receiver.close()
  },
)
