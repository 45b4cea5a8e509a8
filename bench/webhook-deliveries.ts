import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { v7 } from 'uuid'
import { paymentEvents } from '../src/areas/payments/payment-events.catalogue.ts'
import { createSecretBox } from '../src/crypto/secret-box.ts'
import { migrate } from '../src/db/migrate.ts'
import { eventBody } from '../src/events/events.repository.ts'
import { newWebhookSecret } from '../src/webhooks/signature.ts'
import { cpuSecondsOf, residentMibOf, SECRETS, startPlatform } from './support/platform.ts'
import { query, startPostgres } from './support/postgres.ts'

/**
 * How fast one worker process turns committed events into signed deliveries to a keep-alive receiver, and what an
 * endpoint that hangs with a long backlog takes from the others. Worker, Postgres and receiver share the machine.
 *
 *   node bench/webhook-deliveries.ts [--quick] [--backlog <deliveries>] [--database <url of a server>] [--profile]
 */
const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    backlog: { type: 'string' },
    database: { type: 'string' },
    profile: { type: 'boolean', default: false },
  },
})

const EVENTS = options.quick ? 10_000 : 60_000
const BACKLOG = Number(options.backlog ?? (options.quick ? 20_000 : 200_000))
const ENDPOINTS = 200
const SETTLED_WITHIN_MS = 300_000
const INSERT_BATCH = 1_000

type Counts = { received: number; hangingMax: number; sockets: number; firstAt: number; lastAt: number }

const startSink = async () => {
  const child: ChildProcess = fork(join(import.meta.dirname, 'support', 'webhook-sink.ts'), { stdio: 'inherit' })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  let counts: Counts = { received: 0, hangingMax: 0, sockets: 0, firstAt: 0, lastAt: 0 }
  child.on('message', (message: { counts: Counts }) => {
    counts = message.counts
  })
  return {
    url: (path: string) => `http://127.0.0.1:${port}${path}`,
    pid: child.pid ?? 0,
    counts: () => counts,
    forget: async () => {
      child.send('forget')
      await once(child, 'message')
      await once(child, 'message')
    },
    stop: () => child.disconnect(),
  }
}

const secretBox = createSecretBox(Buffer.from(SECRETS.ENCRYPTION_KEY))

const insertEndpoint = async (url: string, target: string): Promise<string> => {
  const sellerId = v7()
  await query(
    url,
    `insert into seller_webhooks (seller_id, id, url, events, status, secret_sealed, created_at, updated_at)
     values ($1, $2, $3, '{*}', 'enabled', $4, now() - interval '1 hour', now())`,
    [sellerId, v7(), target, secretBox.seal(newWebhookSecret())],
  )
  return sellerId
}

/** Commits events of the size of a paid payment, in turn for each seller, not yet fanned out. */
const insertEvents = async (url: string, sellerIds: readonly string[], count: number): Promise<void> => {
  const data = paymentEvents['payment.paid'].example
  const now = new Date()
  for (let from = 0; from < count; from += INSERT_BATCH) {
    const rows = Array.from({ length: Math.min(INSERT_BATCH, count - from) }, (_, index) => {
      const id = v7()
      const body = eventBody(id, { type: 'payment.paid', data }, now)
      return {
        seller_id: sellerIds[(from + index) % sellerIds.length],
        id,
        type: 'payment.paid',
        body,
        created_at: now,
      }
    })
    await query(url, 'insert into events select * from json_populate_recordset(null::events, $1)', [
      JSON.stringify(rows),
    ])
  }
}

const until = async (what: string, check: () => boolean | Promise<boolean>): Promise<void> => {
  const deadline = performance.now() + SETTLED_WITHIN_MS
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error(`never happened: ${what}`)
    await wait(50)
  }
}

const backendCpuSeconds = async (url: string): Promise<number> => {
  const rows = await query<{ pid: number }>(url, 'select pid from pg_stat_activity where datname = current_database()')
  const seconds = await Promise.all(rows.map(({ pid }) => cpuSecondsOf(pid).catch(() => 0)))
  return seconds.reduce((sum, one) => sum + one, 0)
}

type Sink = Awaited<ReturnType<typeof startSink>>
type Subjects = { url: string; sink: Sink; pid: number; sellerIds: readonly string[] }

