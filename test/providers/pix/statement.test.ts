import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../src/clock.ts'
import { addDays, saoPauloDate, startOfSaoPauloDay } from '../../../src/domain/calendar.ts'
import { createLogger } from '../../../src/logging/logger.ts'
import { RECORD_KINDS } from '../../../src/providers/pix/api/efi/reports.ts'
import { createPixStatement } from '../../../src/providers/pix/pix.statement.ts'
import type { StatementLine } from '../../../src/providers/provider.port.ts'
import { fileForm } from '../../support/administrators.ts'
import type { TestApp } from '../../support/app.ts'
import { adminToken } from '../../support/factories.ts'
import { createPayment, sellingSeller } from '../../support/payments.ts'
import { openPixApi } from '../../support/psp/pix-api.ts'
import { receivedRows, runPixJobs, startPixApp } from '../../support/psp/pix-app.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'
import { refunded } from '../../support/refunds.ts'
import { configure, earn, requested } from '../../support/withdrawals.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

let psp: TestPsp
let app: TestApp
let token: string
let date: string

beforeAll(async () => {
  psp = await startTestPsp()
  app = await startPixApp(psp)
  token = await adminToken(app)
  date = saoPauloDate(app.clock.now())
  await runPixJobs(app, ['readReceivedPix'])
  await psp.control.must('POST', '/merchants/merchant-1/balance', { amount: '1000.00' })
})

afterAll(async () => {
  await app.close()
  await psp.close()
})

const reconcile = async () => {
  const asked = await app.api.post('admin/reconciliations', { token, body: { provider: 'efi', date } })
  expect([asked.status, asked.body.status]).toEqual([202, 'running'])
  await app.services.jobs.reconcileProviders.runOnce()
  return (await app.api.get(`admin/reconciliations/${asked.body.id}`, { token })).body
}

const openExceptions = async () =>
  (await app.api.get('admin/reconciliation-exceptions?status=open', { token })).body.data

/** A day with everything that Pix has: payments, one paid twice, a refund, a lost claim and a payout. */
const busyDay = async () => {
  const seller = await sellingSeller(app)
  await earn(app, seller.id, 50_000)
  const payments = [
    await createPayment(app, seller),
    await createPayment(app, seller),
    await createPayment(app, seller),
  ]
  const pix = await Promise.all(payments.map((payment) => psp.control.pay({ txid: payment.pix.txid })))
  await psp.control.pay({ txid: payments[0].pix.txid, force: true })
  await runPixJobs(app, ['readReceivedPix'])
  await refunded(app, seller, payments[1].id, 2_500)
  const infraction = await psp.control.must('POST', '/infractions', { e2eId: pix[2]?.endToEndId })
  await runPixJobs(app, ['sendRefunds', 'reconcileRefunds', 'readInfractions'])
  await psp.control.must('POST', `/infractions/${infraction.idInfracao}`, { status: 'ACEITA' })
  await configure(app, seller.id, { autoApproveMaxAmount: 1_000_000 })
  await requested(app, seller, { amount: 2_000 })
  await runPixJobs(app, ['readReceivedPix', 'readInfractions', 'payWithdrawals'])
  app.clock.setOffsetMs(app.clock.offsetMs() + 61_000)
  await runPixJobs(app, ['reconcilePayouts'])
  return (await receivedRows(app)).find(({ status }) => status === 'open').end_to_end_id as string
}

test('a day is compared with the PSP’s lists: all agrees but what was paid twice, until it went back', async () => {
  const twice = await busyDay()
  // The day is over, and the night has not begun in which the job finds more to compare by itself.
  app.clock.setOffsetMs(startOfSaoPauloDay(addDays(date, 1)).getTime() + HOUR_MS - Date.now())
  expect(await reconcile()).toMatchObject({ status: 'exceptions', matchedCount: 6, exceptionCount: 1 })
  expect(await openExceptions()).toMatchObject([
    { kind: 'missing_here', lineKind: 'charge', endToEndId: twice, providerAmount: 10_000, platformAmount: 0 },
  ])
  const body = { resolution: 'refund_payer', reason: 'Paid twice.' }
  expect((await app.api.post(`admin/received-pix/${twice}/resolve`, { token, body })).status).toBe(200)
  await runPixJobs(app, ['refundReceivedPix'])
  const { providerAmount, platformAmount, ...again } = await reconcile()
  expect(again).toMatchObject({ status: 'balanced', matchedCount: 8, exceptionCount: 0 })
  expect([providerAmount, platformAmount]).toEqual([15_500, 15_500])
})

