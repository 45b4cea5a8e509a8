import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findEmbeddedPostgres } from '../../src/db/embedded.ts'
import { selfSigned } from '../support/certificates.ts'
import { type Checkout, createCheckout, giveCheckout, startCheckout } from '../support/checkout.ts'
import { createEmptyDatabase, type TestDatabase } from '../support/database.ts'

const MINUTE_MS = 60_000
const asRoot = process.getuid?.() === 0

let parent: string
let checkout: Checkout
let database: TestDatabase
let as: { uid: number; gid: number; home: string } | undefined

// Root may do everything to files and ports: as root, the platform is started by somebody who may not.
const ordinaryUser = async () => {
  if (!asRoot) return undefined
  const [uid = 0, gid = 0] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'nobody'])))
  const home = join(parent, 'home')
  await mkdir(home)
  await chown(home, uid, gid)
  await giveCheckout(checkout, { uid, gid })
  return { uid, gid, home }
}

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'failed-start-'))
  await chmod(parent, 0o755)
  checkout = await createCheckout(parent)
  await chmod(checkout.folder, 0o755)
  as = await ordinaryUser()
  database = await createEmptyDatabase()
}, 2 * MINUTE_MS)

afterAll(async () => {
  await database.drop()
  await checkout.remove()
  await rm(parent, { recursive: true, force: true })
}, MINUTE_MS)

const failedStart = async (environment: Record<string, string>) => {
  const started = await startCheckout(checkout, { environment, ...(as && { as }) })
  await expect(started.listening).rejects.toThrow('ended without listening')
  expect(await started.ended).toBe(1)
  expect(started.output.stdout).not.toMatch(/password|the start failed|embedded Postgres runs/)
  return started.output
}

const SECRETS = { JWT_SECRET: 'j'.repeat(32), ENCRYPTION_KEY: 'e'.repeat(32) }

const dataFolder = async (name: string, mode: number): Promise<string> => {
  const folder = join(parent, name)
  await mkdir(folder)
  if (as) await chown(folder, as.uid, as.gid)
  await chmod(folder, mode)
  return folder
}

const mayNot = (path: string): string =>
  `${path} may not be read and written by this account (EACCES). Let this account use it, or set DATA_DIR to a folder of its own.\n`

const databaseUrl = (change: (url: URL) => void): string => {
  const url = new URL(database.url)
  change(url)
  return url.href
}