/** Sends a batch of events through a worker that runs, and says how long it took and what it cost. */
const measure = async ({ url, sink, pid, sellerIds }: Subjects, events: number) => {
  await sink.forget()
  const before = {
    worker: await cpuSecondsOf(pid),
    database: await backendCpuSeconds(url),
    sink: await cpuSecondsOf(sink.pid),
  }
  const began = performance.now()
  await insertEvents(url, sellerIds, events)
  const insertedInMs = performance.now() - began
  await until('everything is delivered', () => sink.counts().received >= events)
  const { received, firstAt, lastAt } = sink.counts()
  const seconds = (lastAt - firstAt) / 1_000
  const cpu = {
    worker: (await cpuSecondsOf(pid)) - before.worker,
    database: (await backendCpuSeconds(url)) - before.database,
    sink: (await cpuSecondsOf(sink.pid)) - before.sink,
  }
  return {
    deliveries: received,
    duplicates: received - events,
    insertedInMs: Math.round(insertedInMs),
    perSecond: Math.round(received / seconds),
    perWorkerCpuSecond: Math.round(received / cpu.worker),
    microsecondsOfCpu: {
      worker: Math.round((cpu.worker * 1e6) / received),
      database: Math.round((cpu.database * 1e6) / received),
      sink: Math.round((cpu.sink * 1e6) / received),
    },
    residentMib: Math.round(await residentMibOf(pid)),
    sockets: sink.counts().sockets,
    hangingCalls: sink.counts().hangingMax,
  }
}

const HANGING =
  'update seller_webhooks set status = $2, consecutive_failures = 0, breaker_open_until = null, next_due_at = now() where seller_id = $1'

type Figures = Awaited<ReturnType<typeof measure>>

/** The same with and without an endpoint that hangs and has much waiting, in turn, so that neither has the warmer machine. */
const measureFairness = async (subjects: Subjects) => {
  const { url, sink } = subjects
  const hanging = await insertEndpoint(url, sink.url('/hang'))
  await query(url, HANGING, [hanging, 'paused'])
  await insertEvents(url, [hanging], BACKLOG)
  await until('the backlog is made', async () => {
    const rows = await query(url, 'select from events where fanned_out_at is null limit 1')
    return rows.length === 0
  })
  const alone: Figures[] = []
  const beside: Figures[] = []
  for (let round = 0; round < 2; round += 1) {
    await query(url, HANGING, [hanging, 'paused'])
    alone.push(await measure(subjects, EVENTS))
    // As if its owner had enabled it: no breaker holds it back, so that this is the worst that it can do.
    await query(url, HANGING, [hanging, 'enabled'])
    beside.push(await measure(subjects, EVENTS))
  }
  const rateOf = (all: readonly Figures[]) => all.reduce((sum, { perSecond }) => sum + perSecond, 0) / all.length
  const inFlightMax = Math.max(...beside.map(({ hangingCalls }) => hangingCalls))
  return {
    backlog: BACKLOG,
    ratio: Math.round((rateOf(beside) / rateOf(alone)) * 100) / 100,
    inFlightMax,
    alone,
    beside,
  }
}

const run = async (url: string) => {
  const sink = await startSink()
  const sellerIds: string[] = []
  for (let count = 0; count < ENDPOINTS; count += 1) sellerIds.push(await insertEndpoint(url, sink.url('/ok')))
  const nodeOptions = options.profile ? ['--cpu-prof', '--cpu-prof-dir=/tmp/webhook-profile'] : []
  const environment = { DATABASE_URL: url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }
  const worker = await startPlatform({ script: 'src/worker.ts', nodeOptions, environment })
  try {
    const idleMib = Math.round(await worker.residentMib())
    const subjects = { url, sink, pid: worker.pid, sellerIds }
    await measure(subjects, Math.min(EVENTS, 5_000))
    const oneEndpoint = await measure({ ...subjects, sellerIds: sellerIds.slice(0, 1) }, EVENTS)
    const fairness = await measureFairness(subjects)
    return { idleMib, manyEndpoints: fairness.alone.at(-1), oneEndpoint, fairness }
  } finally {
    await worker.stop()
    sink.stop()
  }
}

const main = async () => {
  const own = options.database === undefined ? await startPostgres() : undefined
  const adminUrl = options.database ?? own?.urlOf('postgres') ?? ''
  const database = `bench_webhooks_${process.pid}`
  await query(adminUrl, `create database ${database}`)
  const url = new URL(adminUrl)
  url.pathname = `/${database}`
  try {
    await migrate(url.href)
    process.stdout.write(`${JSON.stringify(await run(url.href), undefined, 2)}\n`)
  } finally {
    await query(adminUrl, `drop database ${database} with (force)`)
    await own?.stop()
  }
}

await main()
