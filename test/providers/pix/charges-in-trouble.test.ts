import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '../../support/app.ts'
import type { Seller } from '../../support/factories.ts'
import { getPayment, postPayment, sellingSeller } from '../../support/payments.ts'
import { okValue, openPixApi, type TestPixApi } from '../../support/psp/pix-api.ts'
import { startPixApp } from '../../support/psp/pix-app.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'

let psp: TestPsp
let app: TestApp
let seller: Seller
let client: TestPixApi

beforeAll(async () => {
  psp = await startTestPsp()
  app = await startPixApp(psp)
  seller = await sellingSeller(app)
  client = openPixApi(psp)
})

// Whoever was left alone is asked again, so that one test's trouble is not the next one's.
afterEach(async () => {
  await psp.control.must('DELETE', '/faults')
  await expect.poll(async () => (await create()).status, { timeout: 15_000, interval: 200 }).toBe(201)
})

afterAll(async () => {
  await app.close()
  await client.api.close()
  await psp.close()
})

const create = (key: string = randomUUID()) => postPayment(app, seller, {}, { key })

const paymentsCount = async (): Promise<number> =>
  (await app.api.get('payments', { token: seller.token })).body.totalRecords

/** What the PSP has, by its own list. */
const chargesCount = async (): Promise<number> => {
  const period = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 60_000) }
  return okValue(await client.api.charges.list(period)).itemsCount
}

type Fault = Record<string, unknown>
const status = (code: number, more: Fault = {}): Fault => ({ kind: 'status', status: code, ...more })

const TROUBLE: [string, Fault][] = [
  ['the token endpoint is down', { operation: 'token', action: status(503) }],
  ['the PSP answers 503', { operation: 'cob.put', action: status(503) }],
  ['the PSP answers 504, and has made the charge', { operation: 'cob.put', when: 'after', action: status(504) }],
  ['the PSP answers 429', { operation: 'cob.put', action: status(429, { retryAfterSeconds: 1 }) }],
  ['the connection is cut before the effect', { operation: 'cob.put', when: 'before', action: { kind: 'cut' } }],
  ['the connection is cut after the effect', { operation: 'cob.put', when: 'after', action: { kind: 'cut' } }],
]

test.each(TROUBLE)(
  '%s: 503 with Retry-After, and the same request later makes one payment of one charge',
  async (_, fault) => {
    const before = { payments: await paymentsCount(), charges: await chargesCount() }
    const key = randomUUID()
    await psp.control.must('POST', '/tokens/revoke')
    await psp.control.plant({ ...fault })
    const refused = await create(key)
    expect([refused.status, refused.body.code]).toEqual([503, 'payment.provider_unavailable'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    await psp.control.must('DELETE', '/faults')
    await expect.poll(async () => (await create(key)).status, { timeout: 15_000, interval: 200 }).toBe(201)
    const { body } = await create(key)
    expect(body).toMatchObject({ status: 'pending', pix: { qrCode: expect.any(String) } })
    expect(await paymentsCount()).toBe(before.payments + 1)
    expect(await chargesCount()).toBe(before.charges + 1)
    expect(okValue(await client.api.charges.get(body.pix.txid))).toMatchObject({ amount: 10_000, revision: 0 })
  },
)

test('a token that the PSP no longer takes is fetched again, and nobody notices', async () => {
  expect((await create()).status).toBe(201)
  await psp.control.must('POST', '/tokens/revoke')
  expect((await create()).status).toBe(201)
})

test('nobody comes back: the reconciler makes the charge, and it is the one of that payment', async () => {
  await psp.control.plant({ operation: 'cob.put', action: status(503) })
  expect((await create()).status).toBe(503)
  await psp.control.must('DELETE', '/faults')
  const { rows } = await app.sql.query("select id from payments where status = 'created'")
  expect(rows).toHaveLength(1)
  app.clock.setOffsetMs(app.clock.offsetMs() + 120_000)
  expect(await app.services.jobs.reconcilePayments.runOnce()).toBe(1)
  expect(await getPayment(app, seller, rows[0].id)).toMatchObject({ status: 'pending', provider: 'efi' })
})

test('a PSP that is away: sellers hear it at once, nothing is written, and what needs no PSP goes on', async () => {
  await psp.control.must('POST', '/tokens/revoke')
  await psp.control.plant({ operation: '*', action: { kind: 'cut' } })
  while (app.services.providers.find('efi')?.restsForMs() === 0) expect((await create()).status).toBe(503)
  const before = await paymentsCount()
  const startedMs = performance.now()
  const answer = await create()
  expect([answer.status, answer.body.code]).toEqual([503, 'payment.provider_unavailable'])
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(performance.now() - startedMs).toBeLessThan(2_000)
  expect(await paymentsCount()).toBe(before)
  expect((await app.api.get('balance', { token: seller.token })).status).toBe(200)
  expect((await app.api.get('status')).body.components.provider).toBe('down')
})

test('a certificate that has ended: 503, and the status says what to do', async () => {
  const folder = psp.psp.certificatesFolder
  const late = await startPixApp(psp, {
    PIX_CERTIFICATE_FILE: join(folder, 'merchant-1-expired.pem'),
    PIX_CERTIFICATE_KEY_FILE: join(folder, 'merchant-1-expired.key'),
  })
  const other = await sellingSeller(late)
  const { status: code, body } = await postPayment(late, other)
  expect([code, body.code]).toEqual([503, 'payment.provider_unavailable'])
  const answer = await late.api.get('status')
  expect(answer.body.components.provider).toBe('degraded')
  expect(answer.body.warnings).toEqual([expect.stringMatching(/^The certificate of the Pix account has ended/)])
  await late.close()
})
