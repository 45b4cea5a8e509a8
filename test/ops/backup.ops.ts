import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startEmbeddedPostgres } from '../../src/db/embedded.ts'
import { migrate } from '../../src/db/migrate.ts'
import { TEST_ENVIRONMENT } from '../support/app.ts'
import { postPayment } from '../support/payments.ts'
import { runScript } from '../support/script-process.ts'
import { until } from '../support/until.ts'
import { outcomes, startLoad } from './load.ts'
import { openPlatform } from './platform.ts'

const DOCUMENT = 'documents/a-company/contract.pdf'
const log = { info: () => undefined, error: () => undefined }

let parent: string
let dataDir: string

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'payment-platform-backup-'))
  // Postgres may have to run as another account, which has to get in.
  await chmod(parent, 0o755)
  dataDir = join(parent, 'data')
  await mkdir(join(dataDir, 'documents', 'a-company'), { recursive: true })
  await writeFile(join(dataDir, DOCUMENT), 'a contract')
})

afterAll(() => rm(parent, { recursive: true, force: true }))

const { ENCRYPTION_KEY, JWT_SECRET } = TEST_ENVIRONMENT

const run = (name: string, args: string[], environment: Record<string, string> = {}) =>
  runScript(`scripts/${name}.ts`, args, { ENCRYPTION_KEY, JWT_SECRET, ...environment })

const idsIn = async (url: string): Promise<ReadonlySet<string>> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ id: string }>('select id from payments').finally(() => client.end())
  return new Set(rows.map(({ id }) => id))
}

test('a backup under load is the whole platform of one moment: restored, its books are right and it goes on', async () => {
  const backup = join(parent, 'backup')
  const restored = join(parent, 'restored')
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  onTestFinished(postgres.stop)
  await migrate(postgres.url)
  const platform = await openPlatform(postgres.url)
  onTestFinished(platform.close)
  const server = await platform.start()
  const load = startLoad({ urls: [server.url], token: platform.seller.token, callers: 8, pauseMs: 5 })
  await until('payments are made', () => load.attempts.length > 100)

  const before = load.attempts.length
  expect(await run('backup', [backup], { DATA_DIR: dataDir })).toMatchObject({ code: 0, stderr: '' })
  await until('payments are made behind it', () => load.attempts.length > before + 100)
  const attempts = await load.stop()
  expect(outcomes(attempts)).toEqual({ 201: attempts.length })

  expect(await run('restore', [backup, restored])).toMatchObject({ code: 0, stderr: '' })
  expect(await readFile(join(restored, DOCUMENT), 'utf8')).toBe('a contract')
  const proof = await run('ledger-verify', [], { DATA_DIR: restored })
  expect(proof).toMatchObject({ code: 0, stdout: expect.stringContaining('The ledger is proven') })

  const again = await startEmbeddedPostgres({ dataDir: restored, log })
  onTestFinished(again.stop)
  const payments = await idsIn(again.url)
  const idOf = ({ body }: { body: string }): string => JSON.parse(body).id
  // All that was answered before the backup began, and not yet what came behind its end.
  expect(attempts.slice(0, before).filter((attempt) => !payments.has(idOf(attempt)))).toEqual([])
  expect(payments.has(idOf(attempts.at(-1) ?? { body: '{}' }))).toBe(false)
  const goesOn = await openPlatform(again.url)
  onTestFinished(goesOn.close)
  expect((await postPayment(goesOn.inside, goesOn.seller)).status).toBe(201)
})

test('what is no embedded platform is refused in one line', async () => {
  const lineOf = async (args: string[], environment: Record<string, string> = {}) => {
    const { code, stderr } = await run('backup', args, environment)
    return [code, stderr]
  }
  const none = join(parent, 'none')
  expect(await lineOf([join(parent, 'new')], { DATA_DIR: none, DATABASE_URL: 'postgres://db/platform' })).toEqual([
    1,
    'npm run backup is for the embedded Postgres. The one of DATABASE_URL has tools of its own: docs/operations.md, Backup.\n',
  ])
  expect(await lineOf([join(parent, 'new')], { DATA_DIR: none })).toEqual([
    1,
    `There is no platform in ${none}: set DATA_DIR.\n`,
  ])
})
