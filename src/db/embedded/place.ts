import { createHash } from 'node:crypto'
import { chmod, cp, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { accountFor, isOurselves } from './account.ts'
import { type Binaries, binariesIn } from './binaries.ts'
import { type Account, POSTGRES_ENVIRONMENT, runCommand } from './command.ts'
import { EmbeddedPostgresError } from './error.ts'

/** Where the cluster lives (`home`), which binaries run it and as whom: `account` can reach both. */
export type Place = Readonly<{ home: string; binaries: Binaries; account: Account }>

// /var/tmp comes second: some systems delete from it what was not touched for a month.
const REFUGE_PARENTS = ['/var/lib', '/var/tmp'] as const

const pointerOf = (dataDir: string): string => join(dataDir, 'postgres-location')
const readText = async (file: string): Promise<string | undefined> =>
  (await readFile(file, 'utf8').catch(() => undefined))?.trim()

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined)) !== undefined

const canEnter = async (account: Account, folder: string): Promise<boolean> =>
  (await runCommand('/bin/sh', ['-c', 'cd "$0"', folder], { account })).ok

const tryToRun = (account: Account, { postgres }: Binaries) =>
  runCommand(postgres, ['--version'], { account, env: POSTGRES_ENVIRONMENT })

/**
 * The refuge that the pointer file names, if it is this data folder's own. A copied checkout brings a copy of the
 * pointer, and must not share the original's data; a moved one keeps its refuge.
 */
const readRefuge = async (dataDir: string): Promise<string | undefined> => {
  const refuge = await readText(pointerOf(dataDir))
  const owner = refuge && (await readText(join(refuge, 'data-dir')))
  if (!refuge || !owner) return undefined
  if (owner === dataDir) return refuge
  if ((await readText(pointerOf(owner))) === refuge) return undefined
  await writeFile(join(refuge, 'data-dir'), `${dataDir}\n`)
  return refuge
}

const createRefuge = async (dataDir: string, account: Account): Promise<string> => {
  const label = createHash('sha256').update(dataDir).digest('hex').slice(0, 12)
  for (const parent of REFUGE_PARENTS) {
    // A fresh random name: nobody can have prepared it, and a deleted data folder never comes back to life.
    const refuge = await mkdtemp(join(parent, `payment-platform-${label}-`)).catch(() => undefined)
    if (!refuge) continue
    await chmod(refuge, 0o755)
    if (await canEnter(account, refuge)) {
      await writeFile(join(refuge, 'data-dir'), `${dataDir}\n`)
      await writeFile(pointerOf(dataDir), `${refuge}\n`)
      return refuge
    }
    await rm(refuge, { recursive: true, force: true })
  }
  throw new EmbeddedPostgresError(
    `The account that runs Postgres can enter neither ${dataDir} nor ${REFUGE_PARENTS.join(', ')}: set DATA_DIR or DATABASE_URL.`,
  )
}

const copyBinaries = async (binaries: Binaries, refuge: string): Promise<Binaries> => {
  const target = join(refuge, `native-${binaries.version}`)
  if (!(await exists(target))) {
    for (const name of await readdir(refuge)) {
      if (name.startsWith('native-')) await rm(join(refuge, name), { recursive: true, force: true })
    }
    const partial = `${target}.partial`
    await cp(binaries.folder, partial, { recursive: true, verbatimSymlinks: true })
    await runCommand('chmod', ['-R', 'a+rX', partial])
    await rename(partial, target)
  }
  return binariesIn(target, binaries.version)
}

const assertRunnable = async (account: Account, binaries: Binaries): Promise<void> => {
  const { ok, output } = await tryToRun(account, binaries)
  if (ok) return
  const reason = output.split('\n')[0] ?? 'unknown reason'
  throw new EmbeddedPostgresError(`The embedded Postgres does not run on this system (${reason}): set DATABASE_URL.`)
}

/**
 * Chooses the place of a data folder's cluster: `<dataDir>/postgres`, run by the installed binaries. Root's own
 * folders are closed to the account that Postgres runs as, so there both move to a refuge outside, which a pointer
 * file in `dataDir` names for the next start. `dataDir` is absolute and free of symbolic links.
 */
export const choosePlace = async (dataDir: string, binaries: Binaries): Promise<Place> => {
  const { home, refuge: keptRefuge } = await keptFolders(dataDir)
  const account = await accountFor(home)
  if (isOurselves(account)) {
    await assertRunnable(account, binaries)
    return { home, binaries, account }
  }
  const reachable = await canEnter(account, dirname(home))
  const runnable = (await tryToRun(account, binaries)).ok
  if (!reachable && (await exists(join(home, 'cluster')))) {
    throw new EmbeddedPostgresError(
      `The account ${account.uid} that owns ${join(home, 'cluster')} cannot enter it any more: open the folders above ${basename(home)} to it.`,
    )
  }
  if (reachable && runnable) return { home, binaries, account }
  const refuge = keptRefuge ?? (await createRefuge(dataDir, account))
  const usable = runnable ? binaries : await copyBinaries(binaries, refuge)
  await assertRunnable(account, usable)
  return { home: reachable ? home : join(refuge, 'postgres'), binaries: usable, account }
}

/** Where an earlier start placed the cluster of a data folder, and the refuge that it made for it, if any. */
export const keptFolders = async (dataDir: string): Promise<{ home: string; refuge: string | undefined }> => {
  const refuge = await readRefuge(dataDir)
  // A refuge may hold the binaries only.
  const moved = refuge !== undefined && !(await exists(join(dataDir, 'postgres')))
  return { home: join(moved ? refuge : dataDir, 'postgres'), refuge }
}

/** Where a data folder says that its cluster lies, whether it is there or not, and whoever's it is now. */
export const namedHome = async (dataDir: string): Promise<string> => {
  const refuge = await readText(pointerOf(dataDir))
  const binariesOnly = refuge !== undefined && (await exists(refuge)) && !(await exists(join(refuge, 'postgres')))
  return join(refuge === undefined || binariesOnly ? dataDir : refuge, 'postgres')
}
