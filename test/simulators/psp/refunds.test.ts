import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { charge } from '../../support/psp/charges.ts'
import type { PspAnswer, PspClient } from '../../support/psp/client.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'
import { until } from '../../support/until.ts'

let psp: TestPsp
let client: PspClient
/** A Pix of R$ 37,00. */
let e2eId: string

beforeAll(async () => {
  psp = await startTestPsp()
  client = psp.client
})
beforeEach(async () => {
  await psp.control.must('POST', '/reset')
  client.logOut()
  e2eId = (await psp.control.pay({ txid: await charge(client) })).endToEndId
})
afterAll(() => psp.close())

const INVALID = 'https://pix.bcb.gov.br/api/v2/error/PixDevolucaoInvalida'

const refund = (id: string, valor: string, more: Record<string, unknown> = {}): Promise<PspAnswer> =>
  client.call('PUT', `/pix/${e2eId}/devolucao/${id}`, { valor, ...more })

const find = async (id: string): Promise<PspAnswer['body']> =>
  (await client.call('GET', `/pix/${e2eId}/devolucao/${id}`)).body

const settled = (id: string): Promise<PspAnswer['body']> =>
  until(`the refund ${id} settles`, async () => {
    const body = await find(id)
    return body.status !== 'EM_PROCESSAMENTO' && body
  })

const balance = async (): Promise<string> => String((await client.own('GET', '/v2/gn/saldo')).body.saldo)

test('201: a refund is under way at first and done afterwards, and its money is gone', async () => {
  const { status, body } = await refund('R1', '7.00', { natureza: 'ORIGINAL', descricao: 'troca' })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    id: 'R1',
    valor: '7.00',
    natureza: 'ORIGINAL',
    descricao: 'troca',
    status: 'EM_PROCESSAMENTO',
  })
  expect(body.rtrId).toMatch(/^D09089356\d{12}[a-z0-9]{11}$/)
  expect(await settled('R1')).toMatchObject({ status: 'DEVOLVIDO', horario: { liquidacao: expect.any(String) } })
  expect((await client.call('GET', `/pix/${e2eId}`)).body.devolucoes).toMatchObject([{ id: 'R1', status: 'DEVOLVIDO' }])
  expect(await balance()).toBe('30.00')
})

test('several refunds go up to the amount and not beyond', async () => {
  expect((await refund('R1', '30.00')).status).toBe(201)
  const beyond = await refund('R2', '7.01')
  expect(beyond).toMatchObject({ status: 400, body: { type: INVALID } })
  expect((await refund('R3', '7.00')).status).toBe(201)
  expect((await refund('R4', '0.01')).status).toBe(400)
})

test.each([
  ['efi', 409],
  ['sicoob', 400],
] as const)('a known id is refused: %s answers %i, and the refund can be read back', async (profile, status) => {
  const bank = await startTestPsp({ profile })
  const { endToEndId } = await bank.control.pay({ txid: await charge(bank.client) })
  const path = `/pix/${endToEndId}/devolucao/R1`
  await bank.client.call('PUT', path, { valor: '1.00' })
  expect((await bank.client.call('PUT', path, { valor: '1.00' })).status).toBe(status)
  expect((await bank.client.call('PUT', path, { valor: '2.00' })).status).toBe(status)
  expect((await bank.client.call('GET', path)).body.valor).toBe('1.00')
  await bank.close()
})

test('a PSP that answers a repeat with the first refund can be asked for', async () => {
  await psp.control.must('PATCH', '/settings', { repeatedRefund: 'same' })
  const first = (await refund('R1', '1.00')).body
  const again = await refund('R1', '1.00')
  expect(again).toMatchObject({ status: 201, body: { rtrId: first.rtrId } })
  expect((await refund('R1', '2.00')).status).toBe(409)
})

