import { join } from 'node:path'
import { type Bench, CONNECTIONS, openPlatform, withProcessorTime } from './support/bench.ts'
import { type Platform, startPlatform } from './support/platform.ts'
import { query } from './support/postgres.ts'
import { median, type Row } from './support/table.ts'
import { wrk } from './support/wrk.ts'

const SCRIPT = join(import.meta.dirname, 'create-payments.lua')

/** What load brought, and the processor time that one payment took, in microseconds. */
type Load = { perSecond: number; accepted: number; apiMicros: number; postgresMicros: number }

type Side = { bench: Bench; targets: readonly Platform[]; tokens: string; name: string }

// Each process has callers of its own, as many as one alone: what is written together depends on how many wait.
const load = async ({ bench, targets, tokens, name }: Side): Promise<Load> => {
  const { result: results, seconds } = await withProcessorTime(bench, targets, () =>
    Promise.all(
      targets.map(({ url }, index) => {
        const args = [tokens, `${name}n${index}`]
        return wrk({ url, connections: CONNECTIONS, seconds: bench.seconds, script: SCRIPT, args })
      }),
    ),
  )
  const accepted = results.reduce((sum, { requests, failures }) => sum + requests - failures, 0)
  const microsEach = (part: number): number => (part / accepted) * 1e6
  return {
    perSecond: results.reduce((sum, { perSecond }) => sum + perSecond, 0),
    accepted,
    apiMicros: microsEach(seconds.api),
    postgresMicros: microsEach(seconds.postgres),
  }
}

type Round = { one: Load; two: Load }

const totalOf = ({ apiMicros, postgresMicros }: Load): number => apiMicros + postgresMicros

const costText = (loads: readonly Load[]): string => {
  const [total, api, postgres] = [
    totalOf,
    ({ apiMicros }: Load) => apiMicros,
    ({ postgresMicros }: Load) => postgresMicros,
  ].map((part) => median(loads.map(part)).toFixed(0))
  return `${total} µs (API ${api}, Postgres ${postgres})`
}

const rowsOf = (rounds: readonly Round[], missing: number): Row[] => {
  const ones = rounds.map(({ one }) => one)
  const twos = rounds.map(({ two }) => two)
  const rateText = (loads: readonly Load[]): string => `${median(loads.map(({ perSecond }) => perSecond)).toFixed(0)}/s`
  return [
    {
      name: 'two API processes and a worker',
      measured: rateText(twos),
      compared: `one API process ${rateText(ones)}`,
      value: median(rounds.map(({ one, two }) => two.perSecond / one.perSecond)),
      bound: { atLeast: 0.9 },
      details: { rounds },
    },
    {
      name: 'processor time of a payment with two',
      measured: costText(twos),
      compared: `with one ${costText(ones)}`,
      value: median(rounds.map(({ one, two }) => totalOf(two) / totalOf(one))),
      bound: { atMost: 1.25 },
    },
    {
      name: 'accepted payments that are missing',
      measured: String(missing),
      compared: '',
      value: missing,
      bound: { atMost: 0 },
    },
  ]
}

/**
 * Two API processes and a worker on one database, against one API process and a worker. Where processors are left over
 * they bring twice as much; here they share them with Postgres and the load, so that what adds up is the processor time
 * of each payment: it may hardly grow.
 */
export const measureSeveralProcesses = async (bench: Bench): Promise<Row[]> => {
  const { url, platform: first, tokens } = await openPlatform(bench, { name: 'bench_processes' })
  const second = await startPlatform({ environment: { DATABASE_URL: url, PROCESS_ROLE: 'api' } })
  const worker = await startPlatform({ script: 'src/worker.ts', environment: { DATABASE_URL: url } })
  const rounds: Round[] = []
  for (let round = 0; round < bench.rounds; round += 1) {
    const one = await load({ bench, targets: [first], tokens, name: `one${round}` })
    const two = await load({ bench, targets: [first, second], tokens, name: `two${round}` })
    rounds.push({ one, two })
    bench.say(`one process ${one.perSecond.toFixed(0)}/s, ${costText([one])}`)
    bench.say(`two processes ${two.perSecond.toFixed(0)}/s, ${costText([two])}`)
  }
  for (const process of [first, second, worker]) await process.stop()
  const [kept] = await query<{ count: string }>(url, 'select count(*) from payments')
  const accepted = rounds.reduce((sum, { one, two }) => sum + one.accepted + two.accepted, 0)
  return rowsOf(rounds, Math.max(0, accepted - Number(kept?.count)))
}
