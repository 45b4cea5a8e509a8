import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { period } from '../../support/psp/charges.ts'
import type { PspAnswer, PspClient } from '../../support/psp/client.ts'
import { type CallbackReceiver, startCallbackReceiver } from '../../support/psp/receiver.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'
import { until } from '../../support/until.ts'

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
  const options = { headers: { 'x-skip-mtls-checking': 'true' } }
  await client.call('PUT', `/webhook/${client.key}`, { webhookUrl: receiver.url }, options)
  await psp.control.must('POST', '/merchants/merchant-1/balance', { amount: '100.00' })
})
afterEach(() => receiver.close())
afterAll(() => psp.close())

const ACCOUNT = {
  nome: 'JOSE CARVALHO',
  cpf: '52998224725',
  codigoBanco: '09089356',
  agencia: '1',
  conta: '123453',
  tipoConta: 'cacc',
}

const send = (id: string, changes: Record<string, unknown> = {}): Promise<PspAnswer> =>
  client.own('PUT', `/v3/gn/pix/${id}`, {
    valor: '12.34',
    pagador: { chave: client.key, infoPagador: 'Saque' },
    favorecido: { chave: 'maria@example.com' },
    ...changes,
  })

const find = async (id: string): Promise<PspAnswer['body']> =>
  (await client.own('GET', `/v2/gn/pix/enviados/id-envio/${id}`)).body

const settled = (id: string): Promise<PspAnswer['body']> =>
  until(`the payout ${id} settles`, async () => {
    const body = await find(id)
    return body.status !== 'EM_PROCESSAMENTO' && body
  })

const balance = async (): Promise<string> => String((await client.own('GET', '/v2/gn/saldo')).body.saldo)

test('201: a payout is under way, then done, told, and found in every way', async () => {
  const { status, body } = await send('P1')
  expect(status).toBe(201)
  expect(body).toMatchObject({ idEnvio: 'P1', valor: '12.34', status: 'EM_PROCESSAMENTO' })
  expect(body.e2eId).toMatch(/^E09089356\d{12}[a-z0-9]{11}$/)
  const done = await settled('P1')
  expect(done).toMatchObject({
    endToEndId: body.e2eId,
    chave: client.key,
    status: 'REALIZADO',
    infoPagador: 'Saque',
    favorecido: { chave: 'maria@example.com' },
    horario: { liquidacao: expect.any(String) },
  })
  expect(await receiver.waitForPix(1)).toMatchObject([
    { endToEndId: body.e2eId, tipo: 'SOLICITACAO', status: 'REALIZADO', valor: '12.34', gnExtras: { idEnvio: 'P1' } },
  ])
  expect((await client.own('GET', `/v2/gn/pix/enviados/${body.e2eId}`)).body).toEqual(done)
  const list = await client.own('GET', '/v2/gn/pix/enviados', undefined, { query: period() })
  expect(list.body).toMatchObject({ parametros: { paginacao: { quantidadeTotalDeItens: 1 } }, pix: [done] })
  expect(await balance()).toBe('87.66')
})

test('201: to an account', async () => {
  await send('P1', { favorecido: { contaBanco: ACCOUNT } })
  expect(await settled('P1')).toMatchObject({
    favorecido: { contaBanco: { nome: 'JOSE CARVALHO', cpf: '***.982.247-**', agencia: '1', conta: '123453' } },
  })
})

test('409: an id that was used, with the same content and with another; the first one stands', async () => {
  await send('P1')
  for (const changes of [{}, { valor: '50.00' }]) {
    expect(await send('P1', changes)).toMatchObject({ status: 409, body: { nome: 'id_envio_duplicado' } })
  }
  await settled('P1')
  expect(await balance()).toBe('87.66')
})

test('a PSP that answers a repeat with the first payout can be asked for', async () => {
  await psp.control.must('PATCH', '/settings', { repeatedPayout: 'same' })
  const first = (await send('P1')).body
  expect(await send('P1')).toMatchObject({ status: 201, body: { e2eId: first.e2eId } })
  expect((await send('P1', { valor: '50.00' })).status).toBe(409)
})

test('the same id of another merchant is another payout', async () => {
  const other = psp.clientOf('merchant-2')
  other.logOut()
  await send('P1')
  expect((await other.own('GET', '/v2/gn/pix/enviados/id-envio/P1')).status).toBe(404)
})

