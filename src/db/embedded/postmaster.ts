import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, statSync, truncateSync } from 'node:fs'
import { open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { clusterIn } from './cluster.ts'
import { POSTGRES_ENVIRONMENT, runCommand } from './command.ts'
import { EmbeddedPostgresError } from './error.ts'
import type { Place } from './place.ts'

export type Settings = Readonly<Record<string, string>>

const POLL_MS = 10
const START_TIMEOUT_MS = 60_000
const FAST_STOP_TIMEOUT_MS = 20_000
const IMMEDIATE_STOP_TIMEOUT_MS = 5_000
const LOG_SIZE_MAX = 8 * 1024 * 1024

const pidFileOf = (home: string): string => join(clusterIn(home), 'postmaster.pid')

type PidFile = Readonly<{ pid: number; port: number; ready: boolean }>

// The lines of postmaster.pid: pid, data folder, start time, port, socket folder, address, shared memory, status.
const readPidFile = async (home: string): Promise<PidFile | undefined> => {
  const lines = (await readFile(pidFileOf(home), 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  return { pid, port: Number(lines[3] ?? 0), ready: lines[7]?.trim() === 'ready' }
}

const commandLineOf = async (pid: number): Promise<string> => {
  if (process.platform !== 'linux') return (await runCommand('ps', ['-ww', '-o', 'command=', '-p', String(pid)])).output
  return (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).replaceAll('\0', ' ')
}

// A number in a file proves nothing: the system gives it to other processes after a crash, and a container soon does.
const isPostmasterOf = async (pid: number, home: string): Promise<boolean> =>
  (await commandLineOf(pid)).includes(` -D ${clusterIn(home)} `)

const isTaken = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/** The running server of a home, if there is one. */
export const findPostmaster = async (home: string): Promise<PidFile | undefined> => {
  const kept = await readPidFile(home)
  return kept && (await isPostmasterOf(kept.pid, home)) ? kept : undefined
}

/**
 * Postgres refuses to start while the process number in its pid file is in use, whoever uses it. The file cannot be
 * deleted, because it also names the shared memory by which Postgres knows that old backends still run; but it
 * accepts the number of its own parent.
 */
const disownPidFile = async (home: string): Promise<void> => {
  const kept = await readPidFile(home)
  if (!kept || !isTaken(kept.pid) || (await isPostmasterOf(kept.pid, home))) return
  const lines = (await readFile(pidFileOf(home), 'utf8')).split('\n')
  await writeFile(pidFileOf(home), [String(process.pid), ...lines.slice(1)].join('\n'))
}

const openLog = (file: string): { descriptor: number; offset: number } => {
  const descriptor = openSync(file, 'a', 0o600)
  if (statSync(file).size > LOG_SIZE_MAX) truncateSync(file)
  return { descriptor, offset: statSync(file).size }
}

const readLogFrom = async (file: string, offset: number): Promise<string> => {
  const handle = await open(file, 'r')
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4_096), 0, 4_096, offset).finally(() => handle.close())
  return buffer.toString('utf8', 0, bytesRead).trim()
}

// Of all that a server says before it ends, the line that ended it.
const decisiveLine = (text: string): string => {
  const lines = text.split('\n')
  const fatal = lines.find((line) => /(FATAL|PANIC):/.test(line))
  return (fatal ?? lines.at(-1) ?? '').replace(/^.*?(?=(FATAL|PANIC):)/, '').trim()
}

export const hasExited = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

const whenReady = async (child: ChildProcess, home: string): Promise<boolean> => {
  const deadline = Date.now() + START_TIMEOUT_MS
  while (!hasExited(child) && Date.now() < deadline) {
    const kept = await readPidFile(home)
    if (kept?.pid === child.pid && kept?.ready) return true
    await sleep(POLL_MS)
  }
  return false
}

/**
 * Starts Postgres on a port of 127.0.0.1 and waits until it accepts connections. It leads its own process group, so
 * that Ctrl-C in a terminal leaves it to us to stop it after our own work.
 * Throws EmbeddedPostgresError with what Postgres said.
 */
export const startPostmaster = async (place: Place, port: number, settings: Settings): Promise<ChildProcess> => {
  const { home, binaries, account } = place
  await disownPidFile(home)
  const logFile = join(home, 'server.log')
  const { descriptor, offset } = openLog(logFile)
  const fixed = { port: String(port), listen_addresses: '127.0.0.1', unix_socket_directories: '' }
  const options = Object.entries({ ...settings, ...fixed }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(binaries.postgres, ['-D', clusterIn(home), ...options], {
    ...account,
    cwd: home,
    env: POSTGRES_ENVIRONMENT,
    detached: true,
    stdio: ['ignore', descriptor, descriptor],
  })
  const failed = new Promise<string>((resolve) => child.once('error', (error) => resolve(error.message)))
  child.unref()
  closeSync(descriptor)
  const outcome = await Promise.race([failed, whenReady(child, home)])
  if (outcome === true) return child
  if (child.pid !== undefined && !hasExited(child)) child.kill('SIGQUIT')
  const reason = typeof outcome === 'string' ? outcome : await readLogFrom(logFile, offset)
  throw new EmbeddedPostgresError(`Postgres did not start: ${decisiveLine(reason)} (the whole log: ${logFile})`)
}

const hasEnded = async (pid: number, home: string, timeoutMs: number): Promise<boolean> => {
  const deadline = Date.now() + timeoutMs
  while (Date.now() < deadline) {
    if (!(await isPostmasterOf(pid, home))) return true
    await sleep(POLL_MS)
  }
  return false
}

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch {
    // It ended by itself in the meantime.
  }
}

/**
 * Stops a server, ours or an orphan, and waits for its end: first orderly, with every session ended and all data
 * written, then at once, which the next start repairs. Throws EmbeddedPostgresError when it outlives both.
 */
export const stopPostmaster = async (pid: number, home: string): Promise<void> => {
  signal(pid, 'SIGINT')
  if (await hasEnded(pid, home, FAST_STOP_TIMEOUT_MS)) return
  signal(pid, 'SIGQUIT')
  if (await hasEnded(pid, home, IMMEDIATE_STOP_TIMEOUT_MS)) return
  throw new EmbeddedPostgresError(`Postgres (process ${pid}) does not stop.`)
}
