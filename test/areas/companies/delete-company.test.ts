import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { race } from '../../support/barrier.ts'
import { adminToken, approveCompany, createCompany, registerSeller, type Seller } from '../../support/factories.ts'
import { movement } from '../../support/ledger.ts'

let app: TestApp
let admin: string

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
})
afterAll(async () => {
  await app.close()
})

const remove = (id: string, { token }: Pick<Seller, 'token'>) => app.api.delete(`companies/${id}`, { token })
const isApproved = async ({ id, token }: Seller) => (await app.api.get(`users/${id}`, { token })).body.approved

const receive = async ({ id }: Seller, amount: number) => {
  const [outcome] = await app.services.transact((tx) =>
    tx.ledger.post([movement(id, app.services.newId(), 'clearing', 'reserved', amount)], app.clock.now()),
  )
  expect(outcome?.posted).toBe(true)
}

test('204: the company is gone for its seller, kept in the database, and its CNPJ is free', async () => {
  const seller = await registerSeller(app)
  const { id, cnpj } = await createCompany(app, seller)
  const answer = await remove(id, seller)
  expect([answer.status, answer.text]).toEqual([204, ''])
  expect((await remove(id, seller)).status).toBe(404)
  const { rows } = await app.sql.query('select deleted_at from companies where id = $1', [id])
  expect(rows[0].deleted_at).toBeInstanceOf(Date)
  expect((await createCompany(app, await registerSeller(app), { cnpj })).cnpj).toBe(cnpj)
})

test('204: a seller stays approved by another approved company, and not without any', async () => {
  const seller = await registerSeller(app)
  const companies = [await createCompany(app, seller), await createCompany(app, seller)]
  for (const { id } of companies) await approveCompany(app, id)
  expect((await remove(companies[0].id, seller)).status).toBe(204)
  expect(await isApproved(seller)).toBe(true)
  expect((await remove(companies[1].id, seller)).status).toBe(204)
  expect(await isApproved(seller)).toBe(false)
})

test('204: two approved companies deleted at once leave the seller unapproved', async () => {
  const seller = await registerSeller(app)
  const ids = [(await createCompany(app, seller)).id, (await createCompany(app, seller)).id]
  for (const id of ids) await approveCompany(app, id)
  const answers = await race(
    app,
    { table: 'users', id: seller.id },
    ids.map((id) => () => remove(id, seller)),
  )
  expect(answers.map(({ status }) => status)).toEqual([204, 204])
  expect(await isApproved(seller)).toBe(false)
})

test('409: an approved or suspended company stays while money is held, in any bucket', async () => {
  const seller = await registerSeller(app)
  const { id } = await createCompany(app, seller)
  await approveCompany(app, id)
  await receive(seller, 1)
  const { status, body } = await remove(id, seller)
  expect([status, body.code]).toEqual([409, 'company.balance_not_zero'])
  await app.api.post(`admin/enterprises/${id}/suspend`, { token: admin, body: { reason: 'Fraud' } })
  expect((await remove(id, seller)).status).toBe(409)
})

test('204: money does not hold a company that was never approved', async () => {
  const seller = await registerSeller(app)
  const { id } = await createCompany(app, seller)
  await receive(seller, 1)
  expect((await remove(id, seller)).status).toBe(204)
})

test("204: a seller's account ends with its companies, and their CNPJs are free", async () => {
  const seller = await registerSeller(app)
  const { id, cnpj } = await createCompany(app, seller)
  expect((await app.api.delete(`users/${seller.id}`, { token: seller.token })).status).toBe(204)
  expect((await app.api.post(`admin/enterprises/${id}/approve`, { token: admin })).status).toBe(404)
  expect((await createCompany(app, await registerSeller(app), { cnpj })).cnpj).toBe(cnpj)
})

test("404: another seller's company looks exactly like a missing one", async () => {
  const seller = await registerSeller(app)
  const { id } = await createCompany(app, await registerSeller(app))
  const answers = [await remove(id, seller), await remove('01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00', seller)]
  const [first, second] = answers.map(({ status, body: { requestId: _, ...rest } }) => ({ status, rest }))
  expect(first).toEqual(second)
  expect(first).toMatchObject({ status: 404, rest: { code: 'company.not_found' } })
})

test('400, 401 and 403: a bad id, no token, an administrator', async () => {
  const seller = await registerSeller(app)
  const { id } = await createCompany(app, seller)
  expect((await remove('nonsense', seller)).body.errors).toMatchObject([{ in: 'params', path: 'id' }])
  expect((await app.api.delete(`companies/${id}`)).status).toBe(401)
  expect((await remove(id, { token: admin })).status).toBe(403)
})
