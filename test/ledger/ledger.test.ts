import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../src/db/transaction.ts'
import { createLedgerRepository } from '../../src/ledger/ledger.repository.ts'
import { proveLedger } from '../../src/ledger/ledger-proof.ts'
import { emptyBalances, movement, startTestLedger, type TestLedger } from '../support/ledger.ts'

let ledger: TestLedger

beforeAll(async () => {
  ledger = await startTestLedger()
})

afterAll(() => ledger.close())

const balancesOf = (sellerId: string) => ledger.transact((tx) => tx.ledger.findBalances(sellerId))

test('a new book holds nothing, and so does a seller without one', async () => {
  expect(await balancesOf(await ledger.openBook())).toEqual(emptyBalances())
  expect(await balancesOf(ledger.newId())).toEqual(emptyBalances())
})

test('a posted transfer moves the balances and leaves one posting per account with the balance after it', async () => {
  const sellerId = await ledger.openBook()
  const referenceId = ledger.newId()
  const [outcome] = await ledger.post([movement(sellerId, referenceId, 'clearing', 'available', 700)])
  expect(outcome).toEqual({ posted: true, transferId: expect.any(String) })
  expect(await balancesOf(sellerId)).toEqual({ ...emptyBalances(), clearing: -700, available: 700 })
  const { rows } = await ledger.pool.query(
    `select ledger_transfers.kind, reference_id, account, amount, balance_after_amount from ledger_postings
     join ledger_transfers on ledger_transfers.id = transfer_id where ledger_postings.seller_id = $1 order by account`,
    [sellerId],
  )
  const common = { kind: 'payment_received', reference_id: referenceId }
  expect(rows).toEqual([
    { ...common, account: 'available', amount: '700', balance_after_amount: '700' },
    { ...common, account: 'clearing', amount: '-700', balance_after_amount: '-700' },
  ])
})

test('a transfer that a bucket cannot pay is refused alone and leaves nothing behind', async () => {
  const [poor, rich] = [await ledger.openBook(), await ledger.openBook()]
  const outcomes = await ledger.post([
    movement(poor, ledger.newId(), 'clearing', 'available', 100),
    movement(poor, ledger.newId(), 'available', 'withdrawing', 101),
    movement(rich, ledger.newId(), 'clearing', 'available', 500),
    movement(poor, ledger.newId(), 'available', 'withdrawing', 100),
  ])
  expect(outcomes.map((outcome) => outcome.posted)).toEqual([true, false, true, true])
  expect(outcomes[1]).toEqual({ posted: false, reason: 'insufficient_funds', account: 'available' })
  expect(await balancesOf(poor)).toEqual({ ...emptyBalances(), clearing: -100, withdrawing: 100 })
  expect(await balancesOf(rich)).toEqual({ ...emptyBalances(), clearing: -500, available: 500 })
})

test('a forced transfer takes a bucket below zero, and credits are welcome there', async () => {
  const sellerId = await ledger.openBook()
  const outcomes = await ledger.post([
    movement(sellerId, ledger.newId(), 'available', 'blocked', 900, true),
    movement(sellerId, ledger.newId(), 'clearing', 'available', 400),
    movement(sellerId, ledger.newId(), 'available', 'withdrawing', 1),
  ])
  expect(outcomes.map(({ posted }) => posted)).toEqual([true, true, false])
  expect(await balancesOf(sellerId)).toEqual({ ...emptyBalances(), available: -500, blocked: 900, clearing: -400 })
})

test('the same thing moves money only once, within a batch and later', async () => {
  const sellerId = await ledger.openBook()
  const once = movement(sellerId, ledger.newId(), 'clearing', 'available', 10)
  const [first, second] = await ledger.post([once, once])
  expect(first?.posted).toBe(true)
  expect(second).toEqual({ posted: false, reason: 'already_posted' })
  expect(await ledger.post([once])).toEqual([{ posted: false, reason: 'already_posted' }])
  expect(await balancesOf(sellerId)).toMatchObject({ available: 10 })
})

test('what was refused for want of money can be posted once the money is there', async () => {
  const sellerId = await ledger.openBook()
  const payout = movement(sellerId, ledger.newId(), 'available', 'withdrawing', 10)
  const income = movement(sellerId, ledger.newId(), 'clearing', 'available', 10)
  expect((await ledger.post([payout, income, payout])).map(({ posted }) => posted)).toEqual([false, true, true])
})

test('no transfers are no work, and the same reference of another seller is another transfer', async () => {
  expect(await ledger.post([])).toEqual([])
  const [one, other] = [await ledger.openBook(), await ledger.openBook()]
  const referenceId = ledger.newId()
  const outcomes = await ledger.post([one, other].map((id) => movement(id, referenceId, 'clearing', 'available', 1)))
  expect(outcomes.map(({ posted }) => posted)).toEqual([true, true])
})

test('hundreds of transfers over many sellers are one batch', async () => {
  const sellers = await Promise.all(Array.from({ length: 50 }, () => ledger.openBook()))
  const transfers = sellers.flatMap((sellerId) =>
    Array.from({ length: 10 }, () => movement(sellerId, ledger.newId(), 'clearing', 'available', 3)),
  )
  const outcomes = await ledger.post(transfers)
  expect(outcomes.every(({ posted }) => posted)).toBe(true)
  for (const sellerId of sellers) expect(await balancesOf(sellerId)).toMatchObject({ available: 30, clearing: -30 })
})

