import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '../../support/app.ts'
import { balancesOf, getPayment } from '../../support/payments.ts'
import { exchangesOf } from '../../support/psp/pix-api.ts'
import { receivedRows, runPixJobs, startPixApp, waitingPix } from '../../support/psp/pix-app.ts'
import { CALLBACK_SECRET } from '../../support/psp/pix-provider.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'
import { until } from '../../support/until.ts'
import { configure, earn } from '../../support/withdrawals.ts'

let psp: TestPsp
let app: TestApp

beforeAll(async () => {
  psp = await startTestPsp()
  app = await startPixApp(psp)
  await runPixJobs(app, ['readReceivedPix', 'registerPixWebhook'])
  await psp.control.must('POST', '/merchants/merchant-1/balance', { amount: '10000.00' })
})

afterEach(async () => {
  await psp.control.must('DELETE', '/faults')
  await psp.control.must('PUT', '/clock', { offsetMs: 0 })
})

afterAll(async () => {
  await app.close()
  await psp.close()
})

type Waiting = Awaited<ReturnType<typeof waitingPix>>

const isPaid = async ({ seller, payment }: Waiting) => (await getPayment(app, seller, payment.id)).status === 'paid'

/** What a payment of 100.00 leaves for its seller, once. */
const expectPaidOnce = async ({ seller, payment }: Waiting) => {
  const { status, paidAmount, netAmount } = await getPayment(app, seller, payment.id)
  expect([status, paidAmount]).toEqual(['paid', 10_000])
  expect(await balancesOf(app, seller)).toMatchObject({ available: netAmount, clearing: -10_000 })
}

test('a callback that comes twice, and again from the list, books once', async () => {
  const waiting = await waitingPix(app)
  await psp.control.plant({ on: 'callback', action: { kind: 'double' }, count: 1 })
  await psp.control.pay({ txid: waiting.txid })
  await until('it is paid', () => isPaid(waiting))
  await runPixJobs(app, ['readReceivedPix'])
  await expectPaidOnce(waiting)
})

test('a callback that is a day late finds the payment booked from the list', async () => {
  const waiting = await waitingPix(app)
  await psp.control.plant({ on: 'callback', action: { kind: 'delay', ms: 86_400_000 }, count: 1 })
  await psp.control.pay({ txid: waiting.txid })
  expect(await isPaid(waiting)).toBe(false)
  await runPixJobs(app, ['readReceivedPix'])
  await expectPaidOnce(waiting)
  await psp.control.must('POST', '/callbacks/release')
  await app.services.providerEvents.idle()
  await expectPaidOnce(waiting)
})

test('callbacks out of order end in the same state', async () => {
  const waiting = await waitingPix(app)
  await psp.control.plant({ on: 'callback', action: { kind: 'reorder', of: 2 }, count: 2 })
  const { endToEndId } = await psp.control.pay({ txid: waiting.txid })
  await psp.control.must('POST', `/pix/${endToEndId}/refunds`, { amount: '10.00', nature: 'MED_OPERACIONAL' })
  await until('the claim is booked', async () => {
    app.clock.setOffsetMs(app.clock.offsetMs() + 10_000)
    await runPixJobs(app, ['processProviderEvents'])
    return (await getPayment(app, waiting.seller, waiting.payment.id)).refundedAmount === 1_000
  })
  const disputes = await app.api.get('disputes', { token: waiting.seller.token })
  expect(disputes.body.data).toMatchObject([{ type: 'med', status: 'lost', amount: 1_000, reason: 'med_operational' }])
})

test('a callback about another merchant’s charge changes nothing here', async () => {
  const waiting = await waitingPix(app)
  const other = psp.clientOf('merchant-2')
  const body = { calendario: { expiracao: 3_600 }, valor: { original: '100.00' }, chave: other.key }
  await other.call('PUT', `/cob/${waiting.txid}`, body)
  const { endToEndId } = await psp.control.pay({ txid: waiting.txid, merchant: 'merchant-2' })
  const forged = { pix: [{ endToEndId, txid: waiting.txid, valor: '100.00', horario: new Date().toISOString() }] }
  expect((await app.api.post(`/callbacks/efi/pix?hmac=${CALLBACK_SECRET}`, { body: forged })).status).toBe(200)
  await app.services.providerEvents.idle()
  expect((await getPayment(app, waiting.seller, waiting.payment.id)).status).toBe('pending')
  expect((await receivedRows(app)).filter((row) => row.end_to_end_id === endToEndId)).toEqual([])
})

