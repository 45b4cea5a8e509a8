import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '../src/db/embedded.ts'
import { generatePayments } from './generate-payments.ts'
import { DAY_MS } from './generator/day.ts'
import { type Platform, startPlatform } from './support/platform.ts'
import { query } from './support/postgres.ts'
import { adminTokenOf, sellerIdOf, tokenOf } from './support/shops.ts'
import { percentile } from './support/table.ts'

/** Measures every list and report at ten thousand and at millions of payments, in turns, and how much slower it became. */

type Case = { name: string; path: string; admin?: boolean; last?: boolean }

const HOT = sellerIdOf(1)
const dateOf = (daysAgo: number): string => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)
// Noon in São Paulo: from there most of a day has to be counted that is not known beforehand.
const noonOf = (daysAgo: number): string => `${dateOf(daysAgo)}T15:00:00.000Z`
const month = dateOf(40).slice(0, 7)
const lastMonth = `from=${dateOf(60)}&to=${dateOf(30)}`
const instants = `from=${noonOf(60)}&to=${noonOf(30)}`

const paged = (name: string, path: string, admin = false): Case[] => [
  { name, path, admin },
  { name: `${name}, last page`, path, admin, last: true },
]

const CASES: readonly Case[] = [
  ...paged('payments', 'payments?perPage=50'),
  ...paged('payments, paid', 'payments?perPage=50&status=paid'),
  ...paged('payments, refunded', 'payments?perPage=50&status=refunded'),
  ...paged('payments, boleto', 'payments?perPage=50&method=boleto'),
  ...paged('payments of a month', `payments?perPage=50&${lastMonth}`),
  ...paged('payments between instants', `payments?perPage=50&${instants}`),
  ...paged('payments from 400.00 to 400.10', 'payments?perPage=50&minAmount=40000&maxAmount=40010'),
  ...paged('payments by reference', 'payments?perPage=50&externalReference=order-77'),
  ...paged('payments by search', 'payments?perPage=50&search=order-77'),
  ...paged('payments by a search for all', 'payments?perPage=50&search=pedido'),
  ...paged('payments by a search for none', 'payments?perPage=50&search=nowhere'),
  ...paged('payments by document', 'payments?perPage=50&search=000.000.000-77'),
  ...paged('statement', 'transactions?perPage=50'),
  ...paged('statement, withdrawals', 'transactions?perPage=50&type=withdrawal_requested'),
  ...paged('statement, reserved', 'transactions?perPage=50&bucket=reserved'),
  ...paged('statement of a month', `transactions?perPage=50&${lastMonth}`),
  ...paged('statement between instants', `transactions?perPage=50&${instants}`),
  ...paged('customers', 'customers?perPage=50'),
  ...paged('customers by search', 'customers?perPage=50&search=cliente77@example.com'),
  ...paged('customers between instants', `customers?perPage=50&${instants}`),
  ...paged('withdrawals', 'withdrawals?perPage=50'),
  ...paged('withdrawals between instants', `withdrawals?perPage=50&${instants}`),
  ...paged('disputes', 'disputes?perPage=50'),
  ...paged('disputes between instants', `disputes?perPage=50&${instants}`),
  ...paged('events', 'events?perPage=50'),
  ...paged('events, paid', 'events?perPage=50&type=payment.paid'),
  ...paged('events between instants', `events?perPage=50&${instants}`),
  ...paged('deliveries', `seller-webhooks/${HOT}/deliveries?perPage=50`),
  ...paged('deliveries, failed', `seller-webhooks/${HOT}/deliveries?perPage=50&status=failed`),
  ...paged('deliveries between instants', `seller-webhooks/${HOT}/deliveries?perPage=50&${instants}`),
  { name: 'balance', path: 'balance' },
  { name: 'dashboard', path: 'dashboard/summary' },
  { name: 'dashboard of a year', path: `dashboard/summary?from=${dateOf(360)}` },
  { name: 'dashboard between instants', path: `dashboard/summary?${instants}` },
  ...paged('all payments', 'admin/payments?perPage=50', true),
  ...paged('all payments, pending', 'admin/payments?perPage=50&status=pending', true),
  ...paged('all payments, in dispute', 'admin/payments?perPage=50&status=in_dispute', true),
  ...paged('all payments of a seller', `admin/payments?perPage=50&sellerId=${HOT}`, true),
  ...paged('all payments of a month', `admin/payments?perPage=50&${lastMonth}`, true),
  ...paged('all payments between instants', `admin/payments?perPage=50&${instants}`, true),
  ...paged('all payments by search', 'admin/payments?perPage=50&search=order-77', true),
  ...paged('all payments by document', 'admin/payments?perPage=50&search=000.000.000-77', true),
  ...paged('all statements', 'admin/transactions?perPage=50', true),
  ...paged('all statements, disputes', 'admin/transactions?perPage=50&type=dispute_opened', true),
  ...paged('all statements, blocked', 'admin/transactions?perPage=50&bucket=blocked', true),
  ...paged('all statements of a seller', `admin/transactions?perPage=50&sellerId=${HOT}`, true),
  ...paged('all statements between instants', `admin/transactions?perPage=50&${instants}`, true),
  ...paged('all withdrawals', 'admin/withdrawals?perPage=50', true),
  ...paged('all withdrawals, completed', 'admin/withdrawals?perPage=50&status=completed', true),
  ...paged('all withdrawals between instants', `admin/withdrawals?perPage=50&${instants}`, true),
  ...paged('callbacks of providers', 'admin/provider-events?perPage=50', true),
  ...paged('callbacks of providers between instants', `admin/provider-events?perPage=50&${instants}`, true),
  { name: 'totals', path: 'admin/transactions/total', admin: true },
  { name: 'totals of a year', path: `admin/transactions/total?from=${dateOf(360)}`, admin: true },
  { name: 'totals between instants', path: `admin/transactions/total?${instants}`, admin: true },
  ...['day', 'month', 'seller', 'method'].map((by) => ({
    name: `revenue by ${by}`,
    path: `admin/revenue?groupBy=${by}`,
    admin: true,
  })),
  ...['day', 'month', 'seller', 'method'].map((by) => ({
    name: `revenue between instants by ${by}`,
    path: `admin/revenue?groupBy=${by}&${instants}`,
    admin: true,
  })),
  { name: 'revenue of a year by seller', path: `admin/revenue?groupBy=seller&from=${dateOf(360)}`, admin: true },
  ...paged('billing', `admin/billing?perPage=50&month=${month}`, true),
  { name: 'platform dashboard', path: 'admin/dashboard', admin: true },
  { name: 'platform dashboard between instants', path: `admin/dashboard?${instants}`, admin: true },
]

