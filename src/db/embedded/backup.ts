import { chmod, copyFile, mkdir, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { Client } from 'pg'
import { clusterIn } from './cluster.ts'
import { runCommand } from './command.ts'
import { EmbeddedPostgresError } from './error.ts'
import { keptFolders } from './place.ts'

/** Written last: a folder without it is no backup. */
const MANIFEST = 'backup.json'
const CLUSTER = join('postgres', 'cluster')

// https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP-DATA says what not to copy.
const EMPTY_FOLDERS: ReadonlySet<string> = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const LEFT_OUT = /^(postmaster\.(pid|opts)|backup_label(\.old)?|pg_internal\.init.*|pgsql_tmp.*)$/

// What one start of the platform makes for itself, and the place of the cluster, which is another one in a backup.
const OF_ONE_PLACE = /^(postgres|postgres-location|postgres-owner\..+|.+\.partial)$/

const isGone = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

// Files that are deleted meanwhile are deleted by the log, too.
const copyFolder = async (
  from: string,
  to: string,
  isWanted: (name: string, parent: string) => boolean,
): Promise<void> => {
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (!isWanted(entry.name, from)) continue
    if (entry.isDirectory()) await copyFolder(source, target, isWanted)
    else if (entry.isFile()) await copyFile(source, target).catch((error) => isGone(error) || Promise.reject(error))
  }
}

const copyCluster = async (from: string, to: string): Promise<void> => {
  const isWanted = (name: string, parent: string): boolean =>
    !LEFT_OUT.test(name) && !(parent === from && EMPTY_FOLDERS.has(name))
  await copyFolder(from, to, isWanted)
  for (const name of EMPTY_FOLDERS) await mkdir(join(to, name), { recursive: true, mode: 0o700 })
}

const only = async (client: Client, query: string): Promise<Record<string, string>> =>
  (await client.query(query)).rows[0]

/** The cluster as it can be started again, copied while it is written to: with the part of its log that makes it whole. */
const copyRunningCluster = async (client: Client, from: string, to: string): Promise<void> => {
  // For as long as this connection lives the server deletes nothing of the log that is written from now on.
  await client.query(`select pg_create_physical_replication_slot('backup_' || pg_backend_pid(), true, true)`)
  const { first = '' } = await only(client, `select pg_walfile_name(pg_backup_start('npm run backup', true)) as first`)
  await copyCluster(from, to)
  const { last = '', labelfile = '' } = await only(
    client,
    'select pg_walfile_name(lsn) as last, labelfile from pg_backup_stop(false)',
  )
  await writeFile(join(to, 'backup_label'), labelfile)
  await copyFolder(join(from, 'pg_wal'), join(to, 'pg_wal'), (name) => name >= first && name <= last)
}

const isEmpty = async (folder: string): Promise<boolean> =>
  (await readdir(folder).catch((error) => (isGone(error) ? [] : Promise.reject(error)))).length === 0

const assertEmpty = async (folder: string): Promise<void> => {
  if (!(await isEmpty(folder))) throw new EmbeddedPostgresError(`${folder} is not empty: name a new folder.`)
}

const assertApart = (folder: string, target: string): void => {
  if (!`${resolve(target)}${sep}`.startsWith(`${folder}${sep}`)) return
  throw new EmbeddedPostgresError(
    `${target} is within ${folder}: name a folder elsewhere, best on another machine's disk.`,
  )
}

// The disk, not the system's memory of it.
const writeThrough = (folder: string) => runCommand('sync', ['-f', folder])

/**
 * Copies the embedded Postgres of a data folder, which runs at `url` and may be written to, and everything else in the folder:
 * documents and secrets. Rows are copied first and files after them, so that every document that a row names is there. The
 * backup is of the moment at which the copy of the database ends; `target` appears whole or not at all. Throws
 * EmbeddedPostgresError where `target` has something in it.
 */
export const backUp = async ({ url, dataDir, target }: { url: string; dataDir: string; target: string }) => {
  await assertEmpty(target)
  const folder = await realpath(dataDir)
  assertApart(folder, target)
  const partial = `${resolve(target)}.partial`
  await rm(partial, { recursive: true, force: true })
  const client = new Client({ connectionString: url, application_name: 'payment-platform backup' })
  await client.connect()
  try {
    await copyRunningCluster(client, clusterIn((await keptFolders(folder)).home), join(partial, CLUSTER))
  } finally {
    await client.end()
  }
  await copyFolder(folder, partial, (name, parent) => parent !== folder || !OF_ONE_PLACE.test(name))
  await writeFile(join(partial, MANIFEST), `${JSON.stringify({ takenAt: new Date().toISOString(), of: folder })}\n`)
  await writeThrough(partial)
  await rm(target, { recursive: true, force: true })
  await rename(partial, target)
}

/**
 * Makes a data folder of a backup: the platform that is started with it goes on where the backup ends. Answers when that was
 * (ISO 8601, UTC). Throws EmbeddedPostgresError for what is no whole backup, and where `dataDir` has something in it.
 */
export const restore = async (backup: string, dataDir: string): Promise<string> => {
  const manifest = await readFile(join(backup, MANIFEST), 'utf8').catch(() => undefined)
  if (manifest === undefined) throw new EmbeddedPostgresError(`${backup} is no whole backup: it has no ${MANIFEST}.`)
  await assertEmpty(dataDir)
  await copyFolder(backup, dataDir, (name) => name !== MANIFEST)
  // Root starts Postgres as another account, which has to get in.
  await chmod(dataDir, 0o755)
  await writeThrough(dataDir)
  return JSON.parse(manifest).takenAt
}
