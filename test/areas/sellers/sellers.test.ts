import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { adminToken, createCompany, registerSeller, type Seller } from '../../support/factories.ts'
import { createPayment, pay, sellingSeller } from '../../support/payments.ts'
import { joinTeam } from '../../support/team.ts'

let app: TestApp
let token: string
let selling: Seller
let fresh: Seller
let member: { id: string }

beforeAll(async () => {
  app = await startTestApp()
  token = await adminToken(app)
  selling = await sellingSeller(app)
  fresh = await registerSeller(app)
  member = await joinTeam(app, selling, 'viewer')
})
afterAll(() => app.close())

const idsOf = async (query: string) => {
  const { body } = await app.api.get(`admin/sellers?${query}`, { token })
  return body.data.map(({ id }: { id: string }) => id)
}

test('200: a list of sellers without the people who joined them, with companies and what can be withdrawn', async () => {
  const { body } = await app.api.get('admin/sellers', { token })
  expect(body.totalRecords).toBe(2)
  const [newest, oldest] = body.data
  expect(newest).toMatchObject({ id: fresh.id, user: { email: fresh.email }, companies: [], availableAmount: 0 })
  expect(oldest).toMatchObject({ id: selling.id, companies: [{ status: 'approved', approvedBy: expect.any(String) }] })
})

test('200: found by the name or address of the person, by a CNPJ with and without its mask, by company and by id', async () => {
  const company = await createCompany(app, fresh, { tradeName: 'Empório Azulejo' })
  const mask = company.cnpj.replace(/^(.{2})(.{3})(.{3})(.{4})/, '$1.$2.$3/$4-')
  for (const search of [fresh.email, company.cnpj, mask, 'empório azul', fresh.id]) {
    expect([search, await idsOf(`search=${encodeURIComponent(search)}`)]).toEqual([search, [fresh.id]])
  }
  expect(await idsOf(`search=${member.id}`)).toEqual([])
  expect(await idsOf('isApproved=true')).toEqual([selling.id])
  expect(await idsOf('isApproved=false')).toEqual([fresh.id])
  await app.api.put(`admin/users/${fresh.id}/block`, { token, body: { reason: 'Fraud' } })
  expect([await idsOf('isBlocked=true'), await idsOf('isBlocked=false')]).toEqual([[fresh.id], [selling.id]])
})

test('200: everything about one seller in one answer', async () => {
  const { id } = await createPayment(app, selling, { amount: 10_000 })
  await pay(app, selling, id)
  const { status, body } = await app.api.get(`admin/sellers/${selling.id}`, { token })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    id: selling.id,
    user: { email: selling.email, blockedAt: null },
    companies: [{ status: 'approved' }],
    balance: { sellerId: selling.id },
    withdrawalConfig: { sellerId: selling.id, isActive: true },
    reserveConfig: { sellerId: selling.id },
    last30Days: { payments: { createdCount: 1, paidCount: 1, paidAmount: 10_000 } },
  })
  const types = body.lastEvents.map(({ type }: { type: string }) => type)
  expect(types).toContain('payment.paid')
  expect(types.at(-1)).toBe('company.submitted')
})

test('200: a company alone, with who approved it', async () => {
  const { body: seller } = await app.api.get(`admin/sellers/${selling.id}`, { token })
  const [{ id, approvedBy }] = seller.companies
  const { status, body } = await app.api.get(`admin/enterprises/${id}`, { token })
  expect([status, body.id, body.approvedBy]).toEqual([200, id, approvedBy])
  expect(body.documents).toHaveLength(1)
})

test('400, 401, 403 and 404: somebody who joined a seller is none', async () => {
  expect((await app.api.get('admin/sellers?isApproved=perhaps', { token })).status).toBe(400)
  expect((await app.api.get(`admin/sellers/${selling.id}`)).status).toBe(401)
  expect((await app.api.get(`admin/sellers/${selling.id}`, { token: selling.token })).status).toBe(403)
  for (const id of [member.id, randomUUID()]) {
    const missing = await app.api.get(`admin/sellers/${id}`, { token })
    expect(missing).toMatchObject({ status: 404, body: { code: 'seller.not_found' } })
  }
  const company = await app.api.get(`admin/enterprises/${randomUUID()}`, { token })
  expect(company).toMatchObject({ status: 404, body: { code: 'company.not_found' } })
})
