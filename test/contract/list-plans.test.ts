import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../support/app.ts'
import { BIG_TABLES, BULK_ROWS, bulkTime, fillInBulk } from '../support/bulk.ts'
import { registerSeller } from '../support/factories.ts'
import {
  addressOf,
  type List,
  type ListCaller,
  linksOf,
  listCaller,
  listsOf,
  type Narrowing,
  narrowingsOf,
  type Prepared,
  prepareOwners,
} from '../support/lists.ts'
import {
  blocksRead,
  explain,
  nodesOf,
  type PlanNode,
  recordStatements,
  rowsRead,
  rowsSorted,
  type Statement,
  showPlan,
} from '../support/query-plans.ts'

const PER_PAGE = 20

let app: TestApp
let lists: List[]
let prepared: Prepared
let get: ListCaller

beforeAll(async () => {
  app = await startTestApp()
  lists = listsOf((await app.api.get('/openapi.json')).body)
  prepared = await prepareOwners(app, await registerSeller(app))
  get = listCaller(app, prepared)
  await fillInBulk(app.sql, prepared.owners)
}, 300_000)

afterAll(async () => {
  // Rows to be listed, not what the platform would send: their bodies would not pass.
  await app.sql.query('truncate events')
  await app.close()
})

/** What one statement of a list did. */
type Cost = {
  place: string
  counts: boolean
  /** Asks an index for all that a search finds, and reads few of those. */
  searches: boolean
  seqScans: string[]
  rows: number
  blocks: number
  sorted: number
  plan: string
}

const costOf = (place: string, { text }: Statement, plan: PlanNode): Cost => ({
  place,
  counts: /count\(\*\)|daily_total_changes/.test(text),
  searches: /with every as materialized/.test(text),
  seqScans: nodesOf(plan)
    .filter((node) => node['Node Type'] === 'Seq Scan' && BIG_TABLES.has(node['Relation Name'] ?? ''))
    .map((node) => node['Relation Name'] ?? ''),
  rows: rowsRead(plan),
  blocks: blocksRead(plan),
  sorted: rowsSorted(plan),
  plan: showPlan(plan),
})

// Who asks is looked up before every request, by key.
const isAboutList = ({ text }: Statement): boolean => !/"?sessions"?|rate_limits/.test(text)

const explained = new Map<string, Promise<PlanNode>>()

// What a list counts is the same on each of its pages and in each of its orders.
const explainOnce = (statement: Statement): Promise<PlanNode> => {
  const name = JSON.stringify(statement)
  const plan = explained.get(name) ?? explain(app.sql, statement)
  explained.set(name, plan)
  return plan
}

const measure = async (list: List, url: string): Promise<{ answer: Answer; costs: Cost[] }> => {
  const { result: answer, statements } = await recordStatements(app.sql, () => get(list, url))
  const costs: Cost[] = []
  for (const statement of statements.filter(isAboutList)) {
    costs.push(costOf(`${list.name} ${url.split('?')[1]}`, statement, await explainOnce(statement)))
  }
  return { answer, costs }
}

const walk = async (list: List, narrowing: Narrowing): Promise<Record<string, Cost[]>> => {
  const at = (query: Narrowing) =>
    addressOf(list, prepared.owners, { perPage: String(PER_PAGE), ...narrowing, ...query })
  const first = await measure(list, at({}))
  const pages: number = first.answer.body.totalPages
  if (pages < 2) return { first: first.costs }
  const last = await measure(list, at({ page: String(pages) }))
  const middle = await measure(list, at({ page: String(Math.ceil(pages / 2)) }))
  const next = linksOf(middle.answer).next
  const cursor = next?.includes('cursor=') ? (await measure(list, next)).costs : []
  return { first: first.costs, last: last.costs, middle: middle.costs, cursor }
}

/**
 * What the first, the last and a cursor's page of a list may read: an index range, and no more than a few rows that a
 * filter leaves out. A middle page by number may pass over the rows before it. A total that is not kept may read an index,
 * or a table whose rows are as narrow as one; one that is kept reads the parts of two days at most. A search asks an index
 * for as many as a count does, and reads and sorts no more of them than a page may.
 */
