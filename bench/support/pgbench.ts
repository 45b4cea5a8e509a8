import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)
const DEBIAN = '/usr/lib/postgresql'

/** The path of pgbench: on the path, or where Debian puts it. */
export const findPgbench = (): string => {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  return versions.map((version) => `${DEBIAN}/${version}/bin/pgbench`).find(existsSync) ?? 'pgbench'
}

export type PgbenchOptions = {
  url: string
  clients: number
  /** How long, or how many transactions of each client. */
  run: { seconds: number } | { transactions: number }
  script: string
  define?: Record<string, string | number>
}

/** Transactions per second of a script, each with its own commit, statements prepared and without connection time. */
export const pgbench = async ({ url, clients, run: length, script, define = {} }: PgbenchOptions): Promise<number> => {
  const definitions = Object.entries(define).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  const bound = 'seconds' in length ? ['-T', String(length.seconds)] : ['-t', String(length.transactions)]
  const { stdout } = await run(findPgbench(), [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(clients),
    '-j',
    '1',
    ...bound,
    '-f',
    script,
    ...definitions,
    url,
  ])
  const [, perSecond] = /tps = ([\d.]+)/.exec(stdout) ?? []
  if (perSecond === undefined) throw new Error(`pgbench said nothing that is understood:\n${stdout}`)
  return Number(perSecond)
}
