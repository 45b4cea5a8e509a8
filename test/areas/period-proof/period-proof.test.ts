import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PeriodProof, provePeriod } from '../../../src/areas/period-proof/period-proof.ts'
import { isSigned, readSigningKey, signProof } from '../../../src/areas/period-proof/signed-proof.ts'
import { createMatchingRepository } from '../../../src/areas/reconciliation/reconciliation.matching.repository.ts'
import { createDatabase, type Writer } from '../../../src/db/client.ts'
import { addDays, saoPauloDate } from '../../../src/domain/calendar.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken } from '../../support/factories.ts'
import { createPayment, sellingSeller } from '../../support/payments.ts'
import { findings, paidPix, refunded } from '../../support/refunds.ts'
import { configure, requested } from '../../support/withdrawals.ts'

let app: TestApp
let date: string
let paymentId: string
let withdrawalId: string
let refundId: string
let payerRefundId: string
let lossId: string
let folder: string
let whole: PeriodProof

const reconcile = async (day = date) => {
  const token = await adminToken(app)
  await app.api.post('admin/reconciliations', { token, body: { provider: 'sandbox', date: day } })
  while ((await app.services.jobs.reconcileProviders.runOnce()) > 0);
}

const DAY_MS = 86_400_000

const resolveAll = async () => {
  const token = await adminToken(app)
  const { body } = await app.api.get('admin/reconciliation-exceptions?status=open', { token })
  for (const { id, kind } of body.data) {
    const resolution = kind === 'missing_here' ? 'refund_payer' : 'write_off'
    await app.api.post(`admin/reconciliation-exceptions/${id}/resolve`, {
      token,
      body: { resolution, reason: 'Seen.' },
    })
  }
  await app.services.jobs.refundPayers.runOnce()
  const { rows } = await app.sql.query('select id, resolution from exception_resolutions order by resolution')
  expect(rows.map(({ resolution }) => resolution)).toStrictEqual(['refund_payer', 'write_off'])
  ;[payerRefundId, lossId] = rows.map(({ id }) => id)
}

// A day with everything: payments, a refund, payouts of a seller and of the platform, and what the books did not know; and the
// day on which that was resolved.
beforeAll(async () => {
  app = await startTestApp()
  folder = await mkdtemp(join(tmpdir(), 'period-proof-'))
  date = saoPauloDate(app.clock.now())
  const seller = await sellingSeller(app)
  await configure(app, seller.id, { autoApproveMaxAmount: 1_000_000 })
  for (let paid = 0; paid < 3; paid += 1) paymentId = (await paidPix(app, seller)).id
  refundId = (await refunded(app, seller, paymentId, 1_000)).id
  await app.services.jobs.sendRefunds.runOnce()
  withdrawalId = (await requested(app, seller, { amount: 2_000 })).id
  await app.services.jobs.payWithdrawals.runOnce()
  const body = { amount: 100, pixKeyType: 'email', pixKey: 'tesouraria@example.com', reason: 'Fees.' }
  const headers = { 'idempotency-key': randomUUID() }
  await app.api.post('admin/treasury/payouts', { token: await adminToken(app), body, headers })
  await app.services.jobs.payTreasury.runOnce()
  const lost = await createPayment(app, seller, {})
  await app.api.post(`payments/${lost.id}/cancel`, { token: seller.token })
  const token = await adminToken(app)
  await app.api.post('sandbox/faults', { token, body: { fault: 'lost_callback', id: lost.id } })
  await app.api.post('sandbox/faults', { token, body: { fault: 'ghost_payout', amount: 3_000 } })
  app.clock.setOffsetMs(app.clock.offsetMs() + DAY_MS)
  await reconcile()
  await resolveAll()
  app.clock.setOffsetMs(app.clock.offsetMs() + DAY_MS)
  await reconcile(addDays(date, 1))
  whole = await prove()
})

afterAll(async () => {
  expect(await findings(app)).toStrictEqual([])
  await app.close()
  await rm(folder, { recursive: true })
})

const prove = (from = date, to = addDays(date, 2)) =>
  provePeriod(createDatabase(app.sql), { from, to }, (tx, day) => createMatchingRepository(tx as Writer).listFound(day))

const ids = () => ({ paymentId, refundId, withdrawalId, payerRefundId, lossId })

