import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Account, POSTGRES_ENVIRONMENT, runCommand } from './command.ts'
import { EmbeddedPostgresError } from './error.ts'
import type { Place } from './place.ts'

export const clusterIn = (home: string): string => join(home, 'cluster')

const readText = async (file: string): Promise<string | undefined> =>
  (await readFile(file, 'utf8').catch(() => undefined))?.trim()

const passwordFileOf = (dataDir: string): string => join(dataDir, 'postgres-password')
const draftOf = (dataDir: string): string => `${passwordFileOf(dataDir)}.partial`

/** The superuser's password, if one was made. */
export const readPassword = (dataDir: string): Promise<string | undefined> => readText(passwordFileOf(dataDir))

// Kept under another name until there is a cluster that it opens.
const draftPassword = async (dataDir: string): Promise<string> => {
  const password = randomBytes(24).toString('base64url')
  await writeFile(draftOf(dataDir), `${password}\n`, { mode: 0o600 })
  return password
}

// A process that died in between has made a cluster and left its password as a draft.
const keepPassword = async (dataDir: string): Promise<string | undefined> => {
  if ((await readPassword(dataDir)) === undefined && (await readText(draftOf(dataDir))) !== undefined) {
    await rename(draftOf(dataDir), passwordFileOf(dataDir))
    await syncFolder(dataDir)
  }
  return await readPassword(dataDir)
}

const give = async (path: string, { uid, gid }: Account): Promise<void> => {
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid)
}

// A rename is durable only once the folder that holds the name is.
const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

// A data folder that root copied belongs to root now, and may have lost the permissions that Postgres insists on.
const adoptCluster = async ({ home, account }: Place): Promise<void> => {
  const { uid, gid } = account
  if (uid === undefined || (await stat(clusterIn(home))).uid === uid) return
  await runCommand('chown', ['-R', `${uid}:${gid}`, home])
  await chmod(clusterIn(home), 0o700)
}

const createCluster = async ({ home, binaries, account }: Place, password: string): Promise<void> => {
  const partial = join(home, 'cluster.partial')
  const passwordFile = join(home, 'password.partial')
  await rm(partial, { recursive: true, force: true })
  await rm(passwordFile, { force: true })
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  await give(passwordFile, account)
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const access = ['--username=postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  const options = { account, cwd: home, env: POSTGRES_ENVIRONMENT }
  const { ok, output } = await runCommand(binaries.initdb, ['-D', partial, ...locale, ...access], options)
  await rm(passwordFile, { force: true })
  if (!ok) throw new EmbeddedPostgresError(`initdb failed: ${output.split('\n').slice(-3).join(' ')}`)
  await rename(partial, clusterIn(home))
  await syncFolder(home)
}

const majorIn = (home: string): Promise<string | undefined> => readText(join(clusterIn(home), 'PG_VERSION'))

/** Whether a cluster was ever made for a data folder. */
export const hadCluster = async (dataDir: string): Promise<boolean> => (await readPassword(dataDir)) !== undefined

/**
 * Throws EmbeddedPostgresError where a data folder has had a cluster that is not at `home`: to go on would be to start an
 * empty platform in the place of one with people's money. `named` is where the folder says that the cluster lies.
 */
export const assertClusterIsThere = async (dataDir: string, home: string, named: string): Promise<void> => {
  if (!(await hadCluster(dataDir)) || (await majorIn(home)) !== undefined) return
  const others =
    (await majorIn(named)) === undefined ? 'is missing' : 'belongs to the folder that this one is a copy of'
  throw new EmbeddedPostgresError(
    `The database of ${dataDir} is not here: ${clusterIn(named)} ${others}. Bring it along (docs/operations.md, Backup), or set DATA_DIR to a new folder for an empty platform.`,
  )
}

/**
 * Makes the cluster of a place unless it is there, and returns the superuser's password, kept in `dataDir` from the moment
 * on in which there is a cluster. A cluster appears whole or not at all, whenever the process dies.
 * Throws EmbeddedPostgresError when initdb fails, or the cluster is another major version's.
 */
export const ensureCluster = async (dataDir: string, place: Place): Promise<string> => {
  const made = await majorIn(place.home)
  const major = place.binaries.version.split('.')[0]
  if (made !== undefined && made !== major) {
    throw new EmbeddedPostgresError(`${place.home} holds data of Postgres ${made}, and this is Postgres ${major}.`)
  }
  if (made === undefined) {
    await mkdir(place.home, { recursive: true, mode: 0o700 })
    await chmod(place.home, 0o700)
    await give(place.home, place.account)
    await createCluster(place, await draftPassword(dataDir))
  } else {
    await adoptCluster(place)
  }
  const password = await keepPassword(dataDir)
  if (password !== undefined) return password
  throw new EmbeddedPostgresError(`${passwordFileOf(dataDir)}, the password of ${place.home}, is missing.`)
}
