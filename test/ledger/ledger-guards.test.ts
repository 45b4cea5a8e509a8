import { afterAll, beforeAll, expect, test } from 'vitest'
import { violates } from '../../src/db/errors.ts'
import { movement, startTestLedger, type TestLedger } from '../support/ledger.ts'

let ledger: TestLedger
let sellerId: string

beforeAll(async () => {
  ledger = await startTestLedger()
  sellerId = await ledger.openBook()
  await ledger.post([movement(sellerId, ledger.newId(), 'clearing', 'available', 100)])
})

afterAll(() => ledger.close())

// What anybody can try who has the password of the database.
const attempt = (statement: string, parameters: readonly unknown[] = []) =>
  ledger.pool.query(statement, [...parameters]).then(
    () => 'accepted',
    (error: unknown) => error,
  )

const INTO_TRANSFERS =
  'insert into ledger_transfers (seller_id, id, kind, reference_type, reference_id, description, legs, forced, created_at)'
const INTO_POSTINGS = `insert into ledger_postings
  (seller_id, id, transfer_id, account, kind, leg, legs, amount, balance_after_amount, created_at)`

type Leg = { leg: number; amount: number }

// Transfers of so many legs each, in one statement with the postings that are given for them.
const insertTransfers = (legs: number, ...transfers: (readonly Leg[])[]) => {
  const ids = transfers.map(() => ledger.newId())
  const headers = ids.map(
    (id) => `($1::uuid, '${id}'::uuid, 'payment_received', 'payment', '${id}'::uuid, '', ${legs}, false, now())`,
  )
  const postings = transfers.flatMap((given, index) =>
    given.map(
      ({ leg, amount }) =>
        `($1::uuid, gen_random_uuid(), '${ids[index]}'::uuid, 'available', 'payment_received', ${leg}, ${legs}, ${amount}, 0, now())`,
    ),
  )
  return attempt(
    `with transfers as (${INTO_TRANSFERS} values ${headers.join(', ')}) ${INTO_POSTINGS} values ${postings.join(', ')}`,
    [sellerId],
  )
}

const balanced = [
  { leg: 1, amount: 5 },
  { leg: 2, amount: -5 },
]

test('Postgres takes a transfer whose postings sum to zero', async () => {
  expect(await insertTransfers(2, balanced)).toBe('accepted')
})

test.each([
  [
    'that do not sum to zero',
    2,
    [
      { leg: 1, amount: 5 },
      { leg: 2, amount: -4 },
    ],
  ],
  ['of which one is missing', 3, balanced],
  ['of which there is only one', 1, [{ leg: 1, amount: 1 }]],
] as const)('Postgres refuses postings %s', async (_, legs, postings) => {
  expect(violates(await insertTransfers(legs, postings), 'ledger_transfers_balanced_ck')).toBe(true)
})

test('Postgres refuses a transfer without postings', async () => {
  const id = ledger.newId()
  const refusal = await attempt(
    `${INTO_TRANSFERS} values ($1, $2, 'payment_received', 'payment', $2, '', 2, false, now())`,
    [sellerId, id],
  )
  expect(violates(refusal, 'ledger_transfers_balanced_ck')).toBe(true)
})

test('Postgres refuses two unbalanced transfers that balance each other', async () => {
  const one = [
    { leg: 1, amount: 5 },
    { leg: 2, amount: 5 },
  ]
  const other = one.map(({ leg, amount }) => ({ leg, amount: -amount }))
  expect(violates(await insertTransfers(2, one, other), 'ledger_transfers_balanced_ck')).toBe(true)
})

test('Postgres refuses every posting that would join a transfer later', async () => {
  const { rows } = await ledger.pool.query('select id, legs from ledger_transfers where seller_id = $1 limit 1', [
    sellerId,
  ])
  const [{ id, legs }] = rows
  const join = (leg: number, of: number) =>
    attempt(
      `${INTO_POSTINGS} values ($1, gen_random_uuid(), $2, 'available', 'payment_received', $3, $4, 1, 0, now())`,
      [sellerId, id, leg, of],
    )
  expect(violates(await join(legs, legs), 'ledger_postings_leg_uq')).toBe(true)
  expect(violates(await join(legs + 1, legs), 'ledger_postings_leg_ck')).toBe(true)
  expect(violates(await join(legs + 1, legs + 1), 'ledger_postings_transfer_id_fk')).toBe(true)
})

test('Postgres refuses to change, delete or empty what was posted', async () => {
  for (const table of ['ledger_transfers', 'ledger_postings']) {
    for (const statement of [
      `update ${table} set created_at = now()`,
      `delete from ${table}`,
      `truncate ${table} cascade`,
      // Also where no row is meant: the statement is refused, not its rows.
      `delete from ${table} where false`,
    ]) {
      expect(violates(await attempt(statement), 'ledger_append_only_ck'), statement).toBe(true)
    }
  }
})

test('Postgres refuses a second transfer of the same kind for the same thing', async () => {
  const refusal = await attempt(
    `${INTO_TRANSFERS}
     select seller_id, gen_random_uuid(), kind, reference_type, reference_id, '', legs, false, now()
     from ledger_transfers where seller_id = $1`,
    [sellerId],
  )
  expect(violates(refusal, 'ledger_transfers_reference_uq')).toBe(true)
})

test('Postgres refuses a posting of a transfer that is not there, or is another seller’s', async () => {
  const other = await ledger.openBook()
  const { rows } = await ledger.pool.query('select id from ledger_transfers where seller_id = $1 limit 1', [sellerId])
  for (const transferId of [ledger.newId(), rows[0].id]) {
    const refusal = await attempt(
      `${INTO_POSTINGS} values ($1, gen_random_uuid(), $2, 'available', 'payment_settled', 1, 2, 5, 0, now()),
         ($1, gen_random_uuid(), $2, 'pending', 'payment_settled', 2, 2, -5, 0, now())`,
      [other, transferId],
    )
    expect(violates(refusal, 'ledger_postings_transfer_id_fk')).toBe(true)
  }
})

test('a book is opened once', async () => {
  await expect(ledger.transact((tx) => tx.ledger.openBook(sellerId))).rejects.toSatisfy((error) =>
    violates(error, 'ledger_accounts_pk'),
  )
})
