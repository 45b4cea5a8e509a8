import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ChainLedger, createChainLedger } from '../../src/jobs/chain-ledger.ts'
import { proveAnchor, proveChain } from '../../src/ledger/chain-proof.ts'
import { chainKey } from '../../src/ledger/chain-seal.ts'
import { movement, startTestLedger, type TestLedger } from '../support/ledger.ts'

const KEY = chainKey('k'.repeat(32))

const SEALED = 'postings are as the chain sealed them'
const WHOLE = 'the chain has all its links'

let ledger: TestLedger
let sellerId: string
let chain: ChainLedger

const receive = (amount: number, now = new Date(), seller = sellerId) =>
  ledger.transact((tx) => tx.ledger.post([movement(seller, ledger.newId(), 'clearing', 'available', amount)], now))

const chainAll = async (): Promise<number> => {
  let total = 0
  for (let links = -1; links !== 0; total += links) links = await chain.runOnce()
  return total
}

// As if what was posted today had been posted some days ago.
const datePostings = (days: number): Promise<void> =>
  tamper(
    `update ledger_postings set created_at = created_at + $1 * interval '1 day' where created_at > now() - interval '1 day'`,
    [days],
  )

/** A book of six postings in two links, made long ago. */
beforeEach(async () => {
  ledger = await startTestLedger(8)
  sellerId = await ledger.openBook()
  chain = createChainLedger({ ...ledger, key: KEY })
  await receive(1)
  await receive(2)
  await datePostings(-30)
  await chain.runOnce()
  await receive(3)
  await datePostings(-30)
  await chain.runOnce()
})

afterEach(() => ledger.close())

const prove = () => proveChain(ledger.db, [KEY])

const tamper = async (statement: string, parameters: readonly unknown[] = []) => {
  for (const table of ['ledger_transfers', 'ledger_postings', 'ledger_chain']) {
    await ledger.pool.query(`alter table ${table} disable trigger all`)
  }
  await ledger.pool.query(statement, [...parameters])
  for (const table of ['ledger_transfers', 'ledger_postings', 'ledger_chain']) {
    await ledger.pool.query(`alter table ${table} enable trigger all`)
  }
}

const postingIds = async (): Promise<string[]> => {
  const { rows } = await ledger.pool.query('select id from ledger_postings where seller_id = $1 order by id', [
    sellerId,
  ])
  return rows.map(({ id }) => id)
}

const linksOf = async (seller = sellerId) => {
  const { rows } = await ledger.pool.query('select * from ledger_chain where seller_id = $1 order by sequence', [
    seller,
  ])
  return rows
}

test('what was posted since is one link per book, and nothing is sealed twice', async () => {
  const other = await ledger.openBook()
  await receive(4)
  await receive(5, new Date(), other)
  expect(await chain.runOnce()).toBe(2)
  expect(await chain.runOnce()).toBe(0)
  const summary = (rows: { sequence: number; postings_count: number }[]) =>
    rows.map(({ sequence, postings_count }) => [sequence, postings_count])
  expect(summary(await linksOf())).toEqual([
    [1, 4],
    [2, 2],
    [3, 2],
  ])
  expect(summary(await linksOf(other))).toEqual([[1, 2]])
  expect((await linksOf()).at(-1)?.last_posting_id).toBe((await postingIds()).at(-1))
  expect(await prove()).toEqual([])
})

test('a posting that was changed is found, in its book', async () => {
  const ids = await postingIds()
  for (const change of [
    'amount = amount + 1',
    'balance_after_amount = 0',
    "account = 'losses'",
    'created_at = now()',
  ]) {
    await tamper(`update ledger_postings set ${change} where id = $1`, [ids[3]])
    expect(await prove(), change).toEqual([
      {
        check: SEALED,
        sellerId,
        subject: ids[3],
        detail: 'link 1 sealed 4 postings, 4 are there: this one was changed',
      },
    ])
  }
})

