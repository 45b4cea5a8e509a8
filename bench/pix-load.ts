import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { environmentOf } from '../simulators/psp/certificates/environment.ts'
import { DEFAULT_CERTIFICATES, makeCertificates } from '../simulators/psp/certificates/folder.ts'
import { comeAt } from './create-payments.ts'
import { type Bench, CONNECTIONS, openPlatform, type Shops, withProcessorTime } from './support/bench.ts'
import type { OpenLoopResult } from './support/open-loop.ts'
import { query } from './support/postgres.ts'
import { median, type Row } from './support/table.ts'
import { wrk } from './support/wrk.ts'

const ANSWERS_AFTER_MS = 50
/** Each waits 50 ms and more for its answer, so that a thousand a second need more of them than elsewhere. */
const LOAD_CONNECTIONS = 160
const PER_SECOND = 1_000
/** Payments that come while others work, at a PSP that answers and at one that hangs. */
const PAYMENTS_PER_SECOND = 20
const SAMPLE_EVERY_MS = 200
const WARMUP_ROUNDS = 2

const CREATE = join(import.meta.dirname, 'create-payments.lua')
const READ = join(import.meta.dirname, 'reads.lua')
const CUSTOMERS = join(import.meta.dirname, 'create-customers.lua')

/** A PSP that answers after 50 ms, in a process of its own, until it is told to hang. */
const startSink = async (folder: string) => {
  const script = join(import.meta.dirname, 'support', 'pix-sink.ts')
  const child: ChildProcess = fork(script, [folder, String(ANSWERS_AFTER_MS)], { stdio: 'inherit' })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const tell = (message: 'hang' | 'answer'): void => void child.send(message)
  const stop = async (): Promise<void> => {
    const gone = once(child, 'exit')
    child.disconnect()
    await gone
  }
  return { port, tell, stop }
}

type Sink = Awaited<ReturnType<typeof startSink>>

/** While work goes on: how many connections of the database wait inside a transaction for longer than a write takes. */
const heldDuring = async <Result>(url: string, work: () => Promise<Result>) => {
  let isOver = false
  const held: number[] = []
  const sample = async (): Promise<void> => {
    while (!isOver) {
      const [row] = await query<{ held: number }>(
        url,
        `select count(*)::int as held from pg_stat_activity where datname = current_database()
           and state like 'idle in transaction%' and now() - state_change > interval '40 ms'`,
      )
      held.push(row?.held ?? 0)
      await wait(SAMPLE_EVERY_MS)
    }
  }
  const sampling = sample()
  const result = await work()
  isOver = true
  await sampling
  return { result, held: median(held) }
}

const createRound = (bench: Bench, { platform, tokens }: Shops, run: string) =>
  wrk({
    url: platform.url,
    connections: LOAD_CONNECTIONS,
    seconds: bench.seconds,
    script: CREATE,
    args: [tokens, run],
  })

const measurePace = async (bench: Bench, shops: Shops): Promise<Row[]> => {
  const { platform, url } = shops
  for (let round = 0; round < WARMUP_ROUNDS; round += 1) await createRound(bench, shops, `warmup${round}`)
  const rounds = []
  for (let round = 0; round < bench.rounds; round += 1) {
    const work = () => heldDuring(url, () => createRound(bench, shops, `pix${round}`))
    const { result: watched, seconds } = await withProcessorTime(bench, [platform], work)
    const { result, held } = watched
    rounds.push({ ...result, held, seconds })
    const [api, postgres] = [seconds.api, seconds.postgres].map((part) => ((part / result.requests) * 1e6).toFixed(0))
    bench.say(
      `Pix ${result.perSecond.toFixed(0)}/s, p99 ${result.p99.toFixed(0)} ms, ${result.failures} failed; each took ${api} µs of the API, ${postgres} of Postgres`,
    )
  }
  const perSecond = median(rounds.map((round) => round.perSecond))
  const open = await comeAt(platform.url, PER_SECOND, bench.seconds, 2 * CONNECTIONS)
  const residentMib = await platform.residentMib()
  const name = 'POST /payments at a PSP that takes 50 ms'
  const plain = { compared: '' }
  return [
    {
      ...{ name, ...plain, measured: `${perSecond.toFixed(0)}/s`, value: perSecond, bound: { atLeast: PER_SECOND } },
      details: { rounds },
    },
    openRow(name, open),
    {
      ...{ name: `${name}, connections of the database held meanwhile`, ...plain },
      ...{ measured: String(median(rounds.map(({ held }) => held))), value: median(rounds.map(({ held }) => held)) },
      bound: { atMost: 0 },
    },
    {
      ...{ name: `${name}, memory in MiB`, ...plain, measured: `${residentMib.toFixed(0)} MiB`, value: residentMib },
      bound: { atMost: 400 },
    },
  ]
}

