import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const ROOT = join(import.meta.dirname, '..', '..')
const START_TIMEOUT_MS = 60_000
const TICKS_PER_SECOND = 100
const READY = /http:\/\/127\.0\.0\.1:\d+|the jobs run/

/** Secrets of the platforms that are measured: known, so that the benchmark can sign tokens and callbacks itself. */
export const SECRETS = {
  JWT_SECRET: 'a-secret-that-only-the-benchmark-uses-0123456789',
  ENCRYPTION_KEY: 'a-key-that-only-the-benchmark-uses-0123456789ab',
} as const

export const ADMIN = { email: 'admin@example.com', password: 'a long administrator password' } as const

// As `npm start` runs it.
const LAUNCHER = join(ROOT, 'src', 'start', 'launch.js')

const ENVIRONMENT = {
  ...SECRETS,
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
  LOG_LEVEL: 'info',
  HOST: '127.0.0.1',
  PORT: '0',
  RATE_LIMIT_PER_MINUTE: '10000000',
  RATE_LIMIT_PER_ADDRESS_PER_MINUTE: '10000000',
  RATE_LIMIT_TIGHT_PER_MINUTE: '10000000',
  RATE_LIMIT_UNPROVEN_WEBHOOKS_PER_MINUTE: '1000000',
}

/** A process of the platform, and what it costs. */
export type Platform = {
  url: string
  pid: number
  /** Milliseconds from its spawning until it listened. */
  startedInMs: number
  /** Seconds of processor time that it has used so far. */
  cpuSeconds(): Promise<number>
  /** Resident memory now, in MiB. */
  residentMib(): Promise<number>
  /** The same, with pages that others use too, as Node's own program, shared out among them. */
  shareMib(): Promise<number>
  stop(): Promise<void>
}

/** Seconds of processor time of a process so far. */
export const cpuSecondsOf = async (pid: number): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

const kibOf = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0)

export const residentMibOf = async (pid: number): Promise<number> =>
  kibOf(await readFile(`/proc/${pid}/status`, 'utf8'), 'VmRSS') / 1_024

const shareMibOf = async (pid: number): Promise<number> =>
  kibOf(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8'), 'Pss') / 1_024

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

type Options = { script?: string; nodeOptions?: readonly string[]; environment: Record<string, string> }

/** Starts a process of the platform, or another script that says where it listens, and waits until it is ready. */
export const startPlatform = async ({
  script = 'src/server.ts',
  nodeOptions = [],
  environment,
}: Options): Promise<Platform> => {
  const began = performance.now()
  const child = spawn(process.execPath, [...nodeOptions, LAUNCHER, join(ROOT, script)], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: join(tmpdir(), `payment-platform-bench-${process.pid}`),
      ...ENVIRONMENT,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { pid } = child
  if (pid === undefined) throw new Error(`${script} could not be started`)
  const lines: string[] = []
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${script} ${why}:\n${lines.join('\n')}`))
    const timeout = setTimeout(() => fail('did not start in time'), START_TIMEOUT_MS)
    const readers = [child.stdout, child.stderr].map((input) => createInterface({ input }))
    const see = (line: string) => {
      lines.push(line)
      const [ready] = READY.exec(line) ?? []
      if (ready === undefined) return
      clearTimeout(timeout)
      // A line for each request: to read them would take processor time from what is measured.
      for (const reader of readers) reader.close()
      child.stdout.resume()
      child.stderr.resume()
      resolve(ready)
    }
    for (const reader of readers) reader.on('line', see)
    child.once('exit', (code) => fail(`ended with ${code}`))
  })
  return {
    url,
    pid,
    startedInMs: performance.now() - began,
    cpuSeconds: () => cpuSecondsOf(pid),
    residentMib: () => residentMibOf(pid),
    shareMib: () => shareMibOf(pid),
    stop: () => stop(child),
  }
}