test('a refund fails with a reason, its money stays, and may be sent back under another id', async () => {
  await psp.control.must('PATCH', '/settings', { refunds: { outcome: 'fail', reason: 'Conta encerrada', count: 1 } })
  await refund('R1', '37.00')
  expect(await settled('R1')).toMatchObject({ status: 'NAO_REALIZADO', motivo: 'Conta encerrada' })
  expect(await balance()).toBe('37.00')
  await refund('R2', '37.00')
  expect((await settled('R2')).status).toBe('DEVOLVIDO')
})

test('a refund that hangs is brought to its end by hand', async () => {
  await psp.control.must('PATCH', '/settings', { refunds: { outcome: 'hang' } })
  const { rtrId } = (await refund('R1', '7.00')).body
  await psp.control.must('POST', '/clock/advance', { days: 2 })
  client.logOut()
  expect((await find('R1')).status).toBe('EM_PROCESSAMENTO')
  await psp.control.must('POST', `/refunds/${rtrId}`, { status: 'DEVOLVIDO' })
  expect((await find('R1')).status).toBe('DEVOLVIDO')
  expect((await psp.control.call('POST', `/refunds/${rtrId}`, { status: 'NAO_REALIZADO' })).status).toBe(409)
})

test('a refund takes as long as the settings say, on the PSP’s clock', async () => {
  await psp.control.must('PATCH', '/settings', { refunds: { outcome: 'settle', afterMs: 86_400_000 } })
  await refund('R1', '7.00')
  expect((await find('R1')).status).toBe('EM_PROCESSAMENTO')
  await psp.control.must('POST', '/clock/advance', { days: 1 })
  client.logOut()
  expect((await settled('R1')).status).toBe('DEVOLVIDO')
})

test('without the money a refund is not done', async () => {
  await psp.control.must('POST', '/merchants/merchant-1/balance', { amount: '-36.00' })
  await refund('R1', '7.00')
  expect(await settled('R1')).toMatchObject({
    status: 'NAO_REALIZADO',
    motivo: expect.stringContaining('Saldo insuficiente'),
  })
})

test('400: after 90 days', async () => {
  await psp.control.must('POST', '/clock/advance', { days: 91 })
  client.logOut()
  expect(await refund('R1', '7.00')).toMatchObject({ status: 400, body: { type: INVALID } })
})

test.each([
  ['an amount of nothing', 'R1', '0.00'],
  ['an amount without decimals', 'R1', '7'],
  ['an id with a hyphen', 'R-1', '7.00'],
  ['an id that is too long', 'R'.repeat(36), '7.00'],
])('400: %s', async (_what, id, valor) => {
  expect(await refund(id, valor)).toMatchObject({ status: 400, body: { type: INVALID } })
})

test('404: of a Pix that is none, of another merchant, and an id that is none', async () => {
  const other = psp.clientOf('merchant-2')
  other.logOut()
  expect((await other.call('PUT', `/pix/${e2eId}/devolucao/R1`, { valor: '1.00' })).status).toBe(404)
  expect((await client.call('PUT', `/pix/${'E'.repeat(32)}/devolucao/R1`, { valor: '1.00' })).status).toBe(404)
  expect(await client.call('GET', `/pix/${e2eId}/devolucao/R9`)).toMatchObject({
    status: 404,
    body: { type: 'https://pix.bcb.gov.br/api/v2/error/PixDevolucaoNaoEncontrada' },
  })
})

test.each(['MED_FRAUDE', 'MED_OPERACIONAL', 'MED_PIX_AUTOMATICO'])(
  'the PSP sends money back by itself: %s, under an id of its own',
  async (nature) => {
    const { rtrId } = await psp.control.must('POST', `/pix/${e2eId}/refunds`, { amount: '10.00', nature })
    const { devolucoes } = (await client.call('GET', `/pix/${e2eId}`)).body
    expect(devolucoes).toMatchObject([{ rtrId, id: rtrId, natureza: nature, valor: '10.00', status: 'DEVOLVIDO' }])
    expect(await balance()).toBe('27.00')
    expect((await refund('R1', '27.01')).status).toBe(400)
    expect((await psp.control.call('POST', `/pix/${e2eId}/refunds`, { amount: '27.01' })).status).toBe(409)
  },
)