const openRow = (name: string, open: OpenLoopResult): Row => {
  const turnedAway = open.dropped + open.failures
  return {
    name: `${name}, of 1,000 a second turned away`,
    measured: `${turnedAway} of ${open.due}, p99 ${open.p99.toFixed(0)} ms`,
    ...{ compared: '', value: turnedAway, bound: { atMost: 0 }, details: open },
  }
}

type Pace = { reads: number; writes: number; failures: number }

/** What needs no PSP: reading, and another thing that is written. */
const others = async (bench: Bench, { platform, tokens }: Shops, run: string): Promise<Pace> => {
  const load = { url: platform.url, connections: CONNECTIONS, seconds: bench.seconds }
  const reads = await wrk({ ...load, script: READ, args: [tokens, '/api/v1/balance'] })
  const writes = await wrk({ ...load, script: CUSTOMERS, args: [tokens, run] })
  return { reads: reads.perSecond, writes: writes.perSecond, failures: reads.failures + writes.failures }
}

/** While work goes on, payments come in beside it. */
const paying = async <Result>(bench: Bench, { platform, url }: Shops, work: () => Promise<Result>) => {
  const payments = comeAt(platform.url, PAYMENTS_PER_SECOND, 2 * bench.seconds, 4 * CONNECTIONS)
  const watched = await heldDuring(url, work)
  await payments
  return watched
}

const measureHanging = async (bench: Bench, shops: Shops, sink: Sink): Promise<Row[]> => {
  const { platform } = shops
  await others(bench, shops, 'warmup')
  const rounds: { well: Pace; beside: Pace; held: number }[] = []
  for (let round = 0; round < bench.rounds; round += 1) {
    const { result: well } = await paying(bench, shops, () => others(bench, shops, `well${round}`))
    sink.tell('hang')
    const { result: beside, held } = await paying(bench, shops, () => others(bench, shops, `beside${round}`))
    sink.tell('answer')
    // The PSP was left alone for ten seconds: the first call after that finds it well.
    await comeAt(platform.url, 1, 12, 1)
    if (well.failures + beside.failures > 0) throw new Error('what needs no PSP failed')
    rounds.push({ well, beside, held })
    bench.say(
      `beside a PSP that answers ${well.reads.toFixed(0)} reads/s, ${well.writes.toFixed(0)} writes/s; beside one that hangs ${beside.reads.toFixed(0)}, ${beside.writes.toFixed(0)}`,
    )
  }
  const rowOf = (name: string, what: 'reads' | 'writes'): Row => ({
    name: `${name} beside a PSP that hangs`,
    measured: `${median(rounds.map(({ beside }) => beside[what])).toFixed(0)}/s`,
    compared: `one that answers ${median(rounds.map(({ well }) => well[what])).toFixed(0)}/s`,
    value: median(rounds.map(({ well, beside }) => beside[what] / well[what])),
    bound: { atLeast: 0.9 },
    details: { rounds },
  })
  const held = median(rounds.map((round) => round.held))
  return [
    rowOf('GET /balance', 'reads'),
    rowOf('POST /customers', 'writes'),
    {
      ...{ name: 'connections of the database held for a PSP that hangs', measured: String(held), compared: '' },
      ...{ value: held, bound: { atMost: 0 } },
    },
  ]
}

/** `POST /payments` where each payment's charge is made at a PSP over mutual TLS, and what a PSP that hangs takes from others. */
export const measurePix = async (bench: Bench): Promise<Row[]> => {
  const folder = join(bench.folder, 'psp')
  const { merchants } = await makeCertificates(folder, DEFAULT_CERTIFICATES)
  const [merchant] = merchants
  if (merchant === undefined) throw new Error('the PSP has no merchant')
  const sink = await startSink(folder)
  const origin = `https://localhost:${sink.port}`
  const environment = {
    ...environmentOf(merchant, { profile: 'generic', apiPort: sink.port, folder }),
    ...{ PIX_API_URL: origin, PIX_TOKEN_URL: `${origin}/oauth/token` },
  }
  const shops = await openPlatform(bench, { name: 'bench_pix', environment })
  try {
    return [...(await measurePace(bench, shops)), ...(await measureHanging(bench, shops, sink))]
  } finally {
    await shops.platform.stop()
    await sink.stop()
  }
}
