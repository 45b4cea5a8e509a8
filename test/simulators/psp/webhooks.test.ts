import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { charge, period, violatedFields } from '../../support/psp/charges.ts'
import type { PspAnswer, PspClient } from '../../support/psp/client.ts'
import { type CallbackReceiver, startCallbackReceiver } from '../../support/psp/receiver.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'

let psp: TestPsp
let client: PspClient
let receiver: CallbackReceiver

beforeAll(async () => {
  psp = await startTestPsp()
  client = psp.client
})
beforeEach(async () => {
  await psp.control.must('POST', '/reset')
  client.logOut()
  receiver = await startCallbackReceiver()
})
afterEach(() => receiver.close())
afterAll(() => psp.close())

const SKIP = { headers: { 'x-skip-mtls-checking': 'true' } }
const INVALID = 'https://pix.bcb.gov.br/api/v2/error/WebhookOperacaoInvalida'

const register = (url: string, options = SKIP): Promise<PspAnswer> =>
  client.call('PUT', `/webhook/${client.key}`, { webhookUrl: url }, options)

/** A merchant's server with a certificate of the simulator's authority. */
const startTlsReceiver = (isMutual: boolean): Promise<CallbackReceiver> => {
  const { server, authority } = psp.psp.certificates
  return startCallbackReceiver({ key: server.key, cert: server.certificate, ca: authority, isMutual })
}

test('200: a webhook is registered, read, listed, replaced and removed', async () => {
  const url = `${receiver.url}?hmac=segredo&ignorar=`
  expect((await register(url)).status).toBe(200)
  const found = (await client.call('GET', `/webhook/${client.key}`)).body
  expect(found).toMatchObject({ webhookUrl: url, chave: client.key })
  expect((await client.call('GET', '/webhook', undefined, { query: period() })).body.webhooks).toEqual([found])
  expect((await client.call('GET', '/webhook')).body.webhooks).toEqual([found])
  await register(`${receiver.url}/other`)
  expect((await client.call('GET', `/webhook/${client.key}`)).body.webhookUrl).toBe(`${receiver.url}/other`)
  expect((await client.call('DELETE', `/webhook/${client.key}`)).status).toBe(204)
  const gone = await client.call('GET', `/webhook/${client.key}`)
  expect(gone).toMatchObject({
    status: 404,
    body: { type: 'https://pix.bcb.gov.br/api/v2/error/WebhookNaoEncontrado' },
  })
  expect((await client.call('DELETE', `/webhook/${client.key}`)).status).toBe(404)
})

test('200: clients that name a content type without sending anything are understood', async () => {
  await register(receiver.url)
  const options = { headers: { 'content-type': 'application/json' } }
  expect((await client.call('DELETE', `/webhook/${client.key}`, undefined, options)).status).toBe(204)
})

test('400: the key of another merchant; 404: its webhook', async () => {
  const other = psp.clientOf('merchant-2')
  const answer = await client.call('PUT', `/webhook/${other.key}`, { webhookUrl: receiver.url }, SKIP)
  expect(answer).toMatchObject({ status: 400, body: { type: INVALID } })
  expect(violatedFields(answer)).toEqual(['chave'])
  expect((await client.call('GET', `/webhook/${other.key}`)).status).toBe(404)
})

test.each(['http://shop.example.com/hooks', 'ftp://localhost/hooks', 'hooks'])('400: %s is no address', async (url) => {
  expect(await register(url)).toMatchObject({ status: 400, body: { type: INVALID } })
})

test('Efí tries the address itself before it registers it', async () => {
  await register(receiver.url)
  expect(receiver.received).toMatchObject([{ method: 'POST', url: '/hooks' }])
  receiver.answers.push(404)
  const answer = await register(receiver.url)
  expect(answer.status).toBe(400)
  expect(answer.body.violacoes?.[0]?.razao).toContain('404')
  expect((await register('http://localhost:1/hooks')).status).toBe(400)
})

test('Efí wants the address to refuse who shows no certificate, unless it is told to skip that', async () => {
  const open = await startTlsReceiver(false)
  const mutual = await startTlsReceiver(true)
  const strict = { headers: {} } as typeof SKIP
  expect((await register(open.url, strict)).status).toBe(400)
  expect((await register(open.url)).status).toBe(200)
  expect((await register(mutual.url, strict)).status).toBe(200)
  expect(mutual.received.map(({ certificate }) => certificate)).toEqual(['PSP simulator callbacks'])
  await Promise.all([open.close(), mutual.close()])
})

test('other profiles register without a try', async () => {
  const sicredi = await startTestPsp({ profile: 'sicredi' })
  const path = `/webhook/${sicredi.client.key}`
  expect((await sicredi.client.call('PUT', path, { webhookUrl: receiver.url })).status).toBe(200)
  expect(receiver.received).toEqual([])
  await sicredi.close()
})

