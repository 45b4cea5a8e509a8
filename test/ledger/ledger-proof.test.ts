import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addDays, saoPauloDate } from '../../src/domain/calendar.ts'
import { centavos, ZERO } from '../../src/domain/money.ts'
import { reserveHeld } from '../../src/domain/transfers.ts'
import { createChainLedger } from '../../src/jobs/chain-ledger.ts'
import { chainKey } from '../../src/ledger/chain-seal.ts'
import { proveLedger } from '../../src/ledger/ledger-proof.ts'
import { movement, startTestLedger, type TestLedger } from '../support/ledger.ts'
import { insertPayment, insertSettlement, type RowTarget } from '../support/payment-rows.ts'

let ledger: TestLedger
let rows: RowTarget
let sellerId: string

beforeEach(async () => {
  ledger = await startTestLedger(2)
  rows = { sql: ledger.pool, newId: ledger.newId }
  sellerId = await ledger.openBook()
  await ledger.post([movement(sellerId, ledger.newId(), 'clearing', 'available', 100)])
})

afterEach(() => ledger.close())

const prove = () => proveLedger(ledger.db)

// The guards are taken away as only the database's owner can: what is proven must not rest on them.
const tamper = async (statement: string, parameters: readonly unknown[] = []) => {
  for (const table of ['ledger_transfers', 'ledger_postings']) {
    await ledger.pool.query(`alter table ${table} disable trigger user`)
  }
  await ledger.pool.query(statement, [...parameters])
}

test('books that nobody tampered with are proven', async () => {
  expect(await prove()).toEqual([])
})

test('a balance that its postings do not explain is found', async () => {
  await tamper(`update ledger_accounts set balance_amount = 101 where seller_id = $1 and account = 'available'`, [
    sellerId,
  ])
  expect(await prove()).toEqual([
    { check: 'balances equal their postings', sellerId, subject: 'available', detail: 'balance 101, postings 100' },
    { check: 'books sum to zero', sellerId, subject: 'book', detail: 'accounts sum to 1' },
  ])
})

test('an unbalanced transfer and a statement that does not replay are found', async () => {
  await tamper(`update ledger_postings set amount = 99 where seller_id = $1 and account = 'available'`, [sellerId])
  expect((await prove()).map(({ check, detail }) => [check, detail])).toEqual([
    ['transfers sum to zero', 'postings sum to -1'],
    ['balances equal their postings', 'balance 100, postings 99'],
    ['postings replay to their balances', 'available says 100, replay says 99'],
  ])
})

test('a transfer without postings, and a book that lost its place, are found', async () => {
  await tamper(`update ledger_accounts set last_posting_id = null where seller_id = $1 and account = 'available'`, [
    sellerId,
  ])
  await tamper(
    `insert into ledger_transfers (seller_id, id, kind, reference_type, reference_id, description, legs, forced, created_at)
     values ($1, $2, 'reserve_held', 'hold', $2, '', 2, false, now())`,
    [sellerId, ledger.newId()],
  )
  expect((await prove()).map(({ check }) => check)).toEqual([
    'transfers have postings',
    'books know their last posting',
  ])
})

test('a reserve without a hold, and a hold without a reserve, are found', async () => {
  const paymentId = await insertPayment(rows, sellerId)
  const hold = { sellerId, holdId: ledger.newId(), method: 'pix' as const, amount: centavos(30) }
  await ledger.post([reserveHeld(hold)])
  const finding = { check: 'held reserves equal the reserved bucket', sellerId, subject: 'reserved' }
  expect(await prove()).toEqual([{ ...finding, detail: 'balance 30, rows 0' }])
  const now = new Date()
  const row = {
    ...hold,
    id: hold.holdId,
    paymentId,
    releasedAmount: ZERO,
    consumedAmount: ZERO,
    status: 'held' as const,
    heldAt: now,
    releaseAt: now,
    createdAt: now,
    updatedAt: now,
  }
  await ledger.transact((tx) => tx.reserveHolds.insert([row]))
  expect(await prove()).toEqual([])
  await ledger.transact((tx) => tx.reserveHolds.insert([{ ...row, id: ledger.newId(), amount: centavos(5) }]))
  expect(await prove()).toEqual([{ ...finding, detail: 'balance 30, rows 35' }])
})

