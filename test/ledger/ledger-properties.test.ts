import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BOOK_ACCOUNTS, isSellerAccount, type LedgerAccount } from '../../src/domain/ledger.ts'
import type { Transfer } from '../../src/domain/transfer.ts'
import { proveLedger } from '../../src/ledger/ledger-proof.ts'
import type { PostOutcome } from '../../src/ledger/posting-plan.ts'
import { emptyBalances, movement, startTestLedger, type TestLedger } from '../support/ledger.ts'

let ledger: TestLedger

beforeAll(async () => {
  ledger = await startTestLedger(12)
})

afterAll(() => ledger.close())

type Move = {
  seller: number
  from: LedgerAccount
  to: LedgerAccount
  amount: number
  forced: boolean
  /** Moves of one seller with the same reference are the same thing. */
  reference: number
}

const SELLERS = 3
const REFERENCES = 40

const move: fc.Arbitrary<Move> = fc
  .record({
    seller: fc.nat(SELLERS - 1),
    accounts: fc.shuffledSubarray([...BOOK_ACCOUNTS], { minLength: 2, maxLength: 2 }),
    amount: fc.integer({ min: 1, max: 1_000 }),
    forced: fc.boolean(),
    reference: fc.nat(REFERENCES - 1),
  })
  .map(({ accounts: [from = 'clearing', to = 'available'], ...rest }) => ({ ...rest, from, to }))

type Book = { balances: Record<LedgerAccount, number>; posted: Set<number> }
type Expected = 'posted' | 'insufficient_funds' | 'already_posted'

/** The same rules in memory, one move at a time. */
const expected = (book: Book, { from, to, amount, forced, reference }: Move): Expected => {
  if (book.posted.has(reference)) return 'already_posted'
  const left = book.balances[from] - amount
  if (!forced && isSellerAccount(from) && left < 0) return 'insufficient_funds'
  book.posted.add(reference)
  book.balances[from] = left
  book.balances[to] += amount
  return 'posted'
}

const nameOf = (outcome: PostOutcome): Expected => (outcome.posted ? 'posted' : outcome.reason)

const startBooks = async () => {
  const sellerIds = await Promise.all(Array.from({ length: SELLERS }, () => ledger.openBook()))
  const references = Array.from({ length: REFERENCES }, () => ledger.newId())
  const toTransfer = ({ seller, from, to, amount, forced, reference }: Move): Transfer =>
    movement(sellerIds[seller] ?? '', references[reference] ?? '', from, to, amount, forced)
  return { sellerIds, toTransfer }
}

const balancesOf = (sellerId: string) => ledger.transact((tx) => tx.ledger.findBalances(sellerId))

const proven = async () => (await proveLedger(ledger.db)).filter(({ check }) => !/bucket/.test(check))

test('batches of any moves do what a model in memory does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(move, { minLength: 1, maxLength: 30 }), { maxLength: 6 }), async (batches) => {
      const { sellerIds, toTransfer } = await startBooks()
      const books: Book[] = sellerIds.map(() => ({ balances: emptyBalances(), posted: new Set() }))
      for (const batch of batches) {
        const outcomes = await ledger.post(batch.map(toTransfer))
        const model = batch.map((one) =>
          expected(books[one.seller] ?? { balances: emptyBalances(), posted: new Set() }, one),
        )
        expect(outcomes.map(nameOf)).toEqual(model)
      }
      for (const [index, sellerId] of sellerIds.entries()) {
        expect(await balancesOf(sellerId)).toEqual(books[index]?.balances)
      }
    }),
    { numRuns: 40 },
  )
  expect(await proven()).toEqual([])
})

test('unforced moves posted by many connections at once never overdraw, whatever their order', async () => {
  const unforced = move.map((one) => ({ ...one, forced: false }))
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(unforced, { minLength: 1, maxLength: 8 }), { maxLength: 12 }),
      async (batches) => {
        const { sellerIds, toTransfer } = await startBooks()
        await ledger.post(
          sellerIds.map((sellerId) => movement(sellerId, ledger.newId(), 'clearing', 'available', 1_500)),
        )
        await Promise.all(batches.map((batch) => ledger.post(batch.map(toTransfer))))
        for (const sellerId of sellerIds) {
          const balances = await balancesOf(sellerId)
          const total = Object.values(balances).reduce<number>((sum, amount) => sum + amount, 0)
          expect(total).toBe(0)
          for (const account of BOOK_ACCOUNTS.filter(isSellerAccount)) {
            expect(balances[account]).toBeGreaterThanOrEqual(0)
          }
        }
        const { rows } = await ledger.pool.query(
          `select min(balance_after_amount) as lowest from ledger_postings
         where seller_id = any($1) and account in ('available', 'pending', 'reserved', 'blocked', 'withdrawing')`,
          [sellerIds],
        )
        expect(Number(rows[0].lowest)).toBeGreaterThanOrEqual(0)
      },
    ),
    { numRuns: 25 },
  )
  expect(await proven()).toEqual([])
})
