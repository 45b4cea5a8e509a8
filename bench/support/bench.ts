import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Platform, startPlatform } from './platform.ts'
import { type BenchServer, query, startPostgres } from './postgres.ts'
import { openShops, tokenOf } from './shops.ts'

/** As many connections as the bounds speak of. */
export const CONNECTIONS = 64
export const SELLERS = 1_000

/** What every measurement stands on: a durable Postgres, a folder for its files, and how long it may take. */
export type Bench = {
  postgres: BenchServer
  folder: string
  /** Of one round of load. */
  seconds: number
  /** Rounds of each side, in turns. */
  rounds: number
  say(line: string): void
  close(): Promise<void>
}

export const openBench = async ({ quick }: { quick: boolean }): Promise<Bench> => {
  const folder = await mkdtemp(join(tmpdir(), 'payment-platform-bench-files-'))
  process.env.BENCH_SUPPORT = import.meta.dirname
  const postgres = await startPostgres()
  return {
    postgres,
    folder,
    seconds: quick ? 2 : 10,
    rounds: quick ? 2 : 3,
    say: (line) => process.stderr.write(`${line}\n`),
    close: async () => {
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A platform with a thousand sellers on a database of its own. `tokens` is a file with a token of each. */
export type Shops = { url: string; platform: Platform; tokens: string }

type Options = {
  name: string
  role?: 'api' | 'all'
  sellers?: number
  script?: string
  environment?: Record<string, string>
}

export const openPlatform = async (
  bench: Bench,
  { name, role = 'api', sellers = SELLERS, script, environment: more = {} }: Options,
): Promise<Shops> => {
  await bench.postgres.admin(`create database ${name}`)
  const url = bench.postgres.urlOf(name)
  const environment = { DATABASE_URL: url, PROCESS_ROLE: role, ...more }
  const platform = await startPlatform({ environment, ...(script === undefined ? {} : { script }) })
  await openShops(platform, url, sellers)
  const tokens = join(bench.folder, `${name}.tokens`)
  const numbers = Array.from({ length: sellers }, (_, index) => index + 1)
  await writeFile(tokens, `${numbers.map(tokenOf).join('\n')}\n`)
  await query(url, 'vacuum analyze')
  return { url, platform, tokens }
}

/** What a piece of work took of the processors, in seconds: the API's part and Postgres'. The rest is the generator's. */
export type ProcessorTime = { api: number; postgres: number }

/** Does a piece of work, and says what it took of the processors. */
export const withProcessorTime = async <Result>(
  { postgres }: Pick<Bench, 'postgres'>,
  targets: readonly Platform[],
  work: () => Promise<Result>,
): Promise<{ result: Result; seconds: ProcessorTime }> => {
  const used = async (): Promise<ProcessorTime> => {
    const ofTargets = await Promise.all(targets.map((target) => target.cpuSeconds()))
    return { api: ofTargets.reduce((sum, seconds) => sum + seconds, 0), postgres: await postgres.cpuSeconds() }
  }
  const before = await used()
  const result = await work()
  const after = await used()
  return { result, seconds: { api: after.api - before.api, postgres: after.postgres - before.postgres } }
}