type Target = { platform: Platform; adminToken: string }
type Measured = { name: string; smallP50: number; smallP99: number; bigP50: number; bigP99: number; ratio: number }

const get = async ({ platform, adminToken }: Target, { path, admin = false }: Pick<Case, 'path' | 'admin'>) => {
  const headers = { authorization: `Bearer ${admin ? adminToken : tokenOf(1)}` }
  const began = performance.now()
  const response = await fetch(`${platform.url}/api/v1/${path}`, { headers })
  const text = await response.text()
  const ms = performance.now() - began
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
  return { ms, text }
}

const resolve = async (target: Target, one: Case): Promise<Case> => {
  if (!one.last) return one
  const { totalPages } = JSON.parse((await get(target, one)).text) as { totalPages: number }
  return { ...one, path: `${one.path}&page=${Math.max(1, totalPages)}` }
}

const summaryOf = (times: number[]) => {
  const sorted = times.toSorted((a, b) => a - b)
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) }
}

// In turns, so that whatever else the machine does meanwhile slows both.
const measure = async (small: Target, big: Target, one: Case, requests: number): Promise<Measured> => {
  const [smallCase, bigCase] = [await resolve(small, one), await resolve(big, one)]
  for (let warmup = 0; warmup < 5; warmup += 1) {
    await get(small, smallCase)
    await get(big, bigCase)
  }
  const smallTimes: number[] = []
  const bigTimes: number[] = []
  for (let request = 0; request < requests; request += 1) {
    smallTimes.push((await get(small, smallCase)).ms)
    bigTimes.push((await get(big, bigCase)).ms)
  }
  const [s, b] = [summaryOf(smallTimes), summaryOf(bigTimes)]
  return { name: one.name, smallP50: s.p50, smallP99: s.p99, bigP50: b.p50, bigP99: b.p99, ratio: b.p99 / s.p99 }
}

const open = async (url: string): Promise<Target> => {
  const platform = await startPlatform({ environment: { DATABASE_URL: url, PROCESS_ROLE: 'api' } })
  await query(url, "update sessions set expires_at = now() + interval '2 days'")
  return { platform, adminToken: await adminTokenOf(platform) }
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

const tableOf = (results: readonly Measured[]): string =>
  [
    row(['What', 'p50 small', 'p50 big', 'p99 small', 'p99 big', 'ratio of p99', 'ratio of p50']),
    row(['---', '---:', '---:', '---:', '---:', '---:', '---:']),
    ...results.map(({ name, smallP50, bigP50, smallP99, bigP99, ratio }) =>
      row([
        name,
        ...[smallP50, bigP50, smallP99, bigP99].map((ms) => `${ms.toFixed(1)} ms`),
        ratio.toFixed(1),
        (bigP50 / smallP50).toFixed(1),
      ]),
    ),
  ].join('\n')

const options = {
  small: { type: 'string' },
  big: { type: 'string' },
  payments: { type: 'string', default: '10000000' },
  requests: { type: 'string', default: '200' },
  only: { type: 'string', default: '' },
  json: { type: 'string' },
  quick: { type: 'boolean', default: false },
} as const

const QUICK_PAYMENTS = 100_000
const QUICK_REQUESTS = 30

const prepare = async (payments: number) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'payment-platform-lists-'))
  const log = { info: () => undefined, error: console.error }
  const server = await startEmbeddedPostgres({
    dataDir,
    log,
    settings: { fsync: 'off', max_wal_size: '16GB', shared_buffers: '2GB' },
  })
  const urlOf = (name: string) => server.url.replace(/\/postgres$/, `/${name}`)
  for (const [name, count] of [
    ['small', 10_000],
    ['big', payments],
  ] as const) {
    await query(server.url, `create database ${name}`)
    await generatePayments(urlOf(name), count)
  }
  return { small: urlOf('small'), big: urlOf('big'), stop: server.stop }
}

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

const databasesOf = async ({ small, big, quick, payments }: Values) => {
  if (small !== undefined && big !== undefined) return { small, big, stop: async () => undefined }
  return await prepare(quick ? QUICK_PAYMENTS : Number(payments))
}

const main = async (): Promise<void> => {
  const { values } = parseArgs({ options })
  const requests = values.quick ? QUICK_REQUESTS : Number(values.requests)
  const databases = await databasesOf(values)
  const targets = [await open(databases.small), await open(databases.big)] as const
  try {
    const results: Measured[] = []
    for (const one of CASES.filter(({ name }) => name.includes(values.only))) {
      results.push(await measure(...targets, one, requests))
    }
    console.log(tableOf(results))
    if (values.json !== undefined) await writeFile(values.json, JSON.stringify(results, undefined, 2))
  } finally {
    for (const { platform } of targets) await platform.stop()
    await databases.stop()
  }
}

await main()
