import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { callBack, lastProviderEvent, paidNotification } from '../support/callbacks.ts'
import { adminToken, type Seller } from '../support/factories.ts'
import { balancesOf, createPayment, getPayment, PAYER, pay, sellingSeller } from '../support/payments.ts'

let app: TestApp
let seller: Seller
let admin: string

beforeAll(async () => {
  app = await startTestApp()
  seller = await sellingSeller(app)
  admin = await adminToken(app)
})

afterAll(() => app.close())

test('202: the payer pays through a signed callback, and the result is there at once', async () => {
  const { id } = await createPayment(app, seller)
  expect((await pay(app, seller, id)).status).toBe(202)
  const payment = await getPayment(app, seller, id)
  expect(payment.status).toBe('paid')
  expect(payment.pix.endToEndId).toMatch(/^E\d{8}\d{12}[0-9a-f]{11}$/)
  expect(await lastProviderEvent(app)).toMatchObject({ provider: 'sandbox', status: 'processed' })
})

test('202: the payer may pay another amount', async () => {
  const { id } = await createPayment(app, seller)
  await pay(app, seller, id, { amount: 10_001 })
  expect(await getPayment(app, seller, id)).toMatchObject({ status: 'paid', paidAmount: 10_001 })
})

test.each([
  ['expire', 'expired'],
  ['fail', 'failed'],
])('202: %s makes it %s', async (operation, status) => {
  const { id } = await createPayment(app, seller)
  expect((await app.api.post(`sandbox/payments/${id}/${operation}`, { token: seller.token })).status).toBe(202)
  expect((await getPayment(app, seller, id)).status).toBe(status)
})

test("404: another seller's payment cannot be driven", async () => {
  const { id } = await createPayment(app, seller)
  const { status, body } = await pay(app, await sellingSeller(app), id)
  expect([status, body.code]).toEqual([404, 'payment.not_found'])
})

test('404: a payout that never reached the acquirer cannot be settled', async () => {
  const path = `sandbox/withdrawals/${app.services.newId()}/settle`
  const { status, body } = await app.api.post(path, { token: seller.token, body: { outcome: 'completed' } })
  expect([status, body.code]).toEqual([404, 'withdrawal.not_found'])
})

test('400: the clock does not stand still or go back', async () => {
  for (const body of [{}, { days: 0 }, { days: -1 }, { days: 401 }]) {
    expect((await app.api.post('sandbox/clock/advance', { token: admin, body })).status).toBe(400)
  }
})

test("200: moving the clock expires a Pix and makes a boleto's money available", async () => {
  const own = await sellingSeller(app)
  const pix = await createPayment(app, own)
  const boleto = await createPayment(app, own, { method: 'boleto', customer: PAYER })
  await pay(app, own, boleto.id)
  expect(await balancesOf(app, own)).toMatchObject({ pending: 9_651, available: 0, clearing: -10_000 })
  const before = (await app.api.get('sandbox/clock', { token: admin })).body
  const { body } = await app.api.post('sandbox/clock/advance', { token: admin, body: { days: 6 } })
  expect(Date.parse(body.now) - Date.parse(before.now)).toBeGreaterThanOrEqual(6 * 86_400_000)
  expect((await getPayment(app, own, pix.id)).status).toBe('expired')
  expect(await balancesOf(app, own)).toMatchObject({ pending: 0, available: 9_651, clearing: -10_000 })
  const { rows } = await app.sql.query('select offset_ms from platform_clock')
  expect(Number(rows[0].offset_ms)).toBe(body.offsetMs)
})

test('200: an unmatched callback is listed and, once it can be matched, replayed', async () => {
  const { id } = await createPayment(app, seller)
  const reference = id.replaceAll('-', '')
  await app.sql.query('update provider_references set reference = $2 where reference = $1', [
    reference,
    `x${reference}`,
  ])
  await callBack(app, [paidNotification(id)])
  const listed = await app.api.get('admin/provider-events?status=unmatched', { token: admin })
  const event = listed.body.data[0]
  expect(event).toMatchObject({ status: 'unmatched', failure: 'reference_unknown', timesReceived: 1 })
  await app.sql.query('update provider_references set reference = $1 where reference = $2', [
    reference,
    `x${reference}`,
  ])
  const path = `admin/webhook-events/${event.id}/replay`
  expect((await app.api.post(path, { token: admin })).body).toMatchObject({ status: 'processed', failure: null })
  expect((await getPayment(app, seller, id)).status).toBe('paid')
  for (const again of [path, `admin/provider-events/${event.id}/replay`]) {
    const { status, body } = await app.api.post(again, { token: admin })
    expect([status, body.code]).toEqual([409, 'provider_event.already_processed'])
  }
  const { rows } = await app.sql.query(`select before, after from audit_log where action = 'provider_event.replay'`)
  expect(rows).toEqual([{ before: { status: 'unmatched' }, after: { status: 'received' } }])
})

test('200: a period chooses callbacks by when they came in, half open', async () => {
  await callBack(app, [paidNotification(app.services.newId())])
  const list = async (query: string) => (await app.api.get(`admin/provider-events?${query}`, { token: admin })).body
  const [event] = (await list('')).data
  const after = new Date(Date.parse(event.receivedAt) + 1).toISOString()
  expect((await list(`from=${event.receivedAt}&to=${after}`)).data).toMatchObject([{ id: event.id }])
  expect(await list(`from=${after}`)).toMatchObject({ data: [], totalRecords: 0 })
  expect(await list(`to=${event.receivedAt}&status=unmatched`)).not.toMatchObject({ data: [{ id: event.id }] })
})

test('404: an event that is not there cannot be replayed', async () => {
  const { status, body } = await app.api.post(`admin/provider-events/${app.services.newId()}/replay`, { token: admin })
  expect([status, body.code]).toEqual([404, 'provider_event.not_found'])
})

test('a callback that matches nothing is given up after a day, and stays visible', async () => {
  await callBack(app, [paidNotification(app.services.newId())])
  const { id } = await lastProviderEvent(app)
  await app.api.post('sandbox/clock/advance', { token: admin, body: { days: 2 } })
  const { rows } = await app.sql.query('select status, next_attempt_at from provider_events where id = $1', [id])
  expect(rows[0]).toEqual({ status: 'unmatched', next_attempt_at: null })
})
