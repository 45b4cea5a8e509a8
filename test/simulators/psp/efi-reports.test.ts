import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays, saoPauloDate } from '../../../src/domain/calendar.ts'
import { charge } from '../../support/psp/charges.ts'
import type { PspAnswer, PspClient } from '../../support/psp/client.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'
import { until } from '../../support/until.ts'

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

const ALL = {
  ...{ pixRecebido: true, tarifaPixRecebido: true, pixEnviadoChave: true, pixEnviadoDadosBancarios: true },
  ...{ estornoPixEnviado: true, tarifaPixEnviado: true, pixDevolucaoEnviada: true, pixDevolucaoRecebida: true },
  ...{ saldoDia: true, saldoDiaAnterior: true },
}

const today = saoPauloDate(new Date())

const ask = (dataMovimento: string, tipoRegistros: Record<string, boolean> = ALL): Promise<PspAnswer> =>
  client.own('POST', '/v2/gn/relatorios/extrato-conciliacao', { dataMovimento, tipoRegistros })

const lines = async (id: unknown): Promise<string[][]> => {
  const { status, contentType, body } = await client.own('GET', `/v2/gn/relatorios/${id}`)
  expect(status).toBe(200)
  expect(contentType).toMatch(/^text\/csv/)
  return String(body.text)
    .trimEnd()
    .split('\n')
    .map((line) => line.split(';'))
}

const nextDay = async (): Promise<void> => {
  await psp.control.must('POST', '/clock/advance', { days: 1 })
  client.logOut()
}

/** A day with everything: 37.00 received for 0.47, 7.00 sent back, 5.00 paid out for 1.50, 2.00 of it returned. */
const liveThrough = async (): Promise<{ txid: string; e2eId: string }> => {
  await psp.control.must('PATCH', '/merchants/merchant-1', {
    receivedFee: { percentage: '1.00', fixed: '0.10' },
    payoutFee: { percentage: '0.00', fixed: '1.50' },
  })
  const info = 'dividido; em duas'
  const txid = await charge(client, { infoAdicionais: [{ nome: 'loja', valor: 'centro; sul' }] })
  const { endToEndId: e2eId } = await psp.control.pay({ txid, payer: { info } })
  await client.call('PUT', `/pix/${e2eId}/devolucao/R1`, { valor: '7.00' })
  await client.own('PUT', '/v3/gn/pix/P1', {
    valor: '5.00',
    pagador: { chave: client.key },
    favorecido: { chave: 'a@b.com' },
  })
  const isDone = async () => (await client.own('GET', '/v2/gn/pix/enviados/id-envio/P1')).body.status === 'REALIZADO'
  await until('the payout is done', isDone)
  await psp.control.must('POST', '/payouts/P1/return', { amount: '2.00' })
  return { txid, e2eId }
}

test('the statement of a day has each movement as a record, balances and a trailer that counts them', async () => {
  const { txid, e2eId } = await liveThrough()
  await nextDay()
  const report = await ask(today)
  expect(report).toMatchObject({ status: 202, body: { id: expect.any(String), status: 'CONCLUIDO' } })
  const rows = await lines(report.body.id)
  const byKind = Object.fromEntries(rows.map((row) => [row[0], row]))
  expect(byKind.CA?.slice(5)).toEqual([
    client.merchant.name,
    addDays(today, 1),
    today,
    'Extrato de Conciliação API Pix',
    '1.0',
  ])
  expect(byKind.SD0).toEqual(['SD0', '0.00', addDays(today, -1)])
  expect(byKind.SD1).toEqual(['SD1', '25.03', today])
  expect(byKind.PR?.slice(2, 6)).toEqual([e2eId, txid, '37.00', '52998224725'])
  expect(Buffer.from(byKind.PR?.[6] ?? '', 'base64').toString()).toBe('dividido; em duas')
  expect(JSON.parse(Buffer.from(byKind.PR?.[7] ?? '', 'base64').toString())).toEqual([
    { nome: 'loja', valor: 'centro; sul' },
  ])
  expect(byKind.TPR?.slice(2, 4)).toEqual([e2eId, '0.47'])
  expect(byKind.PDE?.slice(2, 5)).toEqual([e2eId, txid, 'R1'])
  expect(byKind.PEC?.slice(3, 6)).toEqual(['P1', '5.00', 'a@b.com'])
  expect(byKind.TPE?.[3]).toBe('1.50')
  expect(byKind.PDR?.[4]).toBe('2.00')
  expect(byKind.T).toEqual(['T', '6', '1', '1', '2', '0', '2', '0', '0', '0', '0', '0', '0'])
})

test('only the records that were asked for', async () => {
  await liveThrough()
  await nextDay()
  const rows = await lines((await ask(today, { pixRecebido: true, saldoDia: false })).body.id)
  expect(rows.map(([kind]) => kind)).toEqual(['CA', 'PR', 'T'])
})

test('the same statement asked for again has the same id', async () => {
  await nextDay()
  const first = await ask(today)
  expect((await ask(today)).body.id).toBe(first.body.id)
  expect((await ask(today, { pixRecebido: true })).body.id).not.toBe(first.body.id)
})

test('202: a statement takes as long as the settings say', async () => {
  await psp.control.must('PATCH', '/settings', { reportsAfterMs: 30_000 })
  await nextDay()
  const { body } = await ask(today)
  expect(body.status).toBe('AGUARDANDO_PROCESSAMENTO')
  expect(await client.own('GET', `/v2/gn/relatorios/${body.id}`)).toMatchObject({ status: 202, body })
  await psp.control.must('POST', '/clock/advance', { seconds: 31 })
  await lines(body.id)
})

test('400: a day that is not over, and a kind of records that is none', async () => {
  expect(await ask(today)).toMatchObject({ status: 400, body: { detail: expect.stringContaining('anterior') } })
  expect((await ask('2026-01-01', { pixRecebidos: true })).status).toBe(400)
})

test('404: the statement of another merchant', async () => {
  await nextDay()
  const { body } = await ask(today)
  const other = psp.clientOf('merchant-2')
  other.logOut()
  expect((await other.own('GET', `/v2/gn/relatorios/${body.id}`)).status).toBe(404)
})

test('tests see a day of any account at once, as JSON and as CSV', async () => {
  await liveThrough()
  const statement = await psp.control.must('GET', `/statement?merchant=merchant-1&date=${today}`)
  expect(statement).toMatchObject({ openingBalance: '0.00', closingBalance: '25.03' })
  const movements = (statement.movements as { kind: string; amount: string }[]).map(({ kind, amount }) => [
    kind,
    amount,
  ])
  expect(movements.toSorted()).toEqual([
    ['PDE', '-7.00'],
    ['PDR', '2.00'],
    ['PEC', '-5.00'],
    ['PR', '37.00'],
    ['TPE', '-1.50'],
    ['TPR', '-0.47'],
  ])
  const { text } = await psp.control.must('GET', '/statement?format=csv')
  expect(text).toMatch(/^CA;/)
})
