import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays, onBusinessDay, saoPauloDate } from '../../../src/domain/calendar.ts'
import { dueChargeBody, newTxid, period, violatedFields } from '../../support/psp/charges.ts'
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

const today = (): string => saoPauloDate(new Date())
/** A business day some days from now, so that due dates are not moved. */
const dueDate = (): string => onBusinessDay(addDays(today(), 10))

const TERMS = { multa: { modalidade: 2, valorPerc: '3.00' }, juros: { modalidade: 2, valorPerc: '1.00' } }

const makeDue = async (value: Record<string, unknown> = {}): Promise<string> => {
  const txid = newTxid()
  const answer = await client.call('PUT', `/cobv/${txid}`, dueChargeBody(client, dueDate(), value))
  expect(answer.status).toBe(201)
  return txid
}

const daysUntil = (date: string): number => (Date.parse(date) - Date.parse(today())) / 86_400_000

test('201: a charge with a due date names payer and receiver', async () => {
  const txid = newTxid()
  const { status, body } = await client.call('PUT', `/cobv/${txid}`, dueChargeBody(client, dueDate(), TERMS))
  expect(status).toBe(201)
  expect(body).toMatchObject({
    txid,
    status: 'ATIVA',
    calendario: { dataDeVencimento: dueDate(), validadeAposVencimento: 30 },
    valor: { original: '100.00', ...TERMS },
    recebedor: { nome: client.merchant.name, cnpj: client.merchant.cnpj, cidade: 'São Paulo', uf: 'SP' },
  })
  expect(body.location).toMatch(/\/qr\/v2\/cobv\//)
  expect((await client.call('GET', `/cobv/${txid}`)).body).toEqual(body)
})

test('201: the same request again; 409: another content', async () => {
  const txid = newTxid()
  const first = await client.call('PUT', `/cobv/${txid}`, dueChargeBody(client, dueDate()))
  expect((await client.call('PUT', `/cobv/${txid}`, dueChargeBody(client, dueDate()))).body).toEqual(first.body)
  expect((await client.call('PUT', `/cobv/${txid}`, dueChargeBody(client, dueDate(), TERMS))).status).toBe(409)
})

test('before the due date it is paid as it is, or less a discount', async () => {
  const desconto = { modalidade: 1, descontoDataFixa: [{ data: today(), valorPerc: '30.00' }] }
  const pix = await psp.control.pay({ txid: await makeDue({ desconto, ...TERMS }) })
  expect(pix).toMatchObject({
    valor: '70.00',
    componentesValor: { original: { valor: '100.00' }, desconto: { valor: '30.00' } },
  })
  expect(await psp.control.pay({ txid: await makeDue(TERMS) })).toMatchObject({ valor: '100.00' })
})

test('two days late it is paid with fine and interest, which the Pix tells, as the standard’s own example has it', async () => {
  const txid = await makeDue(TERMS)
  const twoDaysLate = addDays(dueDate(), 2)
  await psp.control.must('POST', '/clock/advance', { days: daysUntil(twoDaysLate) })
  client.logOut()
  const { endToEndId } = await psp.control.pay({ txid })
  const { body } = await client.call('GET', `/pix/${endToEndId}`)
  expect(body).toMatchObject({
    valor: '105.00',
    componentesValor: { original: { valor: '100.00' }, multa: { valor: '3.00' }, juros: { valor: '2.00' } },
  })
  expect((await client.call('GET', `/cobv/${txid}`)).body).toMatchObject({ status: 'CONCLUIDA', pix: [{ endToEndId }] })
})

test('after its last day payers’ banks refuse it, and it stays ATIVA', async () => {
  const txid = await makeDue()
  await psp.control.must('POST', '/clock/advance', { days: 60 })
  client.logOut()
  const refused = await psp.control.call('POST', '/payments', { txid })
  expect(refused.status).toBe(409)
  expect(refused.body.error).toMatch(/last day/)
  expect((await client.call('GET', `/cobv/${txid}`)).body.status).toBe('ATIVA')
  expect(await psp.control.pay({ txid, force: true })).toMatchObject({ valor: '100.00' })
})

test('200: a revision moves the due date; a removal ends it', async () => {
  const txid = await makeDue()
  const moved = addDays(dueDate(), 7)
  const revised = await client.call('PATCH', `/cobv/${txid}`, { calendario: { dataDeVencimento: moved } })
  expect(revised.body).toMatchObject({
    revisao: 1,
    calendario: { dataDeVencimento: moved, validadeAposVencimento: 30 },
    valor: { original: '100.00' },
  })
  const removed = await client.call('PATCH', `/cobv/${txid}`, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' })
  expect(removed.body.status).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR')
})

test.each([
  ['no debtor', { devedor: undefined }, 'cobv.devedor'],
  ['a due date that is over', { calendario: { dataDeVencimento: '2020-01-02' } }, 'cobv.calendario.dataDeVencimento'],
  ['a date that is none', { calendario: { dataDeVencimento: '2026-02-30' } }, 'cobv.calendario.dataDeVencimento'],
  [
    'a fine of kind 3',
    { valor: { original: '1.00', multa: { modalidade: 3, valorPerc: '1.00' } } },
    'cobv.valor.multa.modalidade',
  ],
  [
    'a discount of kind 1 without dates',
    { valor: { original: '1.00', desconto: { modalidade: 1, valorPerc: '1.00' } } },
    'cobv.valor.desconto',
  ],
])('400: %s', async (_what, changes, field) => {
  const answer = await client.call('PUT', `/cobv/${newTxid()}`, { ...dueChargeBody(client, dueDate()), ...changes })
  expect(answer.status).toBe(400)
  expect(answer.body.type).toBe('https://pix.bcb.gov.br/api/v2/error/CobVOperacaoInvalida')
  expect(violatedFields(answer).some((violated) => violated.startsWith(field))).toBe(true)
})

test('400: a discount for a day after the due date', async () => {
  const desconto = { modalidade: 1, descontoDataFixa: [{ data: addDays(dueDate(), 1), valorPerc: '1.00' }] }
  const answer = await client.call('PUT', `/cobv/${newTxid()}`, dueChargeBody(client, dueDate(), { desconto }))
  expect(answer.status).toBe(400)
  expect(violatedFields(answer)).toEqual(['cobv.valor.desconto'])
})

test('404: one of the other kind', async () => {
  const txid = await makeDue()
  expect((await client.call('GET', `/cob/${txid}`)).status).toBe(404)
  const answer = await client.call('GET', `/cobv/${newTxid()}`)
  expect(answer.body.type).toBe('https://pix.bcb.gov.br/api/v2/error/CobVNaoEncontrada')
})

test('200: a list has those of its kind alone', async () => {
  const txid = await makeDue()
  const { body } = await client.call('GET', '/cobv', undefined, { query: period() })
  expect(body.cobs).toMatchObject([{ txid }])
  expect((await client.call('GET', '/cob', undefined, { query: period() })).body.cobs).toEqual([])
})