test('404: Inter has no list of webhooks', async () => {
  const inter = await startTestPsp({ profile: 'inter' })
  expect((await inter.client.call('GET', '/webhook')).status).toBe(404)
  await inter.close()
})

test('a payment is told at the address with /pix behind it, a query included, and fits the standard', async () => {
  await register(`${receiver.url}?hmac=segredo&ignorar=`)
  const { endToEndId } = await psp.control.pay({ txid: await charge(client) })
  const [told] = await receiver.waitForPix(1)
  expect(receiver.received.at(-1)).toMatchObject({ method: 'POST', url: '/hooks?hmac=segredo&ignorar=/pix' })
  expect(told).toMatchObject({
    endToEndId,
    valor: '37.00',
    gnExtras: { pagador: { cpf: '52998224725' }, tarifa: '0.00' },
  })
})

test('the PSP shows its certificate when it calls', async () => {
  const mutual = await startTlsReceiver(true)
  await register(mutual.url)
  await psp.control.pay({ txid: await charge(client) })
  await mutual.waitForPix(1)
  expect(mutual.received.at(-1)?.certificate).toBe('PSP simulator callbacks')
  await mutual.close()
})

test('the end of a refund is told, also of one that the PSP began', async () => {
  await register(receiver.url)
  const { endToEndId } = await psp.control.pay({ txid: await charge(client) })
  await client.call('PUT', `/pix/${endToEndId}/devolucao/R1`, { valor: '7.00' })
  const [, refunded] = await receiver.waitForPix(2)
  expect(refunded).toMatchObject({ endToEndId, devolucoes: [{ id: 'R1', status: 'DEVOLVIDO' }] })
  await psp.control.must('POST', `/pix/${endToEndId}/refunds`, { amount: '1.00', nature: 'MED_FRAUDE' })
  const [, , fraud] = await receiver.waitForPix(3)
  expect(fraud).toMatchObject({ devolucoes: [{ id: 'R1' }, { natureza: 'MED_FRAUDE' }] })
})

test('a Pix without a txid is not told', async () => {
  await register(receiver.url)
  await psp.control.pay({ key: client.key, amount: '5.00' })
  const { endToEndId } = await psp.control.pay({ txid: await charge(client) })
  expect(await receiver.waitForPix(1)).toMatchObject([{ endToEndId }])
})

test('what is not answered with 2xx comes again on the PSP’s clock, until it gives up', async () => {
  await register(receiver.url)
  await psp.control.must('PATCH', '/settings', { callbackRetrySeconds: [300, 600] })
  receiver.answers.push(500, 404, 503)
  await psp.control.pay({ txid: await charge(client) })
  await receiver.waitForPix(1)
  await psp.control.must('POST', '/clock/advance', { seconds: 301 })
  await receiver.waitForPix(2)
  await psp.control.must('POST', '/clock/advance', { seconds: 601 })
  await receiver.waitForPix(3)
  const states = async () => (await psp.control.must('GET', '/callbacks')).callbacks
  await expect.poll(states).toMatchObject([{ state: 'given_up', attempts: 3, lastStatus: 503 }])
})

test('a callback that nobody takes is told with its reason', async () => {
  await register(receiver.url)
  await receiver.close()
  await psp.control.pay({ txid: await charge(client) })
  const callbacks = async () => (await psp.control.must('GET', '/callbacks?merchant=merchant-1')).callbacks
  await expect
    .poll(callbacks)
    .toMatchObject([{ state: 'waiting', attempts: 1, lastError: expect.stringMatching(/ECONNREFUSED/) }])
})

test('anybody’s callback can be forged, also about the charge of another merchant', async () => {
  await register(receiver.url)
  const other = psp.clientOf('merchant-2')
  other.logOut()
  const txid = await charge(other)
  const body = { pix: [{ endToEndId: 'E'.repeat(32), txid, valor: '37.00', horario: new Date().toISOString() }] }
  await psp.control.must('POST', '/callbacks', { merchant: 'merchant-1', body })
  expect(await receiver.waitForPix(1)).toEqual(body.pix)
  expect((await other.call('GET', `/cob/${txid}`)).body.status).toBe('ATIVA')
})

test('Efí sends callbacks again on request', async () => {
  await register(receiver.url)
  const { endToEndId } = await psp.control.pay({ txid: await charge(client) })
  await receiver.waitForPix(1)
  const body = { tipo: 'PIX_RECEBIDO', e2eids: [endToEndId, 'E'.repeat(32)] }
  expect((await client.own('POST', '/v2/gn/webhook/reenviar', body)).status).toBe(202)
  expect(await receiver.waitForPix(2)).toMatchObject([{ endToEndId }, { endToEndId }])
})
