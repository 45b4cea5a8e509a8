import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '../../support/app.ts'
import { adminToken, registerSeller } from '../../support/factories.ts'
import { balancesOf, getPayment } from '../../support/payments.ts'
import { receivedRows, runPixJobs, startPixApp, waitingPix } from '../../support/psp/pix-app.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'
import { until } from '../../support/until.ts'

let psp: TestPsp
let app: TestApp
let token: string

beforeAll(async () => {
  psp = await startTestPsp()
  app = await startPixApp(psp)
  token = await adminToken(app)
  await app.services.jobs.readReceivedPix.runOnce()
})

afterAll(async () => {
  await app.close()
  await psp.close()
})

const readList = () => runPixJobs(app, ['readReceivedPix'])

const rowOf = async (endToEndId: string) => (await receivedRows(app)).find((row) => row.end_to_end_id === endToEndId)

const pay = async (body: Record<string, unknown>): Promise<string> => {
  const { endToEndId } = await psp.control.pay(body)
  await readList()
  return endToEndId
}

const resolve = (endToEndId: string, resolution: string, by = token) =>
  app.api.post(`admin/received-pix/${endToEndId}/resolve`, { token: by, body: { resolution, reason: 'Conferido.' } })

const refundsAtThePsp = async (endToEndId: string) =>
  (await psp.client.call('GET', `/pix/${endToEndId}`)).body.devolucoes

test('paid twice: the second Pix is no payment, is booked nowhere, and goes back when an administrator says so', async () => {
  const { seller, payment, txid } = await waitingPix(app)
  await pay({ txid })
  const before = await balancesOf(app, seller)
  const second = await pay({ txid, force: true })
  expect(await rowOf(second)).toMatchObject({ status: 'open', reason: 'paid_again', payment_id: payment.id })
  expect(await balancesOf(app, seller)).toEqual(before)
  const { body } = await app.api.get('admin/received-pix?status=open', { token })
  expect(body.data.find((row: { endToEndId: string }) => row.endToEndId === second)).toMatchObject({
    ...{ provider: 'efi', txid, amount: 10_000, reason: 'paid_again', sellerId: seller.id, paymentId: payment.id },
  })
  const resolved = await resolve(second, 'refund_payer')
  expect([resolved.status, resolved.body.explanation]).toEqual([200, 'Conferido.'])
  await until('it went back', async () => {
    app.clock.setOffsetMs(app.clock.offsetMs() + 60_000)
    await runPixJobs(app, ['refundReceivedPix'])
    return (await rowOf(second))?.status === 'refunded'
  })
  expect(await refundsAtThePsp(second)).toMatchObject([{ valor: '100.00', status: 'DEVOLVIDO' }])
  await readList()
  expect(await getPayment(app, seller, payment.id)).toMatchObject({ status: 'paid', refundedAmount: 0 })
  expect(await balancesOf(app, seller)).toEqual(before)
  expect((await resolve(second, 'explain')).body.code).toBe('received_pix.not_open')
})

test('another amount: less is no payment, more is one', async () => {
  const less = await waitingPix(app)
  const lessId = await pay({ txid: less.txid, amount: '36.99', force: true })
  expect(await rowOf(lessId)).toMatchObject({ status: 'open', reason: 'underpaid', payment_id: less.payment.id })
  expect((await getPayment(app, less.seller, less.payment.id)).status).toBe('pending')
  const more = await waitingPix(app)
  const moreId = await pay({ txid: more.txid, amount: '136.99', force: true })
  expect(await rowOf(moreId)).toMatchObject({ status: 'booked', reason: null })
  expect(await getPayment(app, more.seller, more.payment.id)).toMatchObject({ status: 'paid', paidAmount: 13_699 })
})

test('for a charge that was canceled: the money is there, so it is a payment', async () => {
  const { seller, payment, txid } = await waitingPix(app)
  await app.api.post(`payments/${payment.id}/cancel`, { token: seller.token })
  const endToEndId = await pay({ txid, force: true })
  expect(await rowOf(endToEndId)).toMatchObject({ status: 'booked', payment_id: payment.id })
  expect((await getPayment(app, seller, payment.id)).status).toBe('paid')
})

test('without a txid, and for a charge that is none of ours: open, until somebody says why', async () => {
  const without = await pay({ key: psp.client.key, amount: '9.90' })
  expect(await rowOf(without)).toMatchObject({ status: 'open', reason: 'without_txid', payment_id: null })
  const txid = 'x'.repeat(32)
  const body = { calendario: { expiracao: 3_600 }, valor: { original: '5.00' }, chave: psp.client.key }
  await psp.client.call('PUT', `/cob/${txid}`, body)
  const unknown = await pay({ txid })
  expect(await rowOf(unknown)).toMatchObject({ status: 'open', reason: 'charge_unknown' })
  expect((await resolve(unknown, 'explain')).body).toMatchObject({ status: 'explained', explanation: 'Conferido.' })
})

test('the same Pix, however often it is told, is one row and one booking', async () => {
  const { seller, txid } = await waitingPix(app)
  const endToEndId = await pay({ txid })
  const before = await balancesOf(app, seller)
  await Promise.all([readList(), readList(), readList()])
  expect((await receivedRows(app)).filter((row) => row.end_to_end_id === endToEndId)).toHaveLength(1)
  expect(await balancesOf(app, seller)).toEqual(before)
})

test('what came in before the platform began to read is not its own', async () => {
  const { rows } = await app.sql.query('select since, read_until from provider_cursors')
  expect(rows).toHaveLength(1)
  const old = await pay({ key: psp.client.key, amount: '1.00', secondsAgo: 86_400 })
  expect(await rowOf(old)).toBeUndefined()
})

test('400, 401, 403, 404: the list and its decisions are administrators’', async () => {
  const { token: seller } = await registerSeller(app)
  expect((await app.api.get('admin/received-pix')).status).toBe(401)
  expect((await app.api.get('admin/received-pix', { token: seller })).status).toBe(403)
  expect((await app.api.get('admin/received-pix?status=lost', { token })).status).toBe(400)
  expect((await resolve('E1', 'refund_payer', seller)).status).toBe(403)
  expect((await resolve('E1', 'refund_payer')).body.code).toBe('received_pix.not_found')
  expect((await resolve('E1', 'keep')).status).toBe(400)
})

test('where it is configured, money that is no payment goes back by itself', async () => {
  const own = await startTestPsp()
  const other = await startPixApp(own, { PIX_REFUND_UNMATCHED: 'true' })
  await other.services.jobs.readReceivedPix.runOnce()
  const { endToEndId } = await own.control.pay({ key: own.client.key, amount: '9.90' })
  await until('it went back', async () => {
    other.clock.setOffsetMs(other.clock.offsetMs() + 60_000)
    await runPixJobs(other, ['readReceivedPix', 'refundReceivedPix'])
    return (await receivedRows(other))[0]?.status === 'refunded'
  })
  expect((await receivedRows(other))[0]).toMatchObject({ end_to_end_id: endToEndId, reason: 'without_txid' })
  await other.close()
  await own.close()
})
