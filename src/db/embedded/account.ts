import { stat } from 'node:fs/promises'
import { type Account, runCommand } from './command.ts'
import { EmbeddedPostgresError } from './error.ts'

export const isOurselves = (account: Account): boolean => account.uid === undefined

const lookUp = async (name: string): Promise<Account | undefined> => {
  const [uid, gid] = await Promise.all([runCommand('id', ['-u', name]), runCommand('id', ['-g', name])])
  return uid.ok && gid.ok ? { uid: Number(uid.output), gid: Number(gid.output) } : undefined
}

const createPostgresAccount = async (): Promise<Account | undefined> => {
  const shell = ['--shell', '/usr/sbin/nologin']
  await runCommand('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--home-dir',
    '/nonexistent',
    ...shell,
    'postgres',
  ])
  return await lookUp('postgres')
}

const ownerOf = async (folder: string): Promise<Account | undefined> => {
  const owner = await stat(folder).catch(() => undefined)
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : undefined
}

/**
 * The account that Postgres runs as. It refuses root, so root lends it another one: the owner of the files that are
 * already there, else `postgres` (made if missing), else `nobody`.
 */
export const accountFor = async (home: string): Promise<Account> => {
  if (process.getuid?.() !== 0) return {}
  const account =
    (await ownerOf(home)) ?? (await lookUp('postgres')) ?? (await createPostgresAccount()) ?? (await lookUp('nobody'))
  if (account) return account
  throw new EmbeddedPostgresError(
    'Postgres refuses to run as root and there is no account "postgres" or "nobody": start as another user or set DATABASE_URL.',
  )
}
