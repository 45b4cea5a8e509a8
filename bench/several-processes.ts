import { join } from 'node:path'
import { type Bench, CONNECTIONS, openPlatform } from './support/bench.ts'
import { startPlatform } from './support/platform.ts'
import { query } from './support/postgres.ts'
import { median, type Row } from './support/table.ts'
import { wrk } from './support/wrk.ts'

const SCRIPT = join(import.meta.dirname, 'create-payments.lua')

/** Two API processes and a worker on one database, against one API process and a worker: they must add up. */
export const measureSeveralProcesses = async (bench: Bench): Promise<Row[]> => {
  const { url, platform: first, tokens } = await openPlatform(bench, { name: 'bench_processes' })
  const environment = { DATABASE_URL: url, PROCESS_ROLE: 'api' }
  const second = await startPlatform({ environment })
  const worker = await startPlatform({ script: 'src/worker.ts', environment: { DATABASE_URL: url } })
  const run = (target: string, connections: number, name: string) =>
    wrk({ url: target, connections, seconds: bench.seconds, script: SCRIPT, args: [tokens, name] })
  const rounds = []
  let accepted = 0
  for (let round = 0; round < bench.rounds; round += 1) {
    const one = await run(first.url, CONNECTIONS, `one${round}`)
    const both = await Promise.all([
      run(first.url, CONNECTIONS / 2, `first${round}`),
      run(second.url, CONNECTIONS / 2, `second${round}`),
    ])
    const two = both.reduce((sum, { perSecond }) => sum + perSecond, 0)
    accepted += [one, ...both].reduce((sum, { requests, failures }) => sum + requests - failures, 0)
    rounds.push({ one: one.perSecond, two, ratio: two / one.perSecond })
    bench.say(`one process ${one.perSecond.toFixed(0)}/s, two ${two.toFixed(0)}/s`)
  }
  for (const process of [first, second, worker]) await process.stop()
  const [kept] = await query<{ count: string }>(url, 'select count(*) from payments')
  const missing = Math.max(0, accepted - Number(kept?.count))
  return [
    {
      name: 'two API processes and a worker',
      measured: `${median(rounds.map(({ two }) => two)).toFixed(0)}/s`,
      compared: `one API process ${median(rounds.map(({ one }) => one)).toFixed(0)}/s`,
      value: median(rounds.map(({ ratio }) => ratio)),
      bound: { atLeast: 0.9 },
      details: { rounds },
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