test('a seller without a book is a fault of ours: nothing of the batch is posted', async () => {
  const sellerId = await ledger.openBook()
  const good = movement(sellerId, ledger.newId(), 'clearing', 'available', 5)
  const stray = movement(ledger.newId(), ledger.newId(), 'clearing', 'available', 5)
  await expect(ledger.post([good, stray])).rejects.toThrow('has no account')
  expect(await balancesOf(sellerId)).toEqual(emptyBalances())
})

test('postings of a process whose clock runs behind still replay the balance in the order of their ids', async () => {
  const sellerId = await ledger.openBook()
  await ledger.post([movement(sellerId, ledger.newId(), 'clearing', 'available', 100)])
  const lateId = () => '01800000-0000-7000-8000-000000000001'
  let made = 0
  // An old clock, and yet ids of its own for the transfers.
  const newId = () => (made++ % 3 === 0 ? ledger.newId() : lateId())
  await inTransaction(ledger.db, (tx) =>
    createLedgerRepository(tx, newId).post(
      [1, 2, 3].map((amount) => movement(sellerId, ledger.newId(), 'available', 'withdrawing', amount)),
      new Date(),
    ),
  )
  const { rows } = await ledger.pool.query(
    `select balance_after_amount from ledger_postings where seller_id = $1 and account = 'available' order by id`,
    [sellerId],
  )
  expect(rows.map(({ balance_after_amount }) => Number(balance_after_amount))).toEqual([100, 99, 97, 94])
})

test('the ids of a book grow with its commits, also where a post with an older clock leaves `available` alone', async () => {
  const sellerId = await ledger.openBook()
  await ledger.post([movement(sellerId, ledger.newId(), 'clearing', 'available', 100)])
  let made = 0
  const newId = () => (made++ % 3 === 0 ? ledger.newId() : '01800000-0000-7000-8000-000000000001')
  await inTransaction(ledger.db, (tx) =>
    createLedgerRepository(tx, newId).post(
      [movement(sellerId, ledger.newId(), 'receivable', 'pending', 30)],
      new Date(),
    ),
  )
  const { rows } = await ledger.pool.query('select account from ledger_postings where seller_id = $1 order by id', [
    sellerId,
  ])
  expect(rows.map(({ account }) => account)).toEqual(['clearing', 'available', 'receivable', 'pending'])
})

test('a transfer says whether it was forced', async () => {
  const sellerId = await ledger.openBook()
  await ledger.post([
    movement(sellerId, ledger.newId(), 'available', 'blocked', 5, true),
    movement(sellerId, ledger.newId(), 'clearing', 'available', 5),
  ])
  const { rows } = await ledger.pool.query('select forced from ledger_transfers where seller_id = $1 order by id', [
    sellerId,
  ])
  expect(rows.map(({ forced }) => forced)).toEqual([true, false])
})

test('twenty posts that race for the same money never spend it twice', async () => {
  const sellerId = await ledger.openBook()
  await ledger.post([movement(sellerId, ledger.newId(), 'clearing', 'available', 70)])
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => ledger.post([movement(sellerId, ledger.newId(), 'available', 'withdrawing', 10)])),
  )
  expect(outcomes.flat().filter(({ posted }) => posted)).toHaveLength(7)
  expect(await balancesOf(sellerId)).toMatchObject({ available: 0, withdrawing: 70 })
})

test('the same transfer posted by many at once is posted by one of them', async () => {
  const sellerId = await ledger.openBook()
  const once = movement(sellerId, ledger.newId(), 'receivable', 'pending', 9)
  const outcomes = (await Promise.all(Array.from({ length: 12 }, () => ledger.post([once])))).flat()
  expect(outcomes.filter(({ posted }) => posted)).toHaveLength(1)
  expect(await balancesOf(sellerId)).toMatchObject({ pending: 9, receivable: -9 })
})

test('batches that name the same sellers in opposite orders do not wait for each other for ever', async () => {
  const sellers = await Promise.all(Array.from({ length: 8 }, () => ledger.openBook()))
  const batch = (order: readonly string[]) =>
    ledger.post(order.map((sellerId) => movement(sellerId, ledger.newId(), 'clearing', 'available', 1)))
  const rounds = Array.from({ length: 20 }, (_, round) => batch(round % 2 === 0 ? sellers : sellers.toReversed()))
  await Promise.all(rounds)
  for (const sellerId of sellers) expect(await balancesOf(sellerId)).toMatchObject({ available: 20 })
})

test('balances beyond what JavaScript counts exactly are refused, not rounded', async () => {
  const sellerId = await ledger.openBook()
  await ledger.pool.query(`update ledger_accounts set balance_amount = 9007199254740990 where seller_id = $1`, [
    sellerId,
  ])
  await expect(ledger.post([movement(sellerId, ledger.newId(), 'clearing', 'available', 2)])).rejects.toThrow(
    RangeError,
  )
  await ledger.pool.query(`update ledger_accounts set balance_amount = 0 where seller_id = $1`, [sellerId])
})

test('all that this file posted is proven', async () => {
  const findings = await proveLedger(ledger.db)
  // Movements here mean nothing, so no withdrawals, disputes or settlements stand behind them.
  expect(findings.filter(({ check }) => !check.endsWith('bucket'))).toEqual([])
})
