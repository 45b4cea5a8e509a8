import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '../../support/app.ts'
import { adminToken } from '../../support/factories.ts'
import { getPayment, sellingSeller } from '../../support/payments.ts'
import { receivedRows, runPixJobs, startPixApp, waitingPix } from '../../support/psp/pix-app.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'

const DAY_MS = 86_400_000

let psp: TestPsp
let app: TestApp

beforeAll(async () => {
  psp = await startTestPsp()
  app = await startPixApp(psp)
  await runPixJobs(app, ['readReceivedPix'])
})

afterEach(() => psp.control.must('DELETE', '/faults'))

afterAll(async () => {
  await app.close()
  await psp.close()
})

const statusAtPsp = async (txid: string) => (await psp.client.call('GET', `/cob/${txid}`)).body.status

// The PSP's clock stays where it is: nothing but the platform's own time ends these.
const expire = async (): Promise<void> => {
  app.clock.setOffsetMs(app.clock.offsetMs() + 2 * DAY_MS)
  await runPixJobs(app, ['expirePayments'])
}

test('a payment that expires is removed at the PSP', async () => {
  const { seller, payment, txid } = await waitingPix(app)
  await expire()
  expect((await getPayment(app, seller, payment.id)).status).toBe('expired')
  expect(await statusAtPsp(txid)).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR')
})

test('a payer who was faster than the removal has paid, and nothing expires', async () => {
  const { seller, payment, txid } = await waitingPix(app)
  await psp.control.plant({ on: 'callback', action: { kind: 'drop' }, count: 1 })
  await psp.control.pay({ txid })
  await expire()
  expect(await getPayment(app, seller, payment.id)).toMatchObject({ status: 'paid', paidAmount: 10_000 })
  await runPixJobs(app, ['readReceivedPix'])
  expect((await receivedRows(app)).at(-1)).toMatchObject({ status: 'booked', payment_id: payment.id })
})

test('a PSP that is away holds no expiry up; who paid all the same has paid', async () => {
  const { seller, payment, txid } = await waitingPix(app)
  await psp.control.plant({ on: 'callback', action: { kind: 'drop' }, count: 1 })
  await psp.control.pay({ txid })
  await psp.control.plant({ operation: 'cob.get', action: { kind: 'status', status: 503 } })
  await expire()
  expect((await getPayment(app, seller, payment.id)).status).toBe('expired')
  await psp.control.must('DELETE', '/faults')
  await runPixJobs(app, ['readReceivedPix'])
  expect((await getPayment(app, seller, payment.id)).status).toBe('paid')
})

test('the slot of a link is free again once its charge is removed', async () => {
  const seller = await sellingSeller(app)
  const link = { title: 'Camiseta', amount: 10_000, methods: ['pix'], maxPayments: 1 }
  const { hash } = (await app.api.post('payment-links', { token: seller.token, body: link })).body
  const customer = { name: 'Francisco da Silva', document: '529.982.247-25' }
  const ask = () => app.api.post(`payment-links/${hash}/payments`, { body: { method: 'pix', customer } })
  const first = await ask()
  expect([first.status, (await ask()).status]).toEqual([201, 409])
  await expire()
  expect(await statusAtPsp(first.body.id.replaceAll('-', ''))).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR')
  expect((await ask()).status).toBe(201)
})

test('what was paid while the platform was down for three days is found from where it had read to', async () => {
  const { seller, payment, txid } = await waitingPix(app)
  await psp.control.plant({ on: 'callback', action: { kind: 'drop' }, count: 1 })
  await psp.control.pay({ txid, secondsAgo: 2 * 86_400 })
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS)
  await app.sql.query('update provider_cursors set since = $1, read_until = $2', [ago(10), ago(3)])
  while ((await app.services.jobs.readReceivedPix.runOnce()) > 0);
  expect((await getPayment(app, seller, payment.id)).status).toBe('paid')
  const { rows } = await app.sql.query('select read_until from provider_cursors')
  expect(Date.now() - rows[0].read_until.getTime()).toBeLessThan(60_000)
})

test('an entry of the list that cannot be read is told apart and hides no other', async () => {
  const { seller, payment, txid } = await waitingPix(app)
  await psp.control.plant({ on: 'callback', action: { kind: 'drop' }, count: 1 })
  const pix = await psp.control.pay({ txid })
  const paginacao = { paginaAtual: 0, itensPorPagina: 100, quantidadeDePaginas: 1, quantidadeTotalDeItens: 2 }
  const odd = { endToEndId: 'E1', valor: 'um real', horario: new Date().toISOString() }
  const body = { parametros: { paginacao }, pix: [odd, pix] }
  await psp.control.plant({ operation: 'pix.list', action: { kind: 'status', status: 200, body }, count: 1 })
  await runPixJobs(app, ['readReceivedPix'])
  expect((await getPayment(app, seller, payment.id)).status).toBe('paid')
})

test('what waits for a decision is counted, and after a day the status says so', async () => {
  await psp.control.pay({ key: psp.client.key, amount: '9.90' })
  await runPixJobs(app, ['readReceivedPix'])
  const gauge = app.services.gauges.find(({ name }) => name === 'received_pix_open')
  expect(await gauge?.read()).toBe(1)
  const warnings = async () => (await app.api.get('status')).body.warnings
  expect(await warnings()).toEqual([])
  app.clock.setOffsetMs(app.clock.offsetMs() + 2 * DAY_MS)
  expect(await warnings()).toEqual([expect.stringContaining('waited for a decision')])
  const listed = await app.api.get('admin/received-pix?status=open', { token: await adminToken(app) })
  expect(listed.body.data).toMatchObject([{ amount: 990, reason: 'without_txid' }])
})
