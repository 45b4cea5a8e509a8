import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { charge, chargeBody, newTxid, period } from '../../support/psp/charges.ts'
import { createPspClient, type PspClient } from '../../support/psp/client.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'

let psp: TestPsp
let client: PspClient

beforeAll(async () => {
  psp = await startTestPsp()
  client = psp.client
})
beforeEach(async () => {
  await psp.control.must('POST', '/reset')
  client.logOut()
  await client.call('GET', '/pix', undefined, { query: period() })
})
afterAll(() => psp.close())

const CLOSED = /other side closed|socket hang up|ECONNRESET/

const put = (txid = newTxid(), options = {}) => client.call('PUT', `/cob/${txid}`, chargeBody(client), options)
const exists = async (txid: string): Promise<boolean> => (await client.call('GET', `/cob/${txid}`)).status === 200

test.each([400, 401, 403, 429, 500, 503, 504])('status %i instead of the operation', async (status) => {
  await psp.control.plant({ operation: 'cob.put', action: { kind: 'status', status }, count: 1 })
  const txid = newTxid()
  const answer = await put(txid)
  expect(answer.status).toBe(status)
  expect(answer.body.status).toBe(status)
  expect(await exists(txid)).toBe(false)
  expect((await put(txid)).status).toBe(201)
})

test('429 says when to come again', async () => {
  await psp.control.plant({ action: { kind: 'status', status: 429, retryAfterSeconds: 7 }, count: 1 })
  expect((await put()).headers['retry-after']).toBe('7')
})

test('an answer of any form: Efí’s older errors, a proxy’s page', async () => {
  const body = { nome: 'valor_invalido', mensagem: 'Campo inválido' }
  await psp.control.plant({ operation: 'cob.put', action: { kind: 'status', status: 400, body }, count: 1 })
  const path = `/v2/cob/${newTxid()}`
  expect(await client.own('PUT', path, chargeBody(client))).toMatchObject({ status: 400, body })
  const page = { kind: 'status', status: 502, body: '<html>Bad Gateway</html>', contentType: 'text/html' }
  await psp.control.plant({ operation: 'cob.put', action: page, count: 1 })
  expect(await client.own('PUT', path, chargeBody(client))).toMatchObject({
    status: 502,
    contentType: 'text/html',
    body: { text: '<html>Bad Gateway</html>' },
  })
})

test('504 after the effect: the charge is there', async () => {
  await psp.control.plant({ operation: 'cob.put', when: 'after', action: { kind: 'status', status: 504 }, count: 1 })
  const txid = newTxid()
  expect((await put(txid)).status).toBe(504)
  expect(await exists(txid)).toBe(true)
})

test.each([
  ['before', false],
  ['after', true],
])('the connection is cut %s the effect', async (when, isThere) => {
  await psp.control.plant({ operation: 'cob.put', when, action: { kind: 'cut' }, count: 1 })
  const txid = newTxid()
  await expect(put(txid)).rejects.toThrow(CLOSED)
  expect(await exists(txid)).toBe(isThere)
})

test.each([
  ['before', false],
  ['after', true],
])('no answer comes, and the hang is %s the effect', async (when, isThere) => {
  await psp.control.plant({ operation: 'cob.put', when, action: { kind: 'hang' }, count: 1 })
  const txid = newTxid()
  await expect(put(txid, { timeoutMs: 250 })).rejects.toThrow(/timeout|aborted/i)
  expect(await exists(txid)).toBe(isThere)
})

test('a refund and a payout are cut after their effect', async () => {
  const { endToEndId } = await psp.control.pay({ txid: await charge(client) })
  await psp.control.plant({ operation: 'devolucao.put', when: 'after', action: { kind: 'cut' }, count: 1 })
  const refund = `/pix/${endToEndId}/devolucao/R1`
  await expect(client.call('PUT', refund, { valor: '1.00' })).rejects.toThrow(CLOSED)
  expect((await client.call('GET', refund)).status).toBe(200)
  await psp.control.plant({ operation: 'gn.*', when: 'after', action: { kind: 'cut' }, count: 1 })
  const body = { valor: '5.00', pagador: { chave: client.key }, favorecido: { chave: 'a@b.com' } }
  await expect(client.own('PUT', '/v3/gn/pix/P1', body)).rejects.toThrow(CLOSED)
  expect((await client.own('GET', '/v2/gn/pix/enviados/id-envio/P1')).status).toBe(200)
})

