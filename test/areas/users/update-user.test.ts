import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, newEmail, registerSeller } from '../../support/factories.ts'
import { awaitToken } from '../../support/mailbox.ts'
import { sendAll } from '../../support/mails.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const names = { name: 'Maria Souza', companyName: 'Padaria Souza' }
const update = (id: string, token: string | undefined, body: unknown) => app.api.put(`users/${id}`, { token, body })

test('200: replaces name, company name and phone, and keeps the address', async () => {
  const { id, token, email } = await registerSeller(app)
  const answer = await update(id, token, { ...names, phone: '11 91234 5678' })
  expect(answer).toMatchObject({ status: 200, body: { ...names, id, email, phone: '11912345678' } })
  expect(answer.body.updatedAt > answer.body.createdAt).toBe(true)
  expect((await update(id, token, names)).body.phone).toBeNull()
  expect((await app.api.get(`users/${id}`, { token })).body).toMatchObject({ ...names, phone: null })
})

test('200: a new address is asked for, and logs in once it is confirmed', async () => {
  const { id, token, email, password } = await registerSeller(app)
  const changed = newEmail()
  expect((await update(id, token, { ...names, email: changed.toUpperCase() })).body.email).toBe(email)
  expect((await app.api.post('auth/login', { body: { email, password } })).status).toBe(200)
  await sendAll(app.services.jobs.sendMails)
  const link = await awaitToken(app.config.dataDir, changed, 'confirm-email')
  expect((await app.api.post('auth/email/verify', { body: { token: link } })).status).toBe(204)
  expect((await app.api.post('auth/login', { body: { email, password } })).status).toBe(401)
  expect((await app.api.post('auth/login', { body: { email: changed, password } })).status).toBe(200)
  const { rows } = await app.sql.query("select * from audit_log where target_id = $1 and action = 'user.update'", [id])
  expect(rows).toMatchObject([
    {
      actor_id: id,
      actor_role: 'seller',
      after: { changedFields: ['name', 'companyName'], askedEmail: 's***@example.com' },
    },
  ])
  expect(JSON.stringify(rows)).not.toContain(changed)
})

test('200: an administrator may change any account', async () => {
  const { id } = await registerSeller(app)
  expect((await update(id, await adminToken(app), names)).body).toMatchObject(names)
})

test('409: another account’s address, however it is written', async () => {
  const [one, other] = [await registerSeller(app), await registerSeller(app)]
  const answer = await update(one.id, one.token, { ...names, email: ` ${other.email.toUpperCase()} ` })
  expect(answer).toMatchObject({ status: 409, body: { code: 'user.email_taken' } })
  expect((await app.api.get(`users/${one.id}`, { token: one.token })).body.email).toBe(one.email)
})

test('400: faults of every field, and fields that are not the caller’s to set', async () => {
  const { id, token } = await registerSeller(app)
  const answer = await update(id, token, { name: '', phone: '12', email: 'x', role: 'admin', approved: true })
  expect(answer.body.errors.map(({ path }: { path: string }) => path).sort()).toStrictEqual([
    'approved',
    'companyName',
    'email',
    'name',
    'phone',
    'role',
  ])
  expect((await app.api.get(`users/${id}`, { token })).body).toMatchObject({ role: 'seller', approved: false })
})

test('404: another seller’s, a missing and a deleted account', async () => {
  const [one, other] = [await registerSeller(app), await registerSeller(app)]
  expect((await update(other.id, one.token, names)).body.code).toBe('user.not_found')
  expect((await update(randomUUID(), one.token, names)).body.code).toBe('user.not_found')
  await app.api.delete(`users/${other.id}`, { token: other.token })
  expect((await update(other.id, await adminToken(app), names)).body.code).toBe('user.not_found')
})

test('401: without a token', async () => {
  expect((await update(randomUUID(), undefined, {})).status).toBe(401)
})
