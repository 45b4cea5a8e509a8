import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as disputeTransfers from '../../src/domain/dispute-transfers.ts'
import { LEDGER_ACCOUNTS, TRANSFER_KINDS } from '../../src/domain/ledger.ts'
import * as platformTransfers from '../../src/domain/platform-transfers.ts'
import type { Transfer } from '../../src/domain/transfer.ts'
import * as transfers from '../../src/domain/transfers.ts'
import { emptyBalances, startTestLedger, type TestLedger } from '../support/ledger.ts'

const DOCUMENT = readFileSync('docs/ledger.md', 'utf8')

const blocksOf = (language: string): string[][] =>
  [...DOCUMENT.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``, 'g'))].map(([, text = '']) => text.split('\n'))

type Build = (facts: object) => Transfer

const builders: ReadonlyMap<string, Build> = new Map(
  Object.entries({ ...transfers, ...disputeTransfers, ...platformTransfers } as unknown as Record<string, Build>),
)

/** Reads `builder { "its": "facts" }`, of a thing of its own. */
const build = (line: string, sellerId: string, thingId: string): Transfer => {
  const [, name = '', facts = ''] = /^(\w+) (\{.*\})/.exec(line) ?? []
  const builder = builders.get(name)
  if (builder === undefined) throw new Error(`no transfer is called ${name}`)
  const ids = [
    'paymentId',
    'settlementId',
    'holdId',
    'refundId',
    'disputeId',
    'withdrawalId',
    'adjustmentId',
    'payoutId',
    'exceptionId',
  ]
  return builder({ sellerId, ...Object.fromEntries(ids.map((id) => [id, thingId])), ...JSON.parse(facts) })
}

const amountsOf = (text: string): Record<string, number> =>
  Object.fromEntries([...text.matchAll(/(\w+)\s+([+-]\d+)/g)].map(([, account, amount]) => [account, Number(amount)]))

const examples = blocksOf('transfer')
const stories = blocksOf('book')

let ledger: TestLedger

beforeAll(async () => {
  ledger = await startTestLedger()
})

afterAll(() => ledger.close())

test.each(examples)('the example of %s is what the code posts', (line, ...postings) => {
  const { postings: made } = build(line, 'seller', 'thing')
  expect(Object.fromEntries(made.map(({ account, amount }) => [account, amount]))).toEqual(
    amountsOf(postings.join('\n')),
  )
})

test.each(stories.map((lines) => [lines] as const))('the story %j ends as it says', async (lines) => {
  const sellerId = await ledger.openBook()
  const steps = lines.filter((line) => !line.startsWith('='))
  for (const line of steps) {
    const [outcome] = await ledger.post([build(line, sellerId, ledger.newId())])
    expect(outcome?.posted, line).toBe(!line.endsWith('refused'))
  }
  const balances = await ledger.transact((tx) => tx.ledger.findBalances(sellerId))
  expect(balances).toEqual({ ...emptyBalances(), ...amountsOf(lines.at(-1) ?? '') })
})

test('every kind of transfer has an example, and every account a line', () => {
  const kinds = examples.map(([line = '']) => build(line, 'seller', 'thing').kind)
  expect(new Set(kinds)).toEqual(new Set(TRANSFER_KINDS))
  for (const account of LEDGER_ACCOUNTS) expect(DOCUMENT).toContain(`| \`${account}\` |`)
  expect(stories.length).toBeGreaterThan(0)
})