/** Changes a table past its guards, proves, and puts the table back as it was. */
const tampered = async (table: string, statement: string) => {
  const client = await app.sql.connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query(`create temporary table kept as table ${table}`)
    const { rowCount } = await client.query(statement)
    expect(rowCount).toBeGreaterThan(0)
    return await prove()
  } finally {
    await client.query(`delete from ${table}`)
    await client.query(`insert into ${table} select * from kept`)
    await client.query('drop table kept')
    await client.query('set session_replication_role = default')
    client.release()
  }
}

test('a day is proven from the lines of its provider to its payouts, and says the same each time', async () => {
  expect(whole.findings).toEqual([])
  const [first, second] = whole.days.map(({ evidence }) =>
    Object.fromEntries(evidence.map(({ source, count }) => [source, count])),
  )
  expect(first).toMatchObject({
    statement_lines: 8,
    payments: 3,
    refunds: 1,
    withdrawals: 1,
    treasury_payouts: 1,
  })
  expect(second).toMatchObject({ statement_lines: 1, exception_resolutions: 2, payer_refunds: 1, postings: 6 })
  await reconcile()
  expect(JSON.stringify(await prove())).toBe(JSON.stringify(whole))
})

const of = (kind: string, reference: string) =>
  `transfer_id in (select id from ledger_transfers where kind = '${kind}' and reference_id = '${reference}')`

const CASES = [
  {
    what: 'another amount on the statement of the provider',
    table: 'provider_statement_lines',
    change: (id: ReturnType<typeof ids>) =>
      `update provider_statement_lines set amount = amount + 1 where subject_id = '${id.paymentId}' and kind = 'charge'`,
    check: 'the statement of the provider agrees',
    place: 'paymentId',
  },
  {
    what: 'a line less of it',
    table: 'provider_statement_lines',
    change: (id: ReturnType<typeof ids>) =>
      `delete from provider_statement_lines where subject_id = '${id.withdrawalId}'`,
    check: 'the statement of the provider agrees',
    place: 'withdrawalId',
  },
  {
    what: 'no comparison with it',
    table: 'reconciliations',
    change: () => 'delete from reconciliations',
    check: 'what moved was compared',
    place: undefined,
  },
  {
    what: 'a payment of another amount',
    table: 'payments',
    change: (id: ReturnType<typeof ids>) =>
      `update payments set paid_amount = paid_amount + 100 where id = '${id.paymentId}'`,
    check: 'payments are posted',
    place: 'paymentId',
  },
  {
    what: 'a posting of another amount on both sides',
    table: 'ledger_postings',
    change: (id: ReturnType<typeof ids>) =>
      `update ledger_postings set amount = amount + case when account = 'clearing' then -5 else 5 end
       where account in ('clearing', 'available') and ${of('payment_received', id.paymentId)}`,
    check: 'payments are posted',
    place: 'paymentId',
  },
  {
    what: 'a posting of another amount on one side',
    table: 'ledger_postings',
    change: (id: ReturnType<typeof ids>) =>
      `update ledger_postings set amount = amount + 5 where account = 'fee_revenue' and ${of('payment_received', id.paymentId)}`,
    check: 'entries balance',
    place: undefined,
  },
  {
    what: 'a posting for nothing',
    table: 'ledger_transfers',
    change: (id: ReturnType<typeof ids>) =>
      `update ledger_transfers set reference_id = gen_random_uuid() where reference_id = '${id.paymentId}'`,
    check: 'what is posted has a cause',
    place: undefined,
  },
  {
    what: 'another balance on the statement of the seller',
    table: 'ledger_postings',
    change: (id: ReturnType<typeof ids>) =>
      `update ledger_postings set balance_after_amount = balance_after_amount + 5
       where account = 'available' and ${of('withdrawal_requested', id.withdrawalId)}`,
    check: 'statements go on',
    place: undefined,
  },
  {
    what: 'a refund of another amount',
    table: 'refunds',
    change: (id: ReturnType<typeof ids>) =>
      `update refunds set amount = amount + 5, from_available_amount = from_available_amount + 5 where id = '${id.refundId}'`,
    check: 'refunds are posted',
    place: 'refundId',
  },
  {
    what: 'a payout that was not asked for',
    table: 'ledger_transfers',
    change: (id: ReturnType<typeof ids>) =>
      `delete from ledger_transfers where kind = 'withdrawal_requested' and reference_id = '${id.withdrawalId}'`,
    check: 'payouts are what sellers asked for',
    place: 'withdrawalId',
  },
  {
    what: 'a payout of another amount',
    table: 'withdrawals',
    change: (id: ReturnType<typeof ids>) =>
      `update withdrawals set net_amount = net_amount + 5, amount = amount + 5 where id = '${id.withdrawalId}'`,
    check: 'payouts are what sellers asked for',
    place: 'withdrawalId',
  },
  {
    what: 'a payout of the platform of another amount',
    table: 'treasury_payouts',
    change: () => 'update treasury_payouts set amount = amount + 1',
    check: 'payouts of the platform',
    place: undefined,
  },
  {
    what: 'a resolution of another amount than its posting',
    table: 'exception_resolutions',
    change: (id: ReturnType<typeof ids>) =>
      `update exception_resolutions set posted_amount = posted_amount - 5 where id = '${id.lossId}'`,
    check: 'resolutions of exceptions are posted',
    place: 'lossId',
  },
  {
    what: 'a resolution without its posting',
    table: 'ledger_transfers',
    change: (id: ReturnType<typeof ids>) => `delete from ledger_transfers where reference_id = '${id.lossId}'`,
    check: 'resolutions of exceptions are posted',
    place: 'lossId',
  },
  {
    what: 'a posting to another account than that of its resolution',
    table: 'ledger_postings',
    change: (id: ReturnType<typeof ids>) =>
      `update ledger_postings set account = 'provider_cost' where account = 'losses' and ${of('exception_resolved', id.lossId)}`,
    check: 'resolutions of exceptions are posted',
    place: 'lossId',
  },
  {
    what: 'a posting of an exception for which there is no resolution',
    table: 'exception_resolutions',
    change: (id: ReturnType<typeof ids>) => `delete from exception_resolutions where id = '${id.lossId}'`,
    check: 'what is posted has a cause',
    place: 'lossId',
  },
  {
    what: 'a resolution whose exception knows nothing of its posting',
    table: 'exception_resolutions',
    change: (id: ReturnType<typeof ids>) =>
      `update exception_resolutions set posted_amount = null, account = null, book_id = null where id = '${id.lossId}'`,
    check: 'exceptions were corrected by what was posted',
    place: undefined,
  },
  {
    what: 'a refund to a payer of another amount',
    table: 'payer_refunds',
    change: (id: ReturnType<typeof ids>) =>
      `update payer_refunds set amount = amount + 5 where id = '${id.payerRefundId}'`,
    check: 'refunds to payers are posted',
    place: 'payerRefundId',
  },
] as const