test('a delay holds the answer back', async () => {
  await psp.control.plant({ operation: 'cob.get', action: { kind: 'delay', ms: 150 }, count: 1 })
  const txid = await charge(client)
  const startedAt = performance.now()
  await client.call('GET', `/cob/${txid}`)
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(149)
})

test('every answer takes as long as the PSP was started with', async () => {
  const slow = await startTestPsp({ latencyMs: 60 })
  const startedAt = performance.now()
  await slow.client.askToken()
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(59)
  await slow.close()
})

test('a budget: so many in a window, and 429 with its length for the rest', async () => {
  await psp.control.plant({ operation: 'cob.put', action: { kind: 'budget', requests: 3, windowMs: 60_000 } })
  const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await put()).status))
  expect(statuses.toSorted()).toEqual([201, 201, 201, 429, 429])
  expect((await put()).headers['retry-after']).toBe('60')
  expect((await client.call('GET', '/pix', undefined, { query: period() })).status).toBe(200)
})

test('the token endpoint is down', async () => {
  await psp.control.plant({ operation: 'token', action: { kind: 'status', status: 503 }, count: 1 })
  expect((await client.askToken()).status).toBe(503)
  await psp.control.plant({ operation: 'token', action: { kind: 'cut' }, count: 1 })
  await expect(client.askToken()).rejects.toThrow(CLOSED)
  expect((await client.askToken()).status).toBe(200)
})

test('a fault meets only its operation, its merchant and its match', async () => {
  const txid = newTxid()
  const action = { kind: 'status', status: 500 }
  await psp.control.plant({ operation: 'cob.put', merchant: 'merchant-2', action })
  await psp.control.plant({ operation: 'cob.put', match: txid, action })
  expect((await put()).status).toBe(201)
  expect((await put(txid)).status).toBe(500)
  expect((await client.call('GET', '/cob', undefined, { query: period() })).status).toBe(200)
  const other = psp.clientOf('merchant-2')
  other.logOut()
  expect((await other.call('PUT', `/cob/${newTxid()}`, chargeBody(other))).status).toBe(500)
})

test('a share of the requests', async () => {
  await psp.control.plant({ operation: 'cob.get', probability: 0.5, action: { kind: 'status', status: 503 } })
  const txid = await charge(client)
  const statuses = await Promise.all(
    Array.from({ length: 100 }, async () => (await client.call('GET', `/cob/${txid}`)).status),
  )
  expect(new Set(statuses)).toEqual(new Set([200, 503]))
})

test('faults are listed, counted and removed', async () => {
  const { id } = await psp.control.plant({ operation: 'cob.put', action: { kind: 'status', status: 500 } })
  await put()
  expect(await psp.control.must('GET', '/faults')).toMatchObject({ faults: [{ id, met: 1, operation: 'cob.put' }] })
  await psp.control.must('DELETE', `/faults/${id}`)
  expect((await put()).status).toBe(201)
  expect((await psp.control.call('DELETE', `/faults/${id}`)).status).toBe(404)
})

test.each([
  { action: { kind: 'explode' } },
  { on: 'callback', action: { kind: 'cut' } },
  { action: { kind: 'drop' } },
  { action: { kind: 'cut' }, probability: 2 },
  { action: { kind: 'cut' }, counts: 1 },
  { action: { kind: 'cut' }, operation: 'cob.delete' },
])('400: %o is no fault', async (fault) => {
  expect((await psp.control.call('POST', '/faults', fault)).status).toBe(400)
})

test('the API shows a certificate that has expired, and the right one again', async () => {
  const newcomer = () => createPspClient({ psp: psp.psp, profile: 'efi', merchantId: 'merchant-1' })
  await psp.control.must('PUT', '/server-certificate', { state: 'expired' })
  const late = newcomer()
  await expect(late.askToken()).rejects.toThrow(/certificate has expired/)
  await psp.control.must('PUT', '/server-certificate', { state: 'valid' })
  const later = newcomer()
  expect((await later.askToken()).status).toBe(200)
  await Promise.all([late.close(), later.close()])
})
