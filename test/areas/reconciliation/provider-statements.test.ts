import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readStatementFile } from '../../../src/areas/reconciliation/statement-file.ts'
import { addDays, saoPauloDate, startOfSaoPauloDay } from '../../../src/domain/calendar.ts'
import { statementForm } from '../../support/administrators.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import { sellingSeller } from '../../support/payments.ts'
import { paidPix } from '../../support/refunds.ts'

let app: TestApp
let token: string
let seller: Seller
let date: string

beforeAll(async () => {
  app = await startTestApp()
  token = await adminToken(app)
  seller = await sellingSeller(app)
})
// Each test has a day of its own, at ten in the morning.
beforeEach(() => {
  date = addDays(saoPauloDate(app.clock.now()), 1)
  toHour(date, 10)
})
afterAll(() => app.close())

const HOUR_MS = 3_600_000
const toHour = (day: string, hour: number) =>
  app.clock.setOffsetMs(startOfSaoPauloDay(day).getTime() + hour * HOUR_MS - Date.now())

const handIn = (lines: string, as = token, day = date) =>
  app.api.post('admin/provider-statements', { token: as, body: statementForm('sandbox', day, lines) })

const dayOf = async (id: string) => {
  while ((await app.services.jobs.reconcileProviders.runOnce()) > 0);
  return (await app.api.get(`admin/reconciliations/${id}`, { token })).body
}

type Paid = { id: string; pix: { endToEndId: string | null } }

const paid = async (amount = 10_000): Promise<Paid> => {
  const { id } = await paidPix(app, seller, { amount })
  return (await app.api.get(`payments/${id}`, { token: seller.token })).body
}

const lineOf = ({ id, pix }: Paid, amount = 10_000): string =>
  `charge,${id.replaceAll('-', '')},${pix.endToEndId},${amount},,${app.clock.now().toISOString()}`

test('201: a file counts as the statement of its day, once, until another one is handed in', async () => {
  const lines = lineOf(await paid())
  toHour(addDays(date, 1), 2)
  const first = await handIn(lines)
  expect([first.status, first.body]).toMatchObject([201, { provider: 'sandbox', date, format: 'csv', linesCount: 1 }])
  const { reconciliationId } = first.body
  expect(await dayOf(reconciliationId)).toMatchObject({ status: 'balanced', matchedCount: 1, exceptionCount: 0 })
  const again = await handIn(lines)
  expect([again.status, again.body]).toStrictEqual([200, first.body])
  const short = await handIn(lines.replace(',10000,', ',9000,'))
  expect(short.status).toBe(201)
  expect(await dayOf(reconciliationId)).toMatchObject({ status: 'exceptions', exceptionCount: 1 })
  const back = await handIn(lines)
  expect([back.status, back.body.id]).toStrictEqual([200, first.body.id])
  const { runs, ...day } = await dayOf(reconciliationId)
  expect(day).toMatchObject({ status: 'balanced', exceptionCount: 0 })
  expect(runs).toMatchObject([
    { run: 3, cause: 'statement', exceptionCount: 0, correctedCount: 1, correctedBy: null },
    { run: 2, cause: 'statement', exceptionCount: 1, correctedCount: 0, correctedBy: 3 },
    { run: 1, cause: 'statement', exceptionCount: 0, correctedCount: 0, correctedBy: 2 },
  ])
  expect(new Set(runs.map(({ statementId }: { statementId: string }) => statementId)).size).toBe(2)
  const listed = await app.api.get('admin/provider-statements', { token })
  const handedIn = { createdBy: expect.any(String), reconciliationId, reconciliationStatus: 'balanced' }
  expect(listed.body.data).toStrictEqual([
    { ...short.body, ...handedIn, isCurrent: false },
    { ...first.body, ...handedIn, isCurrent: true, updatedAt: back.body.updatedAt },
  ])
})

test('a file that is handed in while the day is being compared is what counts in the end', async () => {
  const payment = await paid()
  const lines = lineOf(payment)
  toHour(addDays(date, 1), 2)
  const { statements } = app.services.providers.find('sandbox') ?? {}
  if (statements === undefined) throw new Error('the sandbox has no statement')
  const asked = await app.api.post('admin/reconciliations', { token, body: { provider: 'sandbox', date } })
  const { list } = statements
  Object.assign(statements, {
    async *list(period: { from: Date; to: Date }) {
      await handIn(lines.replace(',10000,', ',8000,'))
      yield* list(period)
    },
  })
  await app.services.jobs.reconcileProviders.runOnce().finally(() => Object.assign(statements, { list }))
  expect(await dayOf(asked.body.id)).toMatchObject({ status: 'exceptions', exceptionCount: 1, providerAmount: 8_000 })
})