test('400: somebody else’s key; a key whose owner is another', async () => {
  const otherKey = psp.clientOf('merchant-2').key
  expect(await send('P1', { pagador: { chave: otherKey } })).toMatchObject({
    status: 400,
    body: { nome: 'chave_invalida' },
  })
  await psp.control.must('PUT', '/keys/maria@example.com', { name: 'Maria Souza', document: '52998224725' })
  const wrong = await send('P1', { favorecido: { chave: 'maria@example.com', cnpj: '11222333000181' } })
  expect(wrong).toMatchObject({ status: 400, body: { nome: 'chave_nao_pertence_ao_documento' } })
  expect((await send('P1', { favorecido: { chave: 'maria@example.com', cpf: '52998224725' } })).status).toBe(201)
  expect(await settled('P1')).toMatchObject({
    favorecido: { identificacao: { nome: 'Maria Souza', cpf: '***.982.247-**' } },
  })
})

test.each([
  ['an amount of nothing', { valor: '0.00' }],
  ['nobody to pay', { favorecido: {} }],
  ['a key and an account', { favorecido: { chave: 'a@b.com', contaBanco: ACCOUNT } }],
])('400: %s', async (_what, changes) => {
  expect((await send('P1', changes)).status).toBe(400)
})

test('404: a payout that is none', async () => {
  expect(await client.own('GET', '/v2/gn/pix/enviados/id-envio/P9')).toMatchObject({
    status: 404,
    body: { type: 'https://pix.bcb.gov.br/api/v2/error/PixEnviadoNaoEncontrado' },
  })
})

test('a payout that fails tells why, and its money comes back', async () => {
  await psp.control.must('PATCH', '/settings', { payouts: { outcome: 'fail', reason: 'Conta encerrada', count: 1 } })
  await send('P1')
  expect(await settled('P1')).toMatchObject({
    status: 'NAO_REALIZADO',
    gnExtras: { erro: { motivo: 'Conta encerrada' } },
  })
  expect(await receiver.waitForPix(1)).toMatchObject([
    { status: 'NAO_REALIZADO', horario: null, gnExtras: { idEnvio: 'P1', erro: { codigo: 'AC03' } } },
  ])
  expect(await balance()).toBe('100.00')
  await send('P2')
  expect((await settled('P2')).status).toBe('REALIZADO')
})

test('without the money a payout fails', async () => {
  await send('P1', { valor: '100.01' })
  expect(await settled('P1')).toMatchObject({
    status: 'NAO_REALIZADO',
    gnExtras: { erro: { motivo: 'Saldo insuficiente' } },
  })
  expect(await balance()).toBe('100.00')
})

test('a payout that hangs is brought to its end by hand', async () => {
  await psp.control.must('PATCH', '/settings', { payouts: { outcome: 'hang' } })
  await send('P1')
  await psp.control.must('POST', '/clock/advance', { days: 3 })
  client.logOut()
  expect((await find('P1')).status).toBe('EM_PROCESSAMENTO')
  expect(await balance()).toBe('87.66')
  await psp.control.must('POST', '/payouts/P1', { status: 'NAO_REALIZADO', reason: 'Devolvido' })
  expect((await find('P1')).status).toBe('NAO_REALIZADO')
  expect(await balance()).toBe('100.00')
  expect((await psp.control.call('POST', '/payouts/P1', { status: 'REALIZADO' })).status).toBe(409)
})

test('money of a payout comes back later, in part, and is told', async () => {
  await send('P1')
  await settled('P1')
  await psp.control.must('POST', '/payouts/P1/return', { amount: '2.34', reason: 'Conta errada' })
  expect(await find('P1')).toMatchObject({
    status: 'REALIZADO',
    devolucoes: [{ valor: '2.34', motivo: 'Conta errada' }],
  })
  const [, told] = await receiver.waitForPix(2)
  expect(told).toMatchObject({ status: 'REALIZADO', devolucoes: [{ valor: '2.34' }], gnExtras: { idEnvio: 'P1' } })
  expect(await balance()).toBe('90.00')
  const query = { ...period(), devolucaoPresente: true }
  expect((await client.own('GET', '/v2/gn/pix/enviados', undefined, { query })).body.pix).toHaveLength(1)
})

test('a payout that nobody asked for is in the list', async () => {
  await psp.control.must('POST', '/payouts', { amount: '5.00' })
  const { body } = await client.own('GET', '/v2/gn/pix/enviados', undefined, { query: period() })
  expect(body.pix).toMatchObject([{ valor: '5.00', favorecido: { chave: 'alguem@example.com' } }])
})

test('the fee of a payout comes off when it is done', async () => {
  await psp.control.must('PATCH', '/merchants/merchant-1', { payoutFee: { percentage: '0.00', fixed: '1.50' } })
  await send('P1')
  await settled('P1')
  expect(await balance()).toBe('86.16')
})

test('404: other profiles have no payouts', async () => {
  const bb = await startTestPsp({ profile: 'bb' })
  expect((await bb.client.own('PUT', '/v3/gn/pix/P1', {})).status).toBe(404)
  await bb.close()
})