test.each([
  "kind = 'refund_requested'",
  "reference_type = 'refund'",
  'reference_id = gen_random_uuid()',
  "description = 'something else'",
  'forced = true',
  "created_at = now() - interval '1 hour'",
])('a transfer of which somebody set %s is found by its first posting', async (change) => {
  const ids = await postingIds()
  await tamper(
    `update ledger_transfers set ${change} where id = (select transfer_id from ledger_postings where id = $1)`,
    [ids[4]],
  )
  expect(await prove()).toEqual([expect.objectContaining({ check: SEALED, sellerId, subject: ids[4] })])
})

test('postings that were deleted are found: one, the last, all of a link', async () => {
  const ids = await postingIds()
  await tamper('delete from ledger_postings where id = $1', [ids[1]])
  expect(await prove()).toEqual([
    {
      check: SEALED,
      sellerId,
      subject: ids[2],
      detail: 'link 1 sealed 4 postings, 3 are there: before this one, or here, one was deleted',
    },
  ])
  await tamper('delete from ledger_postings where id = any($1)', [ids.slice(4)])
  expect((await prove()).map(({ subject }) => subject)).toEqual([ids[2], ids[5]])
})

test('a posting that was put between others is found', async () => {
  const ids = await postingIds()
  // Right behind the third: the last bits of an id are random.
  const inserted = `${ids[2]?.slice(0, -10)}ffffffffff`
  await tamper(
    `insert into ledger_postings
     select (json_populate_record(posting, json_build_object('id', $2::text, 'leg', 9, 'legs', 9))).* from ledger_postings as posting where id = $1`,
    [ids[2], inserted],
  )
  expect(await prove()).toEqual([
    {
      check: SEALED,
      sellerId,
      subject: inserted,
      detail: 'link 1 sealed 4 postings, 5 are there: this one was inserted',
    },
  ])
})

test('postings that changed their places are found at the first of them', async () => {
  const ids = await postingIds()
  const aside = '00000000-0000-7000-8000-000000000000'
  for (const [from, to] of [
    [ids[1], aside],
    [ids[3], ids[1]],
    [aside, ids[3]],
  ]) {
    await tamper('update ledger_postings set id = $2 where id = $1', [from, to])
  }
  expect(await postingIds()).toEqual(ids)
  expect(await prove()).toEqual([expect.objectContaining({ check: SEALED, sellerId, subject: ids[1] })])
})

test('a chain that lost its first link, or one between, is found', async () => {
  await receive(4)
  await chain.runOnce()
  await tamper('delete from ledger_chain where sequence = 2')
  expect(await prove()).toEqual([{ check: WHOLE, sellerId, subject: 'link 3', detail: 'links 2 to 2 are missing' }])
  await tamper('delete from ledger_chain where sequence = 1')
  expect((await prove()).map(({ detail }) => detail)).toEqual(['links 1 to 2 are missing'])
})

test('a chain that was cut off is found by the first posting that nothing covers, and so is one that is gone', async () => {
  const ids = await postingIds()
  const other = await ledger.openBook()
  await receive(5, new Date(), other)
  await chain.runOnce()
  await tamper('delete from ledger_chain where seller_id = $1 and sequence = 2', [sellerId])
  const detail = 'no link covers this posting of more than a day ago: links were removed'
  expect(await prove()).toEqual([{ check: WHOLE, sellerId, subject: ids[4], detail }])
  await receive(6)
  await tamper('delete from ledger_chain')
  expect(await prove()).toEqual([{ check: WHOLE, sellerId, subject: ids[0], detail }])
})

test('what was posted a moment ago may still wait for its link', async () => {
  await receive(4)
  expect(await prove()).toEqual([])
})