const BUDGETS = {
  page: { rows: 12_000, sorted: 3_000, blocks: 2_500 },
  middle: { rows: 25_000, sorted: 6_000, blocks: 3_000 },
  count: { rows: 100_003, sorted: 0, blocks: 8_000 },
  search: { rows: 100_003, sorted: 3_000, blocks: 2_500 },
}

const budgetOf = (page: string, { counts, searches }: Cost) => {
  if (counts) return BUDGETS.count
  if (searches) return BUDGETS.search
  return page === 'middle' ? BUDGETS.middle : BUDGETS.page
}

/** What costs more than that, and why it is left so. */
const EXCEPTIONS: readonly { list: RegExp; filter?: string; values?: readonly string[]; why: string }[] = [
  {
    list: /^list(Enterprises|Sellers|Users|(All)?Withdrawals)$/,
    filter: 'search',
    why: 'a text that every row has is looked up in each',
  },
  {
    list: /^list(All)?Payments$/,
    filter: 'settledFrom',
    values: [bulkTime(0)],
    why: 'a period in which nearly everything became available: each of the payments on the way to a page is looked at',
  },
  {
    list: /^list(All)?Payments$/,
    filter: 'settledTo',
    values: [bulkTime(BULK_ROWS)],
    why: 'the same',
  },
  {
    list: /^listBilling$/,
    why: 'chooses among the companies of each seller, of which two have tens of thousands here',
  },
]

const isException = (list: List, narrowing: Narrowing): boolean =>
  EXCEPTIONS.some(
    ({ list: name, filter, values }) =>
      name.test(list.name) &&
      (filter === undefined || (filter in narrowing && (values?.includes(narrowing[filter] ?? '') ?? true))),
  )

const overBudget = (page: string, cost: Cost): string[] => {
  const budget = budgetOf(page, cost)
  const over = (['rows', 'sorted', 'blocks'] as const).filter((name) => cost[name] > budget[name])
  const scans = cost.counts ? [] : cost.seqScans
  const faults = [...over.map((name) => `${name} ${cost[name]}`), ...scans.map((table) => `all of ${table}`)]
  return faults.map((fault) => `${cost.place}, ${page} page: ${fault}: ${cost.plan}`)
}

const faultsOf = async (list: List, narrowing: Narrowing): Promise<string[]> => {
  if (isException(list, narrowing)) return []
  const pages = Object.entries(await walk(list, narrowing))
  return pages.flatMap(([page, costs]) => costs.flatMap((cost) => overBudget(page, cost)))
}

test('every page of every list, with every filter, is read from an index: none scans or sorts a table', async () => {
  const faults: string[] = []
  for (const list of lists) {
    for (const narrowing of narrowingsOf(list, prepared.owners)) faults.push(...(await faultsOf(list, narrowing)))
  }
  expect(faults).toEqual([])
}, 300_000)

test('every list is read from an index in each order that it can be had in, also with filters', async () => {
  const faults: string[] = []
  for (const list of lists) {
    for (const sort of list.sorts.slice(1)) {
      for (const narrowing of narrowingsOf(list, prepared.owners)) {
        faults.push(...(await faultsOf(list, { ...narrowing, sort })))
      }
    }
  }
  expect(faults).toEqual([])
}, 300_000)

test('Pix that wait for a decision, and one by its end-to-end id, are found among all without reading the others', async () => {
  const { statements } = await recordStatements(app.sql, () => app.services.read.receivedPix.findOpen())
  const byId = { text: 'select * from received_pix where end_to_end_id = $1 for update', values: [`E${BULK_ROWS / 2}`] }
  for (const statement of [...statements, byId]) {
    const plan = await explain(app.sql, statement)
    expect([showPlan(plan), rowsRead(plan) < BULK_ROWS / 100]).toEqual([expect.stringMatching(/^(?!.*Seq Scan)/), true])
  }
})

const rowsOf = (costs: Cost[] = []): number =>
  costs.filter(({ counts }) => !counts).reduce((sum, { rows }) => sum + rows, 0)

test('the last page of a list, and one behind a cursor in its middle, costs what the first one does', async () => {
  for (const list of lists.filter((one) => !isException(one, {}))) {
    const { first, last, cursor } = await walk(list, {})
    const most = rowsOf(first) + 4 * PER_PAGE
    expect([list.name, rowsOf(last) <= most, rowsOf(cursor) <= most]).toEqual([list.name, true, true])
  }
}, 60_000)