test('a list that cannot be read leaves the day as it was, and the next run compares it', async () => {
  await psp.control.plant({ operation: 'gn.enviados.list', action: { kind: 'status', status: 503 }, count: 1 })
  const asked = await app.api.post('admin/reconciliations', { token, body: { provider: 'efi', date } })
  const run = () => app.services.jobs.reconcileProviders.runOnce()
  await expect(run()).rejects.toThrow('the PSP does not tell what happened: unknown http_503')
  const found = async () => (await app.api.get(`admin/reconciliations/${asked.body.id}`, { token })).body
  expect((await found()).status).toBe('running')
  await run()
  expect(await found()).toMatchObject({ status: 'balanced', matchedCount: 8 })
})

const linesOf = async (day: string, clock = systemClock): Promise<StatementLine[]> => {
  const { api, log } = openPixApi(psp)
  const logger = createLogger({ production: true, logLevel: 'trace' }, { write: (line) => void log.push(line) })
  const lines = []
  const [from, to] = [startOfSaoPauloDay(day), startOfSaoPauloDay(addDays(day, 1))]
  for await (const line of createPixStatement({ api, clock, logger }).list({ from, to })) lines.push(line)
  await api.close()
  return lines
}

test('what Efí keeps is told by its report, of days that are over', async () => {
  const receivedFee = { percentage: '1.19', fixed: '0.05' }
  await psp.control.must('PATCH', '/merchants/merchant-1', { receivedFee, payoutFee: { fixed: '0.90' } })
  const { endToEndId } = await psp.control.pay({ key: psp.client.key, amount: '200.00' })
  const payout = { pagador: { chave: psp.client.key }, favorecido: { chave: 'ana@example.com' }, valor: '7.00' }
  await psp.client.own('PUT', `/v3/gn/pix/${randomUUID().replaceAll('-', '')}`, payout)
  const feesOf = (lines: StatementLine[]) =>
    lines.filter(({ amount }) => amount === 20_000 || amount === 700).map(({ kind, feeAmount }) => [kind, feeAmount])
  expect(feesOf(await linesOf(date))).toEqual([
    ['charge', null],
    ['payout', null],
  ])
  await psp.control.must('POST', '/clock/advance', { days: 1 })
  const tomorrow = { now: () => new Date(Date.now() + DAY_MS) }
  const lines = await linesOf(date, tomorrow)
  expect(feesOf(lines)).toEqual([
    ['charge', 243],
    ['payout', 90],
  ])
  expect(lines.find((line) => line.endToEndId === endToEndId)).toMatchObject({ reference: endToEndId })
  // An account that may not read reports has its statement all the same.
  const { merchants } = (await psp.control.must('GET', '/merchants')) as { merchants: { scopes: string[] }[] }
  const scopes = merchants[0]?.scopes.filter((scope) => !scope.startsWith('gn.reports'))
  await psp.control.must('PATCH', '/merchants/merchant-1', { scopes })
  expect(feesOf(await linesOf(date, tomorrow))).toEqual([
    ['charge', null],
    ['payout', null],
  ])
})

test('Efí’s report, handed in as it was downloaded, comes to what its lists come to', async () => {
  const { merchants } = (await psp.control.must('GET', '/merchants')) as { merchants: { scopes: string[] }[] }
  const scopes = [...(merchants[0]?.scopes ?? []), 'gn.reports.read', 'gn.reports.write']
  await psp.control.must('PATCH', '/merchants/merchant-1', { scopes })
  psp.client.logOut()
  const { runs: _before, startedAt: _from, finishedAt: _to, ...byLists } = await reconcile()
  expect(byLists).toMatchObject({ status: 'exceptions', matchedCount: 8, exceptionCount: 2 })
  const kinds = Object.fromEntries(RECORD_KINDS.map((kind) => [kind, true]))
  const body = { dataMovimento: date, tipoRegistros: kinds }
  const { id } = (await psp.client.own('POST', '/v2/gn/relatorios/extrato-conciliacao', body)).body
  const { text } = (await psp.client.own('GET', `/v2/gn/relatorios/${id}`)).body
  const form = fileForm({ provider: 'efi', date, format: 'efi' }, String(text))
  const handedIn = await app.api.post('admin/provider-statements', { token, body: form })
  expect([handedIn.status, handedIn.body.format, handedIn.body.linesCount]).toEqual([201, 'efi', 10])
  await app.services.jobs.reconcileProviders.runOnce()
  const { runs, ...byFile } = (await app.api.get(`admin/reconciliations/${byLists.id}`, { token })).body
  expect(byFile).toMatchObject(byLists)
  expect(runs[0]).toMatchObject({ cause: 'statement', statementId: handedIn.body.id })
})
