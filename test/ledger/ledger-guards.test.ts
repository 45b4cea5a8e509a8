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

const insertPostings = async (amounts: readonly number[]) => {
  const transferId = ledger.newId()
  await ledger.pool.query(
    `insert into ledger_transfers (seller_id, id, kind, reference_type, reference_id, description, created_at)
     values ($1, $2, 'payment_received', 'payment', $2, '', now())`,
    [sellerId, transferId],
  )
  const rows = amounts.map(
    (amount) => `($1, gen_random_uuid(), $2, 'available', 'payment_received', ${amount}, 0, now())`,
  )
  return attempt(
    `insert into ledger_postings (seller_id, id, transfer_id, account, kind, amount, balance_after_amount, created_at)
     values ${rows.join(', ')}`,
    [sellerId, transferId],
  )
}

test('Postgres refuses postings that do not sum to zero per transfer', async () => {
  for (const amounts of [[1], [5, -4], [1, 1, -1]]) {
    expect(violates(await insertPostings(amounts), 'ledger_postings_balanced_ck')).toBe(true)
  }
})

test('Postgres refuses two unbalanced transfers that balance each other', async () => {
  const { rows } = await ledger.pool.query('select id from ledger_transfers where seller_id = $1 limit 2', [sellerId])
  const refusal = await attempt(
    `insert into ledger_postings (seller_id, id, transfer_id, account, kind, amount, balance_after_amount, created_at)
     values ($1, gen_random_uuid(), $2, 'available', 'payment_settled', 5, 0, now()), ($1, gen_random_uuid(), $3, 'pending', 'payment_settled', -5, 0, now())`,
    [sellerId, rows[0].id, rows[1].id],
  )
  expect(violates(refusal, 'ledger_postings_balanced_ck')).toBe(true)
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
    `insert into ledger_transfers (seller_id, id, kind, reference_type, reference_id, description, created_at)
     select seller_id, gen_random_uuid(), kind, reference_type, reference_id, '', now()
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
      `insert into ledger_postings (seller_id, id, transfer_id, account, kind, amount, balance_after_amount, created_at)
       values ($1, gen_random_uuid(), $2, 'available', 'payment_settled', 5, 0, now()), ($1, gen_random_uuid(), $2, 'pending', 'payment_settled', -5, 0, now())`,
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
