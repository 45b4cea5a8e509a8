import { afterAll, beforeAll, expect, test } from 'vitest'
import { anotherAdmin } from '../support/administrators.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { adminToken, createCompany, newEmail } from '../support/factories.ts'
import { logIn } from '../support/team.ts'
import { claimsOf } from '../support/tokens.ts'
import { earn, requested } from '../support/withdrawals.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const PASSWORD = 'dois cafés e um pão na chapa'

test('an administrator who makes a seller and approves its company does not get its money out alone', async () => {
  const [rogue, other] = [await adminToken(app), await anotherAdmin(app)]
  const person = { email: newEmail(), password: PASSWORD, name: 'Ana', companyName: 'Loja de fachada', role: 'seller' }
  const { id } = (await app.api.post('users', { token: rogue, body: person })).body
  await app.sql.query('update users set email_verified_at = now() where id = $1', [id])
  const token = await logIn(app, person.email, PASSWORD)
  const company = await createCompany(app, { token })
  expect((await app.api.post(`admin/enterprises/${company.id}/approve`, { token: rogue })).status).toBe(200)
  await earn(app, id, 50_000)
  const withdrawal = await requested(app, { id, token, email: person.email, password: PASSWORD, refreshToken: '' })

  const approve = (by: string) => app.api.post(`admin/withdrawals/${withdrawal.id}/approve`, { token: by })
  expect(await approve(rogue)).toMatchObject({ status: 409, body: { code: 'withdrawal.same_person' } })
  expect(await app.services.jobs.payWithdrawals.runOnce()).toBe(0)
  const { body } = await app.api.get(`admin/withdrawals/${withdrawal.id}`, { token: other })
  const { sub } = claimsOf(rogue)
  expect(body).toMatchObject({ status: 'pending_approval', sellerCreatedBy: sub, sellerApprovedBy: [sub] })
  expect((await approve(other)).status).toBe(200)
})
