import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '../../support/app.ts'
import { createPayment, getPayment, postPayment, sellingSeller } from '../../support/payments.ts'
import { receivedRows, runPixJobs, startPixApp, waitingPix } from '../../support/psp/pix-app.ts'
import { CALLBACK_SECRET } from '../../support/psp/pix-provider.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'
import { until } from '../../support/until.ts'

let psp: TestPsp
let app: TestApp

beforeAll(async () => {
  psp = await startTestPsp()
  app = await startPixApp(psp)
  await app.services.jobs.readReceivedPix.runOnce()
})

afterAll(async () => {
  await app.close()
  await psp.close()
})

const paid = async (seller: { token: string }, id: string) =>
  until(`the payment ${id} is paid`, async () => {
    const payment = await getPayment(app, seller, id)
    return payment.status === 'paid' && payment
  })

test('a charge is made at the PSP under the payment’s txid, and the PSP’s code is what the payer gets', async () => {
  const { payment, txid } = await waitingPix(app, { description: 'Pedido 77' })
  expect(payment).toMatchObject({ status: 'pending', provider: 'efi', amount: 10_000 })
  const kept = (await psp.client.call('GET', `/cob/${txid}`)).body
  expect(kept).toMatchObject({
    txid,
    valor: { original: '100.00' },
    status: 'ATIVA',
    pixCopiaECola: payment.pix.qrCode,
  })
})

test('the address is registered once, and a callback is believed after reading back', async () => {
  expect(await app.services.jobs.registerPixWebhook.runOnce()).toBe(1)
  expect(await app.services.jobs.registerPixWebhook.runOnce()).toBe(0)
  const { seller, payment, txid } = await waitingPix(app)
  const { endToEndId } = await psp.control.pay({ txid })
  expect(await paid(seller, payment.id)).toMatchObject({ paidAmount: 10_000, pix: { endToEndId } })
  expect((await receivedRows(app)).at(-1)).toMatchObject({
    ...{ end_to_end_id: endToEndId, status: 'booked', reason: null, payment_id: payment.id },
  })
})

test('a forged callback changes nothing, and one without the secret is refused', async () => {
  const { seller, payment, txid } = await waitingPix(app)
  const body = { pix: [{ endToEndId: 'E00000000202611211305abcdefghijk', txid, valor: '100.00' }] }
  const address = `/callbacks/efi?hmac=${CALLBACK_SECRET}&ignorar=/pix`
  expect((await app.api.post(address, { body })).status).toBe(200)
  await app.services.providerEvents.idle()
  expect((await getPayment(app, seller, payment.id)).status).toBe('pending')
  expect((await app.api.post('/callbacks/efi?hmac=wrong', { body })).status).toBe(401)
  expect((await app.api.post(`/callbacks/efi/pix?hmac=${CALLBACK_SECRET}/pix`, { body })).status).toBe(200)
})

test('a payment that nobody told us of is found in the PSP’s list', async () => {
  const { seller, payment, txid } = await waitingPix(app)
  await psp.control.plant({ on: 'callback', action: { kind: 'drop' }, count: 1 })
  await psp.control.pay({ txid })
  await runPixJobs(app, ['readReceivedPix'])
  expect((await getPayment(app, seller, payment.id)).status).toBe('paid')
})

test('a canceled payment is removed at the PSP', async () => {
  const { seller, payment, txid } = await waitingPix(app)
  const { status } = await app.api.post(`payments/${payment.id}/cancel`, { token: seller.token })
  expect(status).toBe(200)
  const kept = (await psp.client.call('GET', `/cob/${txid}`)).body
  expect(kept.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR')
})

test('a refund goes back at the PSP, whole and in parts', async () => {
  const { seller, payment, txid } = await waitingPix(app)
  await psp.control.pay({ txid })
  await paid(seller, payment.id)
  // Another one covers the fee, which is the platform's.
  const other = await createPayment(app, seller)
  await psp.control.pay({ txid: other.pix.txid })
  await paid(seller, other.id)
  for (const [index, amount] of [4_000, undefined].entries()) {
    const headers = { 'idempotency-key': `r${index}` }
    const asked = await app.api.post(`payments/${payment.id}/refunds`, {
      token: seller.token,
      headers,
      body: { amount },
    })
    expect(asked.status).toBe(201)
    await runPixJobs(app, ['sendRefunds', 'reconcileRefunds'])
  }
  await until('the refunds are done', async () => (await getPayment(app, seller, payment.id)).status === 'refunded')
  const [pix] = (await psp.client.call('GET', `/cob/${txid}`)).body.pix as { devolucoes: unknown[] }[]
  expect(pix?.devolucoes).toMatchObject([{ valor: '40.00' }, { valor: '60.00' }])
})

test('422: what the account does not serve is refused', async () => {
  const seller = await sellingSeller(app)
  const { status, body } = await postPayment(app, seller, { method: 'credit_card', cardToken: 'tok_0001' })
  expect([status, body.code]).toEqual([422, 'payment.method_unavailable'])
  const answer = await app.api.get('status')
  expect([answer.body.environment, answer.headers.get('x-environment')]).toEqual(['live', null])
  expect((await app.api.post(`sandbox/payments/${seller.id}/pay`, { token: seller.token })).status).toBe(404)
  expect((await createPayment(app, seller)).provider).toBe('efi')
})