test.each(CASES)('$what is found, and where', async ({ table, change, check, place }) => {
  const { findings: found, sha256 } = await tampered(table, change(ids()))
  const texts = found.filter((finding) => finding.check.includes(check)).map(({ subject, detail }) => subject + detail)
  expect(texts.length).toBeGreaterThan(0)
  if (place !== undefined) expect(texts.join(' ')).toContain(ids()[place])
  // What was read is not what it was, also where nobody looks at the findings.
  expect(sha256).not.toBe(whole.sha256)
})

test('an exception that somebody settled is proven, one that is open is not', async () => {
  const client = await app.sql.connect()
  try {
    await client.query("update sandbox_records set amount = amount - 7 where kind = 'payout' and amount = 2000")
    await reconcile()
    const open = await prove()
    expect(open.findings.map(({ check }) => check)).toEqual([expect.stringContaining('somebody settled')])
    const token = await adminToken(app)
    const { body } = await app.api.get('admin/reconciliation-exceptions?status=open', { token })
    await app.api.post(`admin/reconciliation-exceptions/${body.data[0].id}/resolve`, {
      token,
      body: { resolution: 'write_off', reason: 'A fee of the bank.' },
    })
    expect((await prove()).findings).toEqual([])
    const today = saoPauloDate(app.clock.now())
    expect((await prove(today, addDays(today, 1))).findings).toEqual([])
    await client.query("update sandbox_records set amount = amount + 7 where kind = 'payout' and amount = 1993")
    await reconcile()
  } finally {
    client.release()
  }
})

test('a proof is signed by a key of its own, made once, and a changed byte is told', async () => {
  const file = join(folder, 'proof-key.pem')
  const key = readSigningKey(file)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const signed = signProof(await prove(), key)
  expect(isSigned(signed)).toBe(true)
  expect(isSigned({ ...signed, text: signed.text.replace('"count": 3', '"count": 4') })).toBe(false)
  // Made again, from the same books under the same key, it is the same to the byte.
  expect(signProof(await prove(), readSigningKey(file))).toEqual(signed)
  expect(await readFile(file, 'utf8')).toContain('PRIVATE KEY')
})
