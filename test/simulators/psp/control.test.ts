import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { charge, chargeBody, newTxid } from '../../support/psp/charges.ts'
import type { PspClient } from '../../support/psp/client.ts'
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
})
afterAll(() => psp.close())

test('every operation is in the list, and every one of the list is documented', async () => {
  const { operations } = (await psp.control.must('GET', '')) as { operations: string[] }
  const paths = operations.map((line) => line.split(/\s+/).slice(0, 2).join(' '))
  expect(paths).toContain('POST /control/payments')
  expect(paths.length).toBeGreaterThan(25)
  const page = readFileSync(join(import.meta.dirname, '../../../docs/psp-simulator.md'), 'utf8')
  const undocumented = paths.filter((path) => !page.includes(`\`${path.replace(/:(\w+)/g, '{$1}')}`))
  expect(undocumented).toEqual([])
})

test('the log has requests and answers, in order, and no secret', async () => {
  await psp.control.must('DELETE', '/requests')
  const txid = await charge(client)
  await client.call('PUT', `/cob/${newTxid()}`, chargeBody(client, { valor: { original: '0.00' } }))
  const { requests } = (await psp.control.must('GET', '/requests')) as { requests: Record<string, unknown>[] }
  expect(requests).toMatchObject([
    { operation: 'token', status: 200, merchantId: 'merchant-1' },
    {
      ...{ operation: 'cob.put', method: 'PUT', url: `/v2/cob/${txid}`, status: 201, outcome: 'answered' },
      ...{ requestBody: { valor: { original: '37.00' } }, responseBody: { txid, status: 'ATIVA' } },
    },
    { operation: 'cob.put', status: 400, responseBody: { title: 'Cobrança inválida.' } },
  ])
  const text = JSON.stringify(requests)
  expect(text).not.toContain(client.merchant.clientSecret)
  expect(text).not.toContain('Bearer')
  expect(text).not.toContain('access_token')
})

test('the log of clients that send their secret in a form has no secret', async () => {
  const inter = await startTestPsp({ profile: 'inter' })
  await inter.client.askToken()
  const { requests } = await inter.control.must('GET', '/requests?operation=token')
  expect(requests).toMatchObject([
    { requestBody: { client_id: inter.client.merchant.clientId, client_secret: '[hidden]' } },
  ])
  await inter.close()
})

test('the log tells what faults did', async () => {
  await client.askToken()
  const { id } = await psp.control.plant({ operation: 'token', action: { kind: 'cut' }, count: 1 })
  await expect(client.askToken()).rejects.toThrow()
  const { requests } = (await psp.control.must('GET', '/requests?operation=token')) as { requests: unknown[] }
  expect(requests.at(-1)).toMatchObject({ outcome: 'cut', faultId: id })
  expect((await psp.control.must('GET', '/requests?merchant=merchant-2')).requests).toEqual([])
})

test('the clock goes wrong by minutes and is put right', async () => {
  await psp.control.must('PUT', '/clock', { offsetMs: -300_000 })
  const { body } = await client.call('GET', `/cob/${await charge(client)}`)
  const created = Date.parse((body.calendario as { criacao: string }).criacao)
  expect(Math.abs(created + 300_000 - Date.now())).toBeLessThan(10_000)
  await psp.control.must('PUT', '/clock', { offsetMs: 0 })
  const { now, offsetMs } = await psp.control.must('GET', '/clock')
  expect(offsetMs).toBe(0)
  expect(Math.abs(Date.parse(String(now)) - Date.now())).toBeLessThan(10_000)
})

test('accounts show their terms and balances, and money is put in and taken out', async () => {
  await psp.control.must('POST', '/merchants/merchant-2/balance', { amount: '50.00' })
  await psp.control.must('POST', '/merchants/merchant-2/balance', { amount: '-60.50' })
  const { merchants } = await psp.control.must('GET', '/merchants')
  expect(merchants).toMatchObject([
    { id: 'merchant-1', keys: [client.key], balance: '0.00', blocked: '0.00' },
    { id: 'merchant-2', balance: '-10.50' },
  ])
  expect(JSON.stringify(merchants)).not.toContain(client.merchant.clientSecret)
  expect((await psp.control.call('POST', '/merchants/merchant-9/balance', { amount: '1.00' })).status).toBe(404)
})

test('a setting changes alone, and all are back after a reset', async () => {
  const before = await psp.control.must('GET', '/settings')
  const after = await psp.control.must('PATCH', '/settings', { tokenSeconds: 9, repeatedCharge: 'refused' })
  expect(after).toEqual({ ...before, tokenSeconds: 9, repeatedCharge: 'refused' })
  expect((await psp.control.call('PATCH', '/settings', { tokenSecond: 9 })).status).toBe(400)
  await psp.control.must('POST', '/reset')
  expect(await psp.control.must('GET', '/settings')).toEqual(before)
})

test('a reset forgets charges, tokens, money and faults', async () => {
  const token = String((await client.askToken()).body.access_token)
  const txid = await charge(client)
  await psp.control.pay({ txid })
  await psp.control.plant({ action: { kind: 'status', status: 500 } })
  await psp.control.must('POST', '/reset')
  expect((await client.call('GET', `/cob/${txid}`, undefined, { token })).status).toBe(401)
  client.logOut()
  expect((await client.call('GET', `/cob/${txid}`)).status).toBe(404)
  expect((await client.own('GET', '/v2/gn/saldo')).body.saldo).toBe('0.00')
  expect(await psp.control.must('GET', '/faults')).toEqual({ faults: [] })
})

test.each([
  ['POST', '/payments', {}, 400],
  ['POST', '/payments', { txid: 'x', key: 'y' }, 400],
  ['POST', '/payments', { txid: newTxid() }, 404],
  ['POST', '/payments', { key: 'nobody@example.com', amount: '1.00' }, 404],
  ['POST', '/payments', { txid: newTxid(), merchant: 'merchant-9' }, 404],
  ['POST', `/pix/${'E'.repeat(32)}/refunds`, {}, 404],
  ['POST', '/refunds/D1', { status: 'DEVOLVIDO' }, 404],
  ['POST', '/payouts/P1', { status: 'REALIZADO' }, 404],
  ['POST', '/infractions', { e2eId: 'E'.repeat(32) }, 404],
  ['POST', '/infractions/none', { status: 'ACEITA' }, 404],
  ['POST', '/callbacks', { body: {} }, 404],
  ['GET', '/statement?date=2026-02-30', undefined, 400],
  ['GET', '/nothing', undefined, 404],
])('%s /control%s %o answers %i', async (method, path, body, status) => {
  expect((await psp.control.call(method, path, body)).status).toBe(status)
})

test('a Pix into a key needs an amount', async () => {
  expect((await psp.control.call('POST', '/payments', { key: client.key })).status).toBe(400)
})

test('the control listens on the loopback alone', () => {
  expect(new URL(psp.psp.controlUrl).hostname).toBe('127.0.0.1')
})
