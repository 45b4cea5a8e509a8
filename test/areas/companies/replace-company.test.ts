import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { race } from '../../support/barrier.ts'
import { companyBody, newCnpj } from '../../support/company.ts'
import { adminToken, approveCompany, createCompany, registerSeller, type Seller } from '../../support/factories.ts'

let app: TestApp
let seller: Seller
let admin: string

beforeAll(async () => {
  app = await startTestApp()
  seller = await registerSeller(app)
  admin = await adminToken(app)
})
afterAll(async () => {
  await app.close()
})

const put = (id: string, body: unknown, token = seller.token) => app.api.put(`companies/${id}`, { token, body })

const decide = async (id: string, verb: string) => {
  const answer = await app.api.post(`admin/enterprises/${id}/${verb}`, { token: admin, body: { reason: 'Unreadable' } })
  expect(answer.status).toBe(200)
}

const submissionsOf = async (companyId: string) => {
  const { rows } = await app.sql.query<{ body: string }>("select body from events where type = 'company.submitted'")
  return rows.filter(({ body }) => JSON.parse(body).data.id === companyId).length
}

test('200: every field is replaced, and what identifies the company stays', async () => {
  const company = await createCompany(app, seller)
  const next = {
    commercialName: 'Outra',
    averageRevenue: 1.01,
    sellsPhysicalProducts: false,
    cnpj: newCnpj(),
    addressComplement: '',
    addressState: 'BA',
    legalRepStartDate: '2021-01-01T03:00:00.000Z',
  }
  const { status, body } = await put(company.id, companyBody(next))
  expect(status).toBe(200)
  expect(body).toEqual({ ...company, ...next, updatedAt: body.updatedAt })
  expect(body.updatedAt > company.updatedAt).toBe(true)
  expect(await submissionsOf(company.id)).toBe(1)
})

test('200: a draft stays one while draft is true, and is submitted without it', async () => {
  const { id, cnpj } = await createCompany(app, seller, { draft: true })
  expect((await put(id, companyBody({ cnpj, draft: true }))).body.status).toBe('draft')
  expect(await submissionsOf(id)).toBe(0)
  expect((await put(id, companyBody({ cnpj }))).body.status).toBe('awaiting_approval')
  expect(await submissionsOf(id)).toBe(1)
})

test.each(['reject', 'request-changes'])('200: after %s an edit submits again and forgets the reason', async (verb) => {
  const { id, cnpj } = await createCompany(app, seller)
  await decide(id, verb)
  const { body } = await put(id, companyBody({ cnpj, draft: false }))
  expect([body.status, body.rejectionReason]).toEqual(['awaiting_approval', null])
  expect(await submissionsOf(id)).toBe(2)
})

test('200: an approved company stays approved, tells nothing, and its seller too', async () => {
  const { id, cnpj } = await createCompany(app, seller)
  await approveCompany(app, id)
  const { status, body } = await put(id, companyBody({ cnpj, tradeName: 'Novo nome' }))
  expect([status, body.status, body.tradeName]).toEqual([200, 'approved', 'Novo nome'])
  expect((await app.api.get(`users/${seller.id}`, { token: seller.token })).body.approved).toBe(true)
  expect(await submissionsOf(id)).toBe(1)
})

test('409: the CNPJ of an approved or suspended company is frozen', async () => {
  const { id } = await createCompany(app, seller)
  await approveCompany(app, id)
  expect((await put(id, companyBody())).body.code).toBe('company.cnpj_frozen')
  await decide(id, 'suspend')
  const { status, body } = await put(id, companyBody())
  expect([status, body.code]).toEqual([409, 'company.cnpj_frozen'])
})

test('409: what was submitted cannot be a draft again', async () => {
  const { id, cnpj } = await createCompany(app, seller)
  const { status, body } = await put(id, companyBody({ cnpj, draft: true }))
  expect([status, body.code]).toEqual([409, 'company.not_draft'])
})

test("409: another company's CNPJ", async () => {
  const { cnpj } = await createCompany(app, await registerSeller(app))
  const { id } = await createCompany(app, seller)
  const { status, body } = await put(id, companyBody({ cnpj }))
  expect([status, body.code]).toEqual([409, 'company.cnpj_taken'])
})

test('200 or 409: an edit of the CNPJ that meets an approval comes first or is refused', async () => {
  const owner = await registerSeller(app)
  const { id, cnpj } = await createCompany(app, owner)
  const next = newCnpj()
  const [edit, approval] = await race(app, { table: 'companies', id }, [
    () => put(id, companyBody({ cnpj: next }), owner.token),
    () => app.api.post(`admin/enterprises/${id}/approve`, { token: admin }),
  ])
  const kept = (await app.api.get(`companies/${id}`, { token: owner.token })).body
  expect([approval?.status, kept.status]).toEqual([200, 'approved'])
  expect(approval?.body.company.cnpj).toBe(kept.cnpj)
  expect(kept.cnpj).toBe(edit?.status === 200 ? next : cnpj)
})

test.each(['cnpj', 'website', 'legalRepCpf', 'averageTicket', 'addressState', 'draft'])(
  '400: a bad %s',
  async (field) => {
    const { id } = await createCompany(app, seller)
    const { status, body } = await put(id, companyBody({ [field]: 'x' }))
    expect([status, body.errors.map(({ path }: { path: string }) => path)]).toEqual([400, [field]])
  },
)

test('400: a part of a company is not a company, and a bad id no id', async () => {
  const { id } = await createCompany(app, seller)
  expect((await put(id, { tradeName: 'Novo' })).status).toBe(400)
  expect((await put('nonsense', companyBody())).body.errors).toMatchObject([{ in: 'params', path: 'id' }])
})

test("404: another seller's company looks exactly like a missing one", async () => {
  const { id } = await createCompany(app, await registerSeller(app))
  const answers = [await put(id, companyBody()), await put('01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00', companyBody())]
  const [first, second] = answers.map(({ status, body: { requestId: _, ...rest } }) => ({ status, rest }))
  expect(first).toEqual(second)
  expect(first).toMatchObject({ status: 404, rest: { code: 'company.not_found' } })
})

test('401 and 403: strangers change nothing', async () => {
  const { id } = await createCompany(app, seller)
  expect((await app.api.put(`companies/${id}`, { body: companyBody() })).status).toBe(401)
  expect((await put(id, companyBody(), admin)).status).toBe(403)
})