test('what was cut off with its postings, and repaired, is found by an anchor of before, and by no later one', async () => {
  const { anchoredAt, anchor } = await chain.anchor()
  const early = `${anchoredAt.toISOString()}=${anchor}`
  await receive(4)
  await chain.runOnce()
  const late = await chain.anchor()
  const provenBy = async (text: string) => (await proveAnchor(ledger.db, text)).length === 0
  expect(await provenBy(early)).toBe(true)
  expect(await provenBy(`${late.anchoredAt.toISOString()}=${late.anchor}`)).toBe(true)
  const ids = await postingIds()
  await tamper('delete from ledger_chain where sequence > 1')
  await tamper('delete from ledger_postings where id = any($1)', [ids.slice(4)])
  await tamper('update ledger_accounts set last_posting_id = $1', [ids[3]])
  expect(await prove()).toEqual([])
  expect(await provenBy(early)).toBe(false)
  const now = await chain.anchor()
  expect(await provenBy(`${now.anchoredAt.toISOString()}=${now.anchor}`)).toBe(true)
  await expect(proveAnchor(ledger.db, 'yesterday=0')).rejects.toThrow(RangeError)
})

test('who has the database but not the key cannot seal what they changed', async () => {
  const ids = await postingIds()
  await tamper('update ledger_postings set amount = amount * 10 where id = any($1)', [ids.slice(4)])
  await tamper('delete from ledger_chain where sequence = 2')
  const forger = createChainLedger({ ...ledger, key: chainKey('another key'.repeat(4)) })
  expect(await forger.runOnce()).toBe(1)
  const detail = 'the link itself was changed, or another key sealed it'
  expect(await prove()).toEqual([{ check: SEALED, sellerId, subject: 'link 2', detail }])
})

test('a link that was changed is found, and only that one', async () => {
  await receive(4)
  await chain.runOnce()
  for (const change of ["chained_at = now() - interval '1 year'", 'postings_count = 9', "hash = decode('00', 'hex')"]) {
    await tamper(`update ledger_chain set ${change} where sequence = 2`)
    expect((await prove())[0]).toMatchObject({ check: SEALED, sellerId, subject: 'link 2' })
  }
})

test('Postgres refuses to change or delete links', async () => {
  for (const statement of ['update ledger_chain set postings_count = 1', 'delete from ledger_chain']) {
    await expect(ledger.pool.query(statement)).rejects.toThrow('append only')
  }
})

test('many processes at once make one chain without gaps, while money moves', async () => {
  const sellers = await Promise.all(Array.from({ length: 5 }, () => ledger.openBook()))
  const post = async (round: number) => {
    for (const seller of sellers) await receive(round + 1, new Date(), seller)
  }
  await Promise.all([...Array.from({ length: 4 }, (_, round) => post(round)), ...Array.from({ length: 4 }, chainAll)])
  await chainAll()
  expect(await prove()).toEqual([])
  for (const seller of sellers) {
    const links = await linksOf(seller)
    expect(links.map(({ sequence }) => sequence)).toEqual(links.map((_, index) => index + 1))
    expect(links.reduce((total, { postings_count }) => total + postings_count, 0)).toBe(8)
  }
})

test('a transaction that is open while the chain is made is sealed after it, not lost', async () => {
  const posted = Promise.withResolvers<void>()
  const sealed = Promise.withResolvers<void>()
  const slow = ledger.transact(async (tx) => {
    await tx.ledger.post([movement(sellerId, ledger.newId(), 'receivable', 'pending', 7)], new Date())
    posted.resolve()
    await sealed.promise
  })
  await posted.promise
  const other = await ledger.openBook()
  await receive(1, new Date(), other)
  expect(await chain.runOnce()).toBe(1)
  sealed.resolve()
  await slow
  expect(await chain.runOnce()).toBe(1)
  expect((await linksOf()).at(-1)).toMatchObject({ sequence: 3, postings_count: 2 })
  expect(await prove()).toEqual([])
})

test('a book of thousands of postings is sealed in links of at most a thousand', async () => {
  const transfers = Array.from({ length: 1_250 }, () => movement(sellerId, ledger.newId(), 'clearing', 'available', 1))
  await ledger.post(transfers)
  expect(await chainAll()).toBeGreaterThan(0)
  expect((await linksOf()).map(({ postings_count }) => postings_count)).toEqual([4, 2, 1_000, 1_000, 500])
  expect(await prove()).toEqual([])
})
