import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findEmbeddedPostgres } from '../../src/db/embedded.ts'
import { type Checkout, createCheckout, giveCheckout, runningCheckout, startCheckout } from '../support/checkout.ts'
import { companyBody } from '../support/company.ts'

const MINUTE_MS = 60_000
const CLOSES_WITHIN_MS = 10_000
const asRoot = process.getuid?.() === 0
const SELLER = { email: 'maria@example.com', password: 'uma senha bem comprida', name: 'Maria', companyName: 'Padaria' }

let parent: string
let mine: Checkout
let theirs: Checkout
let ordinary: { uid: number; gid: number; home: string } | undefined

// Root's own home is like this: the account that Postgres runs as for root cannot enter it.
const privateFolder = async (): Promise<string> => {
  const folder = join(parent, 'private')
  await mkdir(folder, { mode: 0o700 })
  return folder
}

const ordinaryUser = async () => {
  if (!asRoot) return undefined
  const [uid = 0, gid = 0] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'nobody'])))
  const home = join(parent, 'home')
  await mkdir(home)
  await chown(home, uid, gid)
  // Only the folder: the files below may be hard links to the project's own.
  await giveCheckout(theirs, { uid, gid })
  return { uid, gid, home }
}

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'first-start-'))
  await chmod(parent, 0o755)
  mine = await createCheckout(await privateFolder())
  theirs = await createCheckout(parent)
  await chmod(theirs.folder, 0o755)
  ordinary = await ordinaryUser()
}, 5 * MINUTE_MS)

afterAll(async () => {
  await mine.remove()
  await theirs.remove()
  await rm(parent, { recursive: true, force: true })
}, MINUTE_MS)

const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  const began = performance.now()
  const result = await work
  expect(performance.now() - began).toBeLessThan(ms)
  return result
}

const accounts = asRoot ? 'root and an ordinary user' : 'this user (not root, so as no one else)'

test(`npm start runs side by side in two checkouts, for ${accounts}, and Ctrl-C and SIGTERM end it with its data kept`, {
  timeout: 5 * MINUTE_MS,
}, async () => {
  const options = ordinary ? { as: ordinary } : {}
  const [first, other] = await Promise.all([runningCheckout(mine), runningCheckout(theirs, options)])
  expect([first.output.stderr, other.output.stderr]).toEqual(['', ''])
  for (const { output } of [first, other]) expect(output.stdout.match(/password {2}\S+/g)).toHaveLength(1)
  expect((await first.api.post('auth/register', { body: SELLER })).status).toBe(201)
  expect((await other.api.post('auth/login', { body: SELLER })).status).toBe(400)
  const { email, password } = SELLER
  expect((await other.api.post('auth/login', { body: { email, password } })).status).toBe(401)
  first.press('SIGINT')
  other.press('SIGTERM')
  await within(CLOSES_WITHIN_MS, Promise.all([first.ended, other.ended]))
  for (const { folder } of [mine, theirs]) expect(await findEmbeddedPostgres(join(folder, '.data'))).toBeUndefined()

  const again = await runningCheckout(mine)
  expect((await again.api.post('auth/login', { body: { email, password } })).status).toBe(200)
  expect(again.output.stdout).not.toContain('password')
  again.press('SIGINT')
  await within(CLOSES_WITHIN_MS, again.ended)
  expect(again.output.stderr).toBe('')
})

test('Ctrl-C lets an upload in flight come to its end, and refuses new connections meanwhile', {
  timeout: 3 * MINUTE_MS,
}, async () => {
  const running = await runningCheckout(mine)
  const { email, password } = SELLER
  const login = await running.api.post('auth/login', { body: { email, password } })
  const token = login.body.tokens.accessToken
  const company = await running.api.post('companies', { token, body: companyBody() })
  expect(company.status).toBe(201)
  const upload = request(`${running.url}/api/v1/companies/${company.body.id}/documents`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'multipart/form-data; boundary=edge',
      // The server says so in the moment in which it takes the upload in.
      expect: '100-continue',
    },
  })
  const takenIn = once(upload, 'continue')
  const answered = once(upload, 'response').then(([response]) => response.resume().statusCode as number)
  const head = '--edge\r\ncontent-disposition: form-data; name="type"\r\n\r\ncnpj_card\r\n'
  const file = '--edge\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7\n'
  upload.flushHeaders()
  await takenIn
  upload.write(head + file)
  const began = performance.now()
  running.press('SIGINT')
  await expect
    .poll(
      () =>
        running.api.get('/health/live').then(
          ({ status }) => status,
          () => 'refused',
        ),
      { timeout: 5_000 },
    )
    .not.toBe(200)
  upload.end('the rest\r\n--edge--\r\n')
  expect(await answered).toBe(201)
  await running.ended
  expect(performance.now() - began).toBeLessThan(CLOSES_WITHIN_MS)
})

test('a port that is taken is one line and exit code 1, and no Postgres stays behind', {
  timeout: 2 * MINUTE_MS,
}, async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = String(typeof address === 'object' && address ? address.port : 0)
  const started = await startCheckout(mine, { environment: { PORT: port } })
  await expect(started.listening).rejects.toThrow('ended without listening')
  expect(await started.ended).toBe(1)
  expect(started.output.stderr).toBe(
    `127.0.0.1:${port} is in use by another process. Stop that one, or set PORT to another port (0: any free one).\n`,
  )
  expect(await findEmbeddedPostgres(join(mine.folder, '.data'))).toBeUndefined()
  other.close()
})

test('production with nothing set names everything that is missing at once', { timeout: MINUTE_MS }, async () => {
  const started = await startCheckout(theirs, { environment: { NODE_ENV: 'production' } })
  await expect(started.listening).rejects.toThrow('ended without listening')
  expect(await started.ended).toBe(1)
  expect(started.output.stderr.trim().split('\n')).toEqual([
    'The configuration has faults:',
    ...['DATABASE_URL', 'JWT_SECRET', 'ENCRYPTION_KEY', 'PUBLIC_URL', 'PROVIDER'].map(
      (name) => `  ${name}: must be set in production`,
    ),
    `There is no ${join(theirs.folder, '.env')}: only variables of the shell and defaults hold.`,
  ])
})