test.each([-300_000, 300_000])(
  'a PSP whose clock is off by %i ms: charges are made, and paid once',
  async (offsetMs) => {
    await psp.control.must('PUT', '/clock', { offsetMs })
    const waiting = await waitingPix(app)
    await psp.control.pay({ txid: waiting.txid })
    await until('it is paid', () => isPaid(waiting))
    await expectPaidOnce(waiting)
  },
)

test('a PSP whose clock is five minutes behind: what its callback does not tell is found in its list', async () => {
  await psp.control.must('PUT', '/clock', { offsetMs: -300_000 })
  const waiting = await waitingPix(app)
  await psp.control.plant({ on: 'callback', action: { kind: 'drop' }, count: 1 })
  await psp.control.pay({ txid: waiting.txid })
  await runPixJobs(app, ['readReceivedPix'])
  await expectPaidOnce(waiting)
})

const status = (code: number, more: object = {}) => ({ kind: 'status', status: code, ...more })

const TROUBLE: [string, object][] = [
  ['is cut before its effect', { when: 'before', action: { kind: 'cut' } }],
  ['is cut after its effect', { when: 'after', action: { kind: 'cut' } }],
  ['is answered 503', { action: status(503) }],
  ['is answered 504 after its effect', { when: 'after', action: status(504) }],
  ['is answered 429', { action: status(429, { retryAfterSeconds: 1 }) }],
]

test.each(TROUBLE)('a refund that %s is made once', async (_, fault) => {
  const waiting = await waitingPix(app)
  const { endToEndId } = await psp.control.pay({ txid: waiting.txid })
  await until('it is paid', () => isPaid(waiting))
  await psp.control.plant({ operation: 'devolucao.put', ...fault, count: 1 })
  const { token } = waiting.seller
  const asked = { token, headers: { 'idempotency-key': randomUUID() }, body: { amount: 2_500 } }
  expect((await app.api.post(`payments/${waiting.payment.id}/refunds`, asked)).status).toBe(201)
  await until('the refund is done', async () => {
    await runPixJobs(app, ['sendRefunds', 'reconcileRefunds'])
    app.clock.setOffsetMs(app.clock.offsetMs() + 61_000)
    return (await getPayment(app, waiting.seller, waiting.payment.id)).refundedAmount === 2_500
  })
  const { devolucoes } = (await psp.client.call('GET', `/pix/${endToEndId}`)).body
  expect(devolucoes).toMatchObject([{ valor: '25.00', status: 'DEVOLVIDO' }])
})

test.each(TROUBLE)('a payout that %s is paid once', async (_, fault) => {
  const { seller } = await waitingPix(app)
  await earn(app, seller.id, 50_000)
  await configure(app, seller.id, { autoApproveMaxAmount: 1_000_000 })
  await psp.control.plant({ operation: 'gn.pix.put', ...fault, count: 1 })
  const body = { amount: 10_000, pixKeyType: 'email', pixKey: 'maria@example.com' }
  const headers = { 'idempotency-key': randomUUID() }
  const asked = await app.api.post('withdrawals', { token: seller.token, headers, body })
  expect([asked.status, asked.body.status]).toEqual([201, 'approved'])
  const { id } = asked.body
  const withdrawal = await until('the payout has an end', async () => {
    await runPixJobs(app, ['payWithdrawals', 'reconcilePayouts'])
    app.clock.setOffsetMs(app.clock.offsetMs() + 61_000)
    const { body: found } = await app.api.get(`withdrawals/${id}`, { token: seller.token })
    return found.status === 'completed' && found
  })
  expect(withdrawal.endToEndId).toMatch(/^E/)
  const sent = (await exchangesOf(psp, 'gn.pix.put')).filter(({ url }) => url.endsWith(id.replaceAll('-', '')))
  expect(new Set(sent.map(({ url }) => url)).size).toBe(1)
  expect(await balancesOf(app, seller)).toMatchObject({ withdrawing: 0 })
})
