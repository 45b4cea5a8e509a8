import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { adminToken, registerSeller } from '../support/factories.ts'
import { runScript } from '../support/script-process.ts'

const SCRIPT = 'scripts/admin-password.ts'
const EMAIL = 'admin@example.com'
const LOCKING_FAILURES = 10

let app: TestApp
let dataDir: string

beforeAll(async () => {
  app = await startTestApp()
  dataDir = await mkdtemp(join(tmpdir(), 'password-'))
})

afterAll(async () => {
  await app.close()
  await rm(dataDir, { recursive: true })
})

const run = (...args: string[]) =>
  runScript(SCRIPT, args, { DATABASE_URL: app.config.databaseUrl ?? '', DATA_DIR: dataDir })

test('an administrator whose password is lost gets a new one, and every session of theirs ends', {
  timeout: 60_000,
}, async () => {
  const token = await adminToken(app)
  for (let index = 0; index < LOCKING_FAILURES; index += 1) {
    await app.api.post('auth/login', { body: { email: EMAIL, password: `a wrong guess ${index}` } })
  }
  expect((await app.api.post('auth/login', { body: app.config.admin })).status).toBe(429)
  const { code, stdout, stderr } = await run('Admin@Example.com')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [, password = ''] = /^The new password of Admin@Example\.com: (\S+)\n/.exec(stdout) ?? []
  expect(password.length).toBeGreaterThan(20)
  await expect.poll(async () => (await app.api.get('admin/members', { token })).status).toBe(401)
  expect((await app.api.post('auth/login', { body: app.config.admin })).status).toBe(401)
  const login = await app.api.post('auth/login', { body: { email: EMAIL, password } })
  expect(login.status).toBe(200)
  const audit = await app.api.get('admin/audit-log?action=user.reset_password', {
    token: login.body.tokens.accessToken,
  })
  expect(audit.body.data[0]).toMatchObject({ action: 'user.reset_password', targetId: login.body.user.id })
  expect(audit.text).not.toContain(password)
})

test('an address of nobody, or of a seller, is refused in one line', { timeout: 60_000 }, async () => {
  const seller = await registerSeller(app)
  for (const email of ['nobody@example.com', seller.email]) {
    expect(await run(email)).toEqual({
      code: 1,
      stdout: '',
      stderr: `No administrator has the e-mail address ${email}.\n`,
    })
  }
  const login = { email: seller.email, password: seller.password }
  expect((await app.api.post('auth/login', { body: login })).status).toBe(200)
})

test('without an address it says how it is used', async () => {
  expect(await run()).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Usage: npm run admin:password -- admin@example.com\n',
  })
})