const inDatabase = async (statement: string): Promise<void> => {
  const client = new Client({ connectionString: database.url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

const placeOf = (url: string): string => `${new URL(url).host}${new URL(url).pathname}`

test('a DATA_DIR that cannot be read or written is one line, with or without secrets and database of its own', {
  timeout: MINUTE_MS,
}, async () => {
  for (const [name, mode] of [
    ['unreadable', 0o000],
    ['read-only', 0o555],
  ] as const) {
    const folder = await dataFolder(name, mode)
    expect((await failedStart({ DATA_DIR: folder })).stderr).toBe(mayNot(folder))
    expect((await failedStart({ DATA_DIR: folder, ...SECRETS })).stderr).toBe(mayNot(folder))
    const given = { DATA_DIR: folder, ...SECRETS, DATABASE_URL: database.url }
    expect((await failedStart(given)).stderr).toBe(mayNot(folder))
  }
})

test('a DATA_DIR that is a file, or whose secret or password is somebody else’s, is one line', {
  timeout: MINUTE_MS,
}, async () => {
  const file = join(parent, 'file')
  await writeFile(file, '')
  expect((await failedStart({ DATA_DIR: file })).stderr).toMatch(
    /^\S+ is no folder \(EEXIST\)\. Let this account .*\n$/,
  )
  const folder = await dataFolder('foreign-secret', 0o755)
  for (const name of ['jwt-secret', 'encryption-key']) await writeFile(join(folder, name), 's'.repeat(40), { mode: 0 })
  expect((await failedStart({ DATA_DIR: folder })).stderr).toBe(mayNot(join(folder, 'jwt-secret')))
})

test('a wrong password and a missing database are one line each, which does not show the password', {
  timeout: MINUTE_MS,
}, async () => {
  const wrong = databaseUrl((url) => {
    url.password = 'hush'
  })
  const { username, host } = new URL(wrong)
  expect((await failedStart({ ...SECRETS, DATABASE_URL: wrong })).stderr).toBe(
    `The Postgres at ${host} does not let the user "${username}" in. Check user and password in DATABASE_URL.\n`,
  )
  const missing = databaseUrl((url) => {
    url.pathname = '/nowhere'
  })
  expect((await failedStart({ ...SECRETS, DATABASE_URL: missing })).stderr).toBe(
    `The Postgres at ${host} has no database "nowhere". Make it (create database "nowhere"), or check DATABASE_URL.\n`,
  )
})

test('a user without the right to make tables is one line with the statement that gives it', {
  timeout: MINUTE_MS,
}, async () => {
  const role = `guest_${Date.now()}`
  await inDatabase(`create role ${role} login password 'guest'`)
  try {
    const url = databaseUrl((guest) => {
      guest.username = role
      guest.password = 'guest'
    })
    const name = new URL(url).pathname.slice(1)
    expect((await failedStart({ ...SECRETS, DATABASE_URL: url })).stderr).toBe(
      `The user "${role}" may not make tables in ${placeOf(url)}. Make it the owner: alter database "${name}" owner to "${role}".\n`,
    )
    // The way out works.
    await inDatabase(`alter database ${name} owner to ${role}`)
    const started = await startCheckout(checkout, { environment: { ...SECRETS, DATABASE_URL: url }, ...(as && { as }) })
    await started.listening
    started.press('SIGINT')
    await started.ended
  } finally {
    await inDatabase(`reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role}`)
  }
})

test('a Postgres without TLS is one line', { timeout: MINUTE_MS }, async () => {
  const url = databaseUrl(({ searchParams }) => searchParams.set('sslmode', 'require'))
  expect((await failedStart({ ...SECRETS, DATABASE_URL: url })).stderr).toBe(
    `The Postgres at ${new URL(url).host} takes no TLS connections. Turn on ssl there, or set sslmode=disable in DATABASE_URL.\n`,
  )
})

test('a certificate that nobody vouches for is one line', { timeout: MINUTE_MS }, async () => {
  const identity = selfSigned({ hosts: ['127.0.0.1'] })
  // As far as a Postgres says before a client has seen its certificate.
  const server = createServer((socket: Socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.write('S', () => new TLSSocket(socket, { isServer: true, ...identity }).on('error', () => undefined))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const url = `postgres://me:hush@127.0.0.1:${port}/books?sslmode=verify-full`
  expect((await failedStart({ ...SECRETS, DATABASE_URL: url })).stderr).toMatch(
    new RegExp(`^The certificate of the Postgres at 127\\.0\\.0\\.1:${port} is not trusted \\([A-Z_]+\\)\\. .*\\n$`),
  )
  server.close()
})

test('an older Postgres is one line', { timeout: MINUTE_MS }, async () => {
  await inDatabase(`
    create schema older;
    create function older.current_setting(name text) returns text language sql as
      $$ select case name when 'server_version' then '15.4' else '150004' end $$`)
  await inDatabase(
    `alter database ${new URL(database.url).pathname.slice(1)} set search_path = older, pg_catalog, public`,
  )
  const { stderr } = await failedStart({ ...SECRETS, DATABASE_URL: database.url })
  expect(stderr).toBe('This is Postgres 15.4, and the platform needs 18 or newer.\n')
  await inDatabase(`alter database ${new URL(database.url).pathname.slice(1)} reset search_path`)
})

test.runIf(asRoot || process.platform === 'linux')(
  'a port below 1024 is named as it was given, not the one beside it',
  { timeout: MINUTE_MS },
  async () => {
    const lowest = Number((await readFile('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8')).trim())
    const port = lowest > 80 ? '80' : '3000'
    const host = lowest > 80 ? '127.0.0.1' : '203.0.113.7'
    const reason =
      lowest > 80
        ? 'may not be used by this account. Set PORT to one above 1023.'
        : 'is not an address of this machine. Set HOST to one that is.'
    expect((await failedStart({ HOST: host, PORT: port })).stderr).toBe(`${host}:${port} ${reason}\n`)
  },
)

test('a port that is taken is told before a Postgres starts, a folder is filled or a password is made', {
  timeout: MINUTE_MS,
}, async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = String(typeof address === 'object' && address ? address.port : 0)
  const folder = await dataFolder('fresh', 0o755)
  expect((await failedStart({ DATA_DIR: folder, PORT: port })).stderr).toBe(
    `127.0.0.1:${port} is in use by another process. Stop that one, or set PORT to another port (0: any free one).\n`,
  )
  expect(await findEmbeddedPostgres(folder)).toBeUndefined()
  await expect(readFile(join(folder, 'postgres-password'))).rejects.toThrow('ENOENT')
  other.close()
})

test('an .env that cannot be read is one line, and one that is missing is said', { timeout: MINUTE_MS }, async () => {
  const file = join(checkout.folder, '.env')
  const faults = await failedStart({ PORT: 'many' })
  expect(faults.stderr).toMatch(
    new RegExp(
      `^The configuration has faults:\n {2}PORT: .*\nThere is no ${file}: only variables of the shell and defaults hold\\.\n$`,
    ),
  )
  await mkdir(file)
  expect((await failedStart({})).stderr).toBe(`${file} cannot be read. Let this account read it, or take it away.\n`)
  await rm(file, { recursive: true })
})

test('a folder with documents of a platform whose database is not named starts no empty one', {
  timeout: MINUTE_MS,
}, async () => {
  const folder = await dataFolder('documents-of-another', 0o755)
  const documents = join(folder, 'documents')
  await mkdir(join(documents, 'one'), { recursive: true })
  if (as) await chown(documents, as.uid, as.gid)
  expect((await failedStart({ DATA_DIR: folder })).stderr).toBe(
    `${documents} holds documents of a platform whose database is not in ${folder}. Set DATABASE_URL to it, or DATA_DIR to a new folder for an empty platform.\n`,
  )
})