test('lines are ours by end-to-end id, else by amount and minute, where no reference names us', async () => {
  const [one, two, three] = [await paid(1_111), await paid(2_222), await paid(2_222)]
  const at = app.clock.now().toISOString()
  const lines = [
    `charge,by-its-id,${one?.pix.endToEndId},1111,,${at}`,
    `charge,by-its-amount,,2222,,${at}`,
    `charge,by-its-reference,,2222,,${at}`.replace('by-its-reference', three?.id.replaceAll('-', '') ?? ''),
  ]
  toHour(addDays(date, 1), 2)
  const { body } = await handIn(lines.join('\n'))
  expect(await dayOf(body.reconciliationId)).toMatchObject({ status: 'balanced', matchedCount: 3 })
  expect(two).toBeDefined()
  const twins = await handIn(lines.slice(0, 2).join('\n'))
  // Two of ours have that amount in that minute: whose the line is cannot be said.
  expect(await dayOf(twins.body.reconciliationId)).toMatchObject({ exceptionCount: 3 })
})

test('400: a file with faults is refused whole, each line by its number', async () => {
  toHour(addDays(date, 1), 2)
  const at = `${date}T12:00:00Z`
  const { status, body } = await handIn(
    [
      `charge,a,,100,,${at}`,
      `gift,b,,100,,${at}`,
      `charge,c,,10.5,,${at}`,
      `charge,d,,100,,yesterday`,
      `charge,e,,100,,2020-01-01T12:00:00Z`,
      `charge,f,100`,
    ].join('\n'),
  )
  expect([status, body.code]).toStrictEqual([400, 'validation.failed'])
  expect(
    body.errors.map(({ path, message }: { path: string; message: string }) => `${path}: ${message}`),
  ).toStrictEqual([
    'file: Line 3: kind must be one of charge, refund, payout, dispute',
    'file: Line 4: amount must be a whole number of centavos, digits only',
    'file: Line 5: happened_at must be a moment as 2026-11-20T16:05:12Z',
    `file: Line 6: happened_at is no moment of ${date} in São Paulo`,
    'file: Line 7: has 3 fields where the header has 6',
  ])
})

const faultsOf = async (text: string): Promise<unknown[]> => {
  const faults = []
  for await (const read of readStatementFile(Readable.from([Buffer.from(text)])))
    if ('fault' in read) faults.push(read.fault)
  return faults
}

test('what is no statement at all ends with one fault', async () => {
  const header = 'kind,reference,amount,happened_at'
  expect(await faultsOf(`${header}\n`)).toStrictEqual([])
  expect(await faultsOf('kind,reference,amount')).toMatchObject([
    { line: 1, message: expect.stringContaining('happened_at') },
  ])
  expect(await faultsOf('kind,kind')).toMatchObject([{ line: 1, message: expect.stringContaining('twice') }])
  expect(await faultsOf(`${header}\n"charge,a`)).toMatchObject([{ message: expect.stringContaining('no CSV') }])
  expect(await faultsOf(`${header}\ncharge,${'a'.repeat(2_000)}`)).toMatchObject([
    { message: expect.stringContaining('no CSV') },
  ])
})

test('400: a form that lacks something or has too much; 401 and 403', async () => {
  const form = new FormData()
  form.append('date', 'today')
  form.append('color', 'blue')
  const { status, body } = await app.api.post('admin/provider-statements', { token, body: form })
  expect(status).toBe(400)
  expect(body.errors.map(({ path }: { path: string }) => path).sort()).toStrictEqual([
    'color',
    'date',
    'file',
    'provider',
  ])
  expect((await app.api.post('admin/provider-statements', { body: statementForm('sandbox', date, '') })).status).toBe(
    401,
  )
  expect((await handIn('', seller.token)).status).toBe(403)
  expect((await app.api.get('admin/provider-statements')).status).toBe(401)
  expect((await app.api.get('admin/provider-statements', { token: seller.token })).status).toBe(403)
})
