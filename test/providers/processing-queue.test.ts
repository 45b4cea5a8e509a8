import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEventProcessor } from '../../src/providers/process-provider-events.ts'
import type { Transact } from '../../src/repositories.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { createPayment, getPayment, pay, sellingSeller } from '../support/payments.ts'

const WAITING_MAX = 10_000

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('a callback that finds no place in the queue is not a failed one: it waits for the job', async () => {
  const gate = Promise.withResolvers<void>()
  let begun = 0
  const { transact } = app.services
  const held: Transact = async (work) => {
    begun += 1
    await gate.promise
    return transact(work)
  }
  const { read, providers, clock, heldBooks, logger } = app.services
  const noHandlers = { charge: async () => [], payout: async () => [], refund: async () => [], dispute: async () => [] }
  const processor = createEventProcessor({
    read,
    transact: held,
    providers,
    handlers: noHandlers,
    clock,
    heldBooks,
    logger,
  })
  const seller = await sellingSeller(app)
  const { id } = await createPayment(app, seller)
  await pay(app, seller, id)
  const { rows } = await app.sql.query('select id from provider_events')
  const first = processor.process(rows[0].id)
  await expect.poll(() => begun).toBe(1)
  const waiting = Array.from({ length: WAITING_MAX }, () => processor.process(rows[0].id))
  expect(await processor.process(rows[0].id)).toBe(false)
  expect(begun).toBe(1)
  gate.resolve()
  expect(new Set(await Promise.all([first, ...waiting]))).toStrictEqual(new Set([true]))
  const after = await app.sql.query('select status, attempts, failure from provider_events')
  expect(after.rows).toStrictEqual([{ status: 'processed', attempts: 1, failure: null }])
  expect((await getPayment(app, seller, id)).status).toBe('paid')
})
