import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { centavos } from '../../../src/domain/money.ts'
import type { ChargeRequest } from '../../../src/providers/provider.port.ts'
import type { TestApp } from '../../support/app.ts'
import type { Seller } from '../../support/factories.ts'
import { postPayment, sellingSeller } from '../../support/payments.ts'
import { exchangesOf } from '../../support/psp/pix-api.ts'
import { startPixApp } from '../../support/psp/pix-app.ts'
import { openPixProvider } from '../../support/psp/pix-provider.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'
import { until } from '../../support/until.ts'

const WAITING_PER_CONNECTION = 4

let psp: TestPsp
let app: TestApp
let seller: Seller

beforeAll(async () => {
  psp = await startTestPsp()
  app = await startPixApp(psp, { PIX_CONNECTIONS_MAX: '1' })
  seller = await sellingSeller(app)
})
afterEach(() => psp.control.must('DELETE', '/faults'))
afterAll(async () => {
  await app.close()
  await psp.close()
})

const create = async (key: string) => {
  const { status, headers } = await postPayment(app, seller, {}, { key })
  return { status, retryAfter: Number(headers.get('retry-after')) }
}

const newCharge = (): ChargeRequest => ({
  ...{ paymentId: randomUUID(), reference: null, sellerId: seller.id, seller: null, amount: centavos(500) },
  ...{ description: null, payer: null, requestedAt: new Date() },
  ...{ method: 'pix', expiresAt: new Date(Date.now() + 3_600_000), dueTerms: null },
})

const isLeftAlone = () => app.services.providers.find('efi')?.restsForMs() !== 0

test('503: who finds all connections taken and a queue before them hears it at once, and the PSP is not called away for it', async () => {
  await create('fetches-the-token')
  await psp.control.plant({ operation: 'cob.put', action: { kind: 'delay', ms: 400 }, count: 1 })
  const first = create('first')
  await until('the connection is taken', async () => (await exchangesOf(psp, 'cob.put')).length > 1)
  const waiting = Array.from({ length: WAITING_PER_CONNECTION }, (_, number) => create(`waiting-${number}`))
  await until('the queue is full', async () => {
    const { rows } = await app.sql.query("select count(*)::int from payments where status = 'created'")
    return rows[0].count === 1 + WAITING_PER_CONNECTION
  })
  const refused = await create('one-too-many')
  expect(refused.status).toBe(503)
  expect(refused.retryAfter).toBeGreaterThan(0)
  expect((await Promise.all([first, ...waiting])).map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
  expect(isLeftAlone()).toBe(false)
})

test('a budget that is used up is said before the PSP is asked', async () => {
  const { provider, api } = openPixProvider(psp, { budget: { perSecond: 1, burst: 1 } })
  const before = (await exchangesOf(psp, 'cob.put')).length
  const ask = () => provider.charges?.create(newCharge(), AbortSignal.timeout(5_000))
  expect(await ask()).toMatchObject({ outcome: 'accepted' })
  expect(await ask()).toMatchObject({
    ...{ outcome: 'unavailable', reason: 'provider_busy', isAway: false, retryAfterMs: expect.any(Number) },
  })
  expect((await exchangesOf(psp, 'cob.put')).length).toBe(before + 1)
  await api.close()
})

test('503: a PSP that says itself that it is too much is left alone at that operation for as long as it asks', async () => {
  const budget = { kind: 'budget', requests: 1, windowMs: 60_000 }
  await psp.control.plant({ operation: 'cob.put', action: budget })
  await until('the PSP has refused one', async () => {
    await create(`asked-${Math.random()}`)
    return (await exchangesOf(psp, 'cob.put')).some(({ status }) => status === 429)
  })
  const before = (await exchangesOf(psp, 'cob.put')).length
  const { status, retryAfter } = await create('after-that')
  expect([status, retryAfter > 10]).toEqual([503, true])
  expect((await exchangesOf(psp, 'cob.put')).length).toBe(before)
  expect(isLeftAlone()).toBe(false)
})
