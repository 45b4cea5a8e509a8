import { chmod, cp, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'

const silent = { info: () => undefined, error: () => undefined }
const SETTINGS = { fsync: 'off', shared_buffers: '16MB' }
// Whatever a read of the standby keeps from being replayed ends the read at once.
const OF_STANDBY = { ...SETTINGS, max_standby_streaming_delay: '0', hot_standby_feedback: 'off' }

/** A migrated database and the streaming standby that follows it, both Postgres of their own. */
export type DatabaseAndStandby = {
  url: string
  standbyUrl: string
  /** Both, as `DATABASE_URL` names them: the standby first. */
  urls: string
  stopPrimary: () => Promise<void>
  stop: () => Promise<void>
}

const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'payment-platform-standby-'))
  // Postgres may have to run as another account, which has to get in.
  await chmod(folder, 0o755)
  return folder
}

/** Starts a server, copies its folder while it is down, and lets the copy follow it. */
export const startWithStandby = async (): Promise<DatabaseAndStandby> => {
  const [folder, copy] = [await newFolder(), await newFolder()]
  const start = (dataDir: string, settings: Record<string, string>) =>
    startEmbeddedPostgres({ dataDir, log: silent, settings })
  const first = await start(folder, SETTINGS)
  await migrate(first.url)
  await first.stop()
  await cp(folder, copy, { recursive: true, filter: (path) => !path.endsWith('.pid') })
  await writeFile(join(copy, 'postgres', 'cluster', 'standby.signal'), '')

  const database = await start(folder, SETTINGS)
  const { hostname, port, username, password } = new URL(database.url)
  const primary = `host=${hostname} port=${port} user=${username} password=${password}`
  const standby = await start(copy, { ...OF_STANDBY, primary_conninfo: primary }).catch(async (error: unknown) => {
    await database.stop()
    throw error
  })
  const urls = new URL(database.url)
  urls.searchParams.set('target_session_attrs', 'read-write')
  const both = urls.href.replace('@', `@127.0.0.1:${new URL(standby.url).port},`)
  const stop = async () => {
    await standby.stop()
    await database.stop()
    await Promise.all([folder, copy].map((dataDir) => removeEmbeddedPostgres(dataDir)))
  }
  return { url: database.url, standbyUrl: standby.url, urls: both, stopPrimary: database.stop, stop }
}