test('pending money without a settlement that waits for it is found', async () => {
  await ledger.post([movement(sellerId, ledger.newId(), 'receivable', 'pending', 70)])
  const finding = { check: 'waiting settlements equal the pending bucket', sellerId, subject: 'pending' }
  expect(await prove()).toEqual([{ ...finding, detail: 'balance 70, rows 0' }])
  const paymentId = await insertPayment(rows, sellerId)
  const availableOn = addDays(saoPauloDate(new Date()), 30)
  await insertSettlement(rows, { sellerId, paymentId, installment: 1, amount: 70, availableOn })
  expect(await prove()).toEqual([])
})

test('a bucket other than available below zero is found', async () => {
  await ledger.post([movement(sellerId, ledger.newId(), 'withdrawing', 'clearing', 1, true)])
  expect((await prove()).map(({ check }) => check)).toEqual([
    'open withdrawals equal the withdrawing bucket',
    'no bucket but available is below zero',
  ])
})

test('a debit below zero that nobody forced is found, a forced one is not', async () => {
  await ledger.post([movement(sellerId, ledger.newId(), 'available', 'clearing', 150, true)])
  expect(await prove()).toEqual([])
  await tamper('update ledger_transfers set forced = false where seller_id = $1', [sellerId])
  expect(await prove()).toEqual([
    {
      check: 'only forced debits end below zero',
      sellerId,
      subject: expect.any(String),
      detail: 'available at -50 after an unforced payment_received',
    },
  ])
})

test('a faulty book is found in whatever step of the proof it is, and only once', async () => {
  const others = await Promise.all(Array.from({ length: 4 }, () => ledger.openBook()))
  await tamper(`update ledger_accounts set balance_amount = 7 where account = 'losses'`)
  for (const booksMax of [1, 2, 3, 5, 100]) {
    const found = (await proveLedger(ledger.db, booksMax)).filter(({ check }) => check === 'books sum to zero')
    expect(found.map((finding) => finding.sellerId)).toEqual([sellerId, ...others].sort())
  }
})

// A process of its own, three times over.
const COMMAND_MS = 60_000

const verify = (...options: string[]) =>
  promisify(execFile)(process.execPath, ['scripts/ledger-verify.ts', ...options], {
    env: {
      ...process.env,
      DATABASE_URL: ledger.url,
      NODE_ENV: 'development',
      ENCRYPTION_KEY: 'k'.repeat(32),
      JWT_SECRET: 's'.repeat(32),
    },
  })

test(
  'the command ends with 0 where the ledger is proven',
  async () => {
    expect((await verify()).stdout).toContain('The ledger is proven')
  },
  COMMAND_MS,
)

test(
  'the command compares the chains with anchors that it is given',
  async () => {
    const chain = createChainLedger({ ...ledger, key: chainKey('k'.repeat(32)) })
    await chain.runOnce()
    const { anchoredAt, anchor } = await chain.anchor()
    const early = `${anchoredAt.toISOString()}=${anchor}`
    const none = `${anchoredAt.toISOString()}=${'0'.repeat(64)}`
    expect((await verify('--anchor', early)).stdout).toContain('The ledger is proven')
    await expect(verify('--anchor', early, '--anchor', none)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${anchoredAt.toISOString()}: the chains of that time are not these`),
    })
  },
  COMMAND_MS,
)

test(
  'the command ends with 1 where it is not, and says what is wrong where',
  async () => {
    await tamper(`update ledger_accounts set balance_amount = 7 where seller_id = $1 and account = 'losses'`, [
      sellerId,
    ])
    await expect(verify()).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `balances equal their postings: seller ${sellerId}, losses: balance 7, postings 0`,
      ),
    })
  },
  COMMAND_MS,
)
