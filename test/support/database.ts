import { createHash, randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { readMigrations, readSqlFiles } from '../../src/db/schema-files.ts'

/** A database of one test file's own. `drop` ends whatever is still connected to it. */
export type TestDatabase = { url: string; drop: () => Promise<void> }

// Any fixed number does: it names the lock on the server's administration database.
const TEMPLATE_LOCK = 5_810_277_431

const withAdmin = async <T>(work: (admin: Client) => Promise<T>): Promise<T> => {
  const admin = new Client({ connectionString: inject('postgresAdminUrl') })
  await admin.connect()
  return await work(admin).finally(() => admin.end())
}

const urlOf = (database: string): string => {
  const url = new URL(inject('postgresAdminUrl'))
  url.pathname = `/${database}`
  return url.href
}

const templateName = (): string => {
  const hash = createHash('sha256')
  for (const file of [...readMigrations(), ...readSqlFiles()]) hash.update(file.hash)
  return `template_${hash.digest('hex').slice(0, 16)}`
}

const exists = async (admin: Client, database: string): Promise<boolean> =>
  (await admin.query('select from pg_database where datname = $1', [database])).rowCount === 1

// It is migrated under another name first: a template with the right name is always a whole one.
const ensureTemplate = async (admin: Client, template: string): Promise<void> => {
  if (await exists(admin, template)) return
  const unfinished = `${template}_unfinished`
  await admin.query(`drop database if exists ${unfinished} with (force)`)
  await admin.query(`create database ${unfinished} template template0`)
  await migrate(urlOf(unfinished))
  await admin.query(`alter database ${unfinished} rename to ${template}`)
  await admin.query(`alter database ${template} with is_template true allow_connections false`)
}

const createFrom = async (chooseTemplate: (admin: Client) => Promise<string>): Promise<TestDatabase> => {
  const database = `test_${randomBytes(8).toString('hex')}`
  await withAdmin(async (admin) => {
    // Postgres copies a template only while nobody else uses it. The lock ends with the connection.
    await admin.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK])
    await admin.query(`create database ${database} template ${await chooseTemplate(admin)} strategy file_copy`)
    // What the migrations set for a database does not come along with its template.
    await admin.query(`alter database ${database} set random_page_cost = 1.1`)
  })
  const drop = async (): Promise<void> => {
    await withAdmin((admin) => admin.query(`drop database if exists ${database} with (force)`))
  }
  return { url: urlOf(database), drop }
}

/** A migrated database: a copy of a template that is made once per server and state of the migrations. */
export const createTestDatabase = (): Promise<TestDatabase> =>
  createFrom(async (admin) => {
    const template = templateName()
    await ensureTemplate(admin, template)
    return template
  })

/** What a database that nobody is connected to holds now, as another one: a backup that was restored. */
export const copyOfDatabase = (url: string): Promise<TestDatabase> =>
  createFrom(async () => new URL(url).pathname.slice(1))

/** A database without any table of ours. */
export const createEmptyDatabase = (): Promise<TestDatabase> => createFrom(async () => 'template0')
