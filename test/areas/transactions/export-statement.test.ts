import { parseSync } from 'ofx-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LedgerAccount } from '../../../src/domain/ledger.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { registerSeller, type Seller } from '../../support/factories.ts'
import { movement } from '../../support/ledger.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})

afterAll(() => app.close())

type Line = Record<'TRNTYPE' | 'DTPOSTED' | 'TRNAMT' | 'FITID' | 'REFNUM' | 'NAME' | 'MEMO', string>
type Statement = {
  BANKACCTFROM: { ACCTID: string }
  BANKTRANLIST: { DTSTART: string; DTEND: string; STMTTRN?: Line | Line[] }
  LEDGERBAL: { BALAMT: string; DTASOF: string }
}

const ask = (seller: Seller, query = '') =>
  app.api.get(`transactions${query}`, { token: seller.token, headers: { accept: 'application/x-ofx' } })

const statementOf = (text: string): Statement => parseSync(text).OFX.BANKMSGSRSV1.STMTTRNRS.STMTRS

const linesOf = (text: string): Line[] => [statementOf(text).BANKTRANLIST.STMTTRN ?? []].flat()

const move = (seller: Seller, from: LedgerAccount, to: LedgerAccount, amount: number, description = 'Movement') =>
  app.services.transact((tx) =>
    tx.ledger.post([{ ...movement(seller.id, app.services.newId(), from, to, amount), description }], app.clock.now()),
  )

const advance = (ms: number) => app.clock.setOffsetMs(app.clock.offsetMs() + ms)

const timeOf = (text: string): Date => {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d\.\d{3})\[-3:BRT\]$/.exec(text) ?? []
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}-03:00`)
}

test('200: the available balance is a bank statement, oldest first, that another program reads', async () => {
  const seller = await registerSeller(app)
  await move(seller, 'clearing', 'available', 10_000)
  await move(seller, 'available', 'withdrawing', 2_501, 'Padaria & Pão <da> "esquina"')
  await move(seller, 'clearing', 'pending', 777)
  const { status, text, headers } = await ask(seller)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/x-ofx')
  expect(headers.get('content-disposition')).toBe('attachment; filename="statement.ofx"')
  expect(headers.get('vary')).toContain('accept')
  expect(text).toMatch(/^OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\n(?:[A-Z]+:[A-Z0-9]+\r\n)+\r\n<OFX>\r\n/)
  expect(text).toContain('<MEMO>Padaria &amp; Pao &lt;da&gt; "esquina"</MEMO>')
  const [first, second, ...more] = linesOf(text)
  expect(more).toEqual([])
  expect([first?.TRNTYPE, first?.TRNAMT, first?.NAME]).toEqual(['CREDIT', '100.00', 'Movement'])
  expect([second?.TRNTYPE, second?.TRNAMT]).toEqual(['DEBIT', '-25.01'])
  expect(statementOf(text).LEDGERBAL.BALAMT).toBe('74.99')
  expect(statementOf(text).BANKACCTFROM.ACCTID).toBe(
    Buffer.from(seller.id.replaceAll('-', ''), 'hex').toString('base64url'),
  )
})

test('200: each line has the id, the time in UTC-3 and the reference of its row, however often it is read', async () => {
  const seller = await registerSeller(app)
  for (const amount of [1, 2, 3]) await move(seller, 'clearing', 'available', amount)
  const { body } = await app.api.get('transactions?sort=createdAt', { token: seller.token })
  type Row = { id: string; createdAt: string; referenceId: string }
  const shown = (body.data as Row[]).map(({ id, createdAt, referenceId }) => [
    id,
    createdAt,
    referenceId.replaceAll('-', ''),
  ])
  for (const { text } of [await ask(seller), await ask(seller)]) {
    const lines = linesOf(text)
    expect(lines.map((line) => [line.FITID, timeOf(line.DTPOSTED).toISOString(), line.REFNUM])).toEqual(shown)
    expect(timeOf(statementOf(text).BANKTRANLIST.DTSTART).toISOString()).toBe(shown[0]?.[1])
  }
})

test('200: a period begins with what was there before it, and one without movements has its balance', async () => {
  const seller = await registerSeller(app)
  await move(seller, 'clearing', 'available', 500)
  const middle = new Date(app.clock.now().getTime() + 60_000)
  advance(120_000)
  await move(seller, 'clearing', 'available', 250)
  const end = new Date(app.clock.now().getTime() + 60_000)
  advance(120_000)
  await move(seller, 'available', 'clearing', 50)
  const query = (from: Date, to?: Date) =>
    `?from=${from.toISOString()}${to === undefined ? '' : `&to=${to.toISOString()}`}`

  const { text } = await ask(seller, query(middle, end))
  expect(linesOf(text).map(({ TRNAMT }) => TRNAMT)).toEqual(['2.50'])
  const { BANKTRANLIST, LEDGERBAL } = statementOf(text)
  expect([BANKTRANLIST.DTSTART, BANKTRANLIST.DTEND, LEDGERBAL.DTASOF].map((at) => timeOf(at).getTime())).toEqual(
    [middle, end, end].map((at) => at.getTime()),
  )
  expect(LEDGERBAL.BALAMT).toBe('7.50')

  const quiet = await ask(seller, query(end, new Date(end.getTime() + 1_000)))
  expect(linesOf(quiet.text)).toEqual([])
  expect(statementOf(quiet.text).LEDGERBAL.BALAMT).toBe('7.50')
})

test('200: more movements than one read takes arrive all, and add up to the balance', async () => {
  const seller = await registerSeller(app)
  const transfers = Array.from({ length: 1_234 }, (_, index) =>
    movement(seller.id, app.services.newId(), 'clearing', 'available', index + 1),
  )
  await app.services.transact((tx) => tx.ledger.post(transfers, app.clock.now()))
  const { text } = await ask(seller)
  const amounts = linesOf(text).map(({ TRNAMT }) => Math.round(Number(TRNAMT) * 100))
  expect(amounts).toEqual(Array.from({ length: 1_234 }, (_, index) => index + 1))
  expect(Math.round(Number(statementOf(text).LEDGERBAL.BALAMT) * 100)).toBe((1_234 * 1_235) / 2)
})

test('400: a bank statement is whole', async () => {
  const seller = await registerSeller(app)
  for (const filter of ['type=payment_received', 'bucket=pending', 'direction=debit']) {
    const { status, body } = await ask(seller, `?${filter}`)
    expect([status, body.code]).toEqual([400, 'transaction.statement_filtered'])
  }
})

test('401: no statement without a token', async () => {
  const { status } = await app.api.get('transactions', { headers: { accept: 'application/x-ofx' } })
  expect(status).toBe(401)
})
