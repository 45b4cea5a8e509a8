import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Bench, CONNECTIONS, openPlatform, SELLERS, type Shops, withProcessorTime } from './support/bench.ts'
import { type OpenLoopResult, openLoop } from './support/open-loop.ts'
import { pgbench } from './support/pgbench.ts'
import { query } from './support/postgres.ts'
import { insertLike, type Parts } from './support/rows.ts'
import { sellerIdOf, tokenOf } from './support/shops.ts'
import { median, type Row } from './support/table.ts'
import { wrk } from './support/wrk.ts'

const SCRIPT = join(import.meta.dirname, 'create-payments.lua')
const KEY = 'sample-key-0001'
/** Rounds before those that count: for half a minute under load a process is still compiling what it runs. */
const WARMUP_ROUNDS = 3

export const BODY = {
  method: 'pix',
  amount: 10_000,
  description: 'Pedido 1234',
  externalReference: 'order-1234',
  customer: { name: 'Francisco da Silva', document: '52998224725' },
}

/** Creates one payment of seller 1 under a known key, and answers its id. */
export const createSample = async ({ platform }: Pick<Shops, 'platform'>): Promise<string> => {
  const headers = { authorization: `Bearer ${tokenOf(1)}`, 'content-type': 'application/json', 'idempotency-key': KEY }
  const response = await fetch(`${platform.url}/api/v1/payments`, {
    method: 'POST',
    headers,
    body: JSON.stringify(BODY),
  })
  if (response.status !== 201)
    throw new Error(`a payment was answered with ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { id: string }).id
}

// A number of its own for each transaction of each client: ids rise as those of a server do.
const NUMBER = `(:i * ${CONNECTIONS} + :client_id)`
const SELLER = `'${sellerIdOf(0).slice(0, 24)}' || lpad((${NUMBER} % 1000 + 1)::text, 12, '0')`
const idLike = (id: string) => `'${id.slice(0, 24)}' || lpad(${NUMBER}::text, 12, '0')`

const scriptOf = (inserts: readonly string[]): string =>
  ['\\set i :i + 1', '\\startpipeline', 'begin;', ...inserts, 'commit;', '\\endpipeline', ''].join('\n')

/** What of one request's rows changes from one payment to the next. */
const partsOf = async (url: string, paymentId: string): Promise<Parts> => {
  const [event] = await query<{ id: string }>(url, `select id from events where seller_id = '${sellerIdOf(1)}'`)
  const eventId = event?.id ?? ''
  const plain = (id: string) => id.replaceAll('-', '')
  return new Map([
    [sellerIdOf(1), SELLER],
    [paymentId, idLike(paymentId)],
    [plain(paymentId), `'${plain(paymentId.slice(0, 24))}' || lpad(${NUMBER}::text, 12, '0')`],
    [eventId, idLike(eventId)],
    [KEY, `'sample-key-' || ${NUMBER}`],
  ])
}

const MINE = `seller_id = '${sellerIdOf(1)}'`
const KEY_IS_MINE = `owner_id = '${sellerIdOf(1)}'`

/** A script that writes the very rows that one request has written, one commit for each payment. */
const writeScript = async (bench: Bench, url: string, paymentId: string): Promise<string> => {
  const parts = await partsOf(url, paymentId)
  const inserts = await Promise.all([
    insertLike(url, 'payments', MINE, parts),
    insertLike(url, 'provider_references', MINE, parts),
    insertLike(url, 'events', MINE, parts),
    insertLike(url, 'daily_total_changes', MINE, parts),
    insertLike(url, 'idempotency_keys', KEY_IS_MINE, parts),
  ])
  const script = join(bench.folder, 'create-payments.sql')
  await writeFile(script, scriptOf(inserts))
  return script
}

// What the leanest design would keep of a payment: table, rows to copy, and the one index.
const LEAN = [
  { table: 'payments', where: MINE, key: 'seller_id, id' },
  { table: 'events', where: MINE, key: 'seller_id, id' },
  { table: 'idempotency_keys', where: KEY_IS_MINE, key: 'owner_id, key' },
] as const

/**
 * A script of the leanest design that still keeps the promises of a creation: payment, event and answer to a repeat, in
 * tables of their own with primary keys alone.
 */
const writeLeanScript = async (bench: Bench, url: string, paymentId: string): Promise<string> => {
  const parts = await partsOf(url, paymentId)
  const inserts = await Promise.all(
    LEAN.map(async ({ table, where, key }) => {
      await query(url, `create table lean_${table} (like ${table}, primary key (${key}))`)
      const insert = await insertLike(url, table, where, parts)
      return insert.replace(`insert into ${table}`, `insert into lean_${table}`)
    }),
  )
  const script = join(bench.folder, 'create-payments-lean.sql')
  await writeFile(script, scriptOf(inserts))
  return script
}

/** Payments that come at a pace of their own, by sellers in turn, over so many connections. */
export const comeAt = (
  url: string,
  perSecond: number,
  seconds: number,
  connections = CONNECTIONS,
): Promise<OpenLoopResult> => {
  const body = JSON.stringify(BODY)
  const run = randomUUID()
  const requestOf = (number: number) => ({
    path: '/api/v1/payments',
    headers: {
      authorization: `Bearer ${tokenOf((number % SELLERS) + 1)}`,
      'content-type': 'application/json',
      'idempotency-key': `${run}-${number}`,
    },
    body,
  })
  return openLoop({ url, perSecond, seconds, connections, requestOf })
}

const openLoopRows = (open: OpenLoopResult): Row[] => {
  const name = 'POST /payments (Pix), coming at half that pace'
  const { due, dropped, failures, p99 } = open
  return [
    {
      name: `${name}, p99 in ms`,
      measured: `${p99.toFixed(0)} ms`,
      compared: '',
      value: p99,
      bound: { atMost: 100 },
      details: open,
    },
    {
      name: `${name}, turned away`,
      measured: `${dropped + failures} of ${due}`,
      compared: '',
      value: dropped + failures,
      bound: { atMost: 0 },
    },
  ]
}

/** `POST /payments`, against pgbench writing the same rows with one commit each. */
export const measureCreation = async (bench: Bench): Promise<Row[]> => {
  const { url, platform, tokens } = await openPlatform(bench, { name: 'bench_create' })
  const sampleId = await createSample({ platform })
  const script = await writeScript(bench, url, sampleId)
  const leanScript = await writeLeanScript(bench, url, sampleId)
  const load = (run: string, seconds: number) =>
    wrk({ url: platform.url, connections: CONNECTIONS, seconds, script: SCRIPT, args: [tokens, run] })
  await load('warmup', WARMUP_ROUNDS * bench.seconds)
  const rounds = []
  for (let round = 0; round < bench.rounds; round += 1) {
    const { result: ours, seconds } = await withProcessorTime(bench, [platform], () => load(`r${round}`, bench.seconds))
    const define = { i: (round + 1) * 10_000_000 }
    const limits = { url, clients: CONNECTIONS, run: { seconds: bench.seconds }, define }
    const theirs = await pgbench({ ...limits, script })
    const lean = await pgbench({ ...limits, script: leanScript })
    const ratio = ours.perSecond / theirs
    rounds.push({ ...ours, pgbenchPerSecond: theirs, ratio, lean, leanRatio: ours.perSecond / lean, seconds })
    const [api, postgres] = [seconds.api, seconds.postgres].map((part) => ((part / ours.requests) * 1e6).toFixed(0))
    bench.say(
      `created ${ours.perSecond.toFixed(0)}/s, pgbench ${theirs.toFixed(0)}/s, lean ${lean.toFixed(0)}/s; each took ${api} µs of the API, ${postgres} of Postgres`,
    )
  }
  const perSecond = median(rounds.map((round) => round.perSecond))
  const open = await comeAt(platform.url, perSecond / 2, bench.seconds)
  const residentMib = await platform.residentMib()
  await platform.stop()
  const pgbenchPerSecond = median(rounds.map((round) => round.pgbenchPerSecond))
  const p99 = median(rounds.map((round) => round.p99))
  const name = 'POST /payments (Pix)'
  const measured = `${perSecond.toFixed(0)}/s`
  return [
    {
      name,
      measured,
      compared: `pgbench ${pgbenchPerSecond.toFixed(0)}/s`,
      value: median(rounds.map(({ ratio }) => ratio)),
      bound: { atLeast: 1 },
      details: { rounds },
    },
    {
      name: `${name}, to a lean design`,
      measured,
      compared: `pgbench ${median(rounds.map((round) => round.lean)).toFixed(0)}/s`,
      value: median(rounds.map(({ leanRatio }) => leanRatio)),
      bound: { atLeast: 0.5 },
    },
    { name: `${name}, p99 in ms`, measured: `${p99.toFixed(0)} ms`, compared: '', value: p99, bound: { atMost: 100 } },
    ...openLoopRows(open),
    {
      name: 'memory under load, in MiB',
      measured: `${residentMib.toFixed(0)} MiB`,
      compared: '',
      value: residentMib,
      bound: { atMost: 400 },
    },
  ]
}
