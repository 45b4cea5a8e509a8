import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { race } from '../../support/barrier.ts'
import { documentForm } from '../../support/company.ts'
import { adminToken, createCompany, registerSeller, type Seller } from '../../support/factories.ts'

let app: TestApp
let admin: string

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
})
afterAll(async () => {
  await app.close()
})

const FIELDS = [
  'id',
  'userId',
  'commercialName',
  'invoiceName',
  'averageRevenue',
  'averageTicket',
  'productsServices',
  'website',
  'contactEmail',
  'contactPhone',
  'sellsPhysicalProducts',
  'cnpj',
  'companyName',
  'tradeName',
  'phone',
  'email',
  'addressZipCode',
  'addressStreet',
  'addressNumber',
  'addressComplement',
  'addressNeighborhood',
  'addressCity',
  'addressState',
  'legalRepName',
  'legalRepCpf',
  'legalRepRole',
  'legalRepStartDate',
  'legalRepPhone',
  'legalRepEmail',
  'createdAt',
  'updatedAt',
  'deletedAt',
  'documents',
]

const MISSING = '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00'

const isApproved = async ({ id, token }: Seller) => (await app.api.get(`users/${id}`, { token })).body.approved

const written = async (companyId: string) => {
  const audit = await app.sql.query('select * from audit_log where target_id = $1 order by id', [companyId])
  const events = await app.sql.query<{ type: string; body: string }>('select type, body from events order by id')
  const own = events.rows.map(({ type, body }) => ({ type, data: JSON.parse(body).data }))
  return { audit: audit.rows, events: own.filter(({ data }) => data.id === companyId) }
}

describe.each(['/approve', ''])('POST /admin/enterprises/{id}%s', (suffix) => {
  const approve = (id: string, token: string | undefined = admin) =>
    app.api.post(`admin/enterprises/${id}${suffix}`, { token })

  test('200: exactly the company of the interface, in its order, with its documents', async () => {
    const seller = await registerSeller(app)
    const company = await createCompany(app, seller)
    await app.api.post(`companies/${company.id}/documents`, { token: seller.token, body: documentForm() })
    const { status, body } = await approve(company.id)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['company'])
    expect(Object.keys(body.company)).toEqual(FIELDS)
    const { status: _status, rejectionReason: _reason, ...told } = company
    expect(body.company).toEqual({ ...told, updatedAt: body.company.updatedAt, documents: body.company.documents })
    expect(Object.keys(body.company.documents[0])).toEqual([
      'id',
      'companyId',
      'type',
      'fileName',
      'contentType',
      'size',
      'sha256',
      'status',
      'rejectionReason',
      'createdAt',
      'updatedAt',
    ])
  })

  test('200: without documents the list is empty, and the seller may sell from now on', async () => {
    const seller = await registerSeller(app)
    const { id } = await createCompany(app, seller)
    expect(await isApproved(seller)).toBe(false)
    expect((await approve(id)).body.company.documents).toEqual([])
    expect(await isApproved(seller)).toBe(true)
    expect((await app.api.get(`companies/${id}`, { token: seller.token })).body.status).toBe('approved')
  })

  test('200: one audit row and one event are written, with personal data masked', async () => {
    const seller = await registerSeller(app)
    const { id } = await createCompany(app, seller)
    await approve(id)
    const { audit, events } = await written(id)
    expect(audit).toMatchObject([
      {
        action: 'company.approve',
        actor_role: 'admin',
        target_type: 'company',
        seller_id: seller.id,
        before: { status: 'awaiting_approval', rejectionReason: null },
        after: { status: 'approved', rejectionReason: null },
      },
    ])
    expect(events.map(({ type }) => type)).toEqual(['company.submitted', 'company.approved'])
    expect(events[1]?.data).toMatchObject({
      status: 'approved',
      legalRepCpf: '***.982.247-**',
      phone: '(11) *****-4444',
    })
  })

  test('200: approving an approved company answers the same record and writes nothing', async () => {
    const seller = await registerSeller(app)
    const { id } = await createCompany(app, seller)
    const first = await approve(id)
    const before = await written(id)
    const second = await approve(id)
    expect([second.status, second.text]).toEqual([200, first.text])
    expect(await written(id)).toEqual(before)
  })

  test('200: five approvals at once are one approval', async () => {
    const seller = await registerSeller(app)
    const { id } = await createCompany(app, seller)
    const calls = Array.from({ length: 5 }, () => () => approve(id))
    const answers = await race(app, { table: 'users', id: seller.id }, calls)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const { audit, events } = await written(id)
    expect(audit).toHaveLength(1)
    expect(events.map(({ type }) => type)).toEqual(['company.submitted', 'company.approved'])
  })

  test('200 and 409: of an approval and a rejection at once one wins, and only that one is written', async () => {
    const seller = await registerSeller(app)
    const { id } = await createCompany(app, seller)
    const reject = () => app.api.post(`admin/enterprises/${id}/reject`, { token: admin, body: { reason: 'No' } })
    const answers = await race(app, { table: 'users', id: seller.id }, [() => approve(id), reject])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const { audit, events } = await written(id)
    const won = answers[0]?.status === 200
    expect(audit.map(({ action }) => action)).toEqual([won ? 'company.approve' : 'company.reject'])
    expect(events.at(-1)?.type).toBe(won ? 'company.approved' : 'company.rejected')
    expect(await isApproved(seller)).toBe(won)
  })

  test.each(['draft', 'rejected', 'changes_requested', 'suspended'])('409: a company that is %s', async (state) => {
    const seller = await registerSeller(app)
    const { id } = await createCompany(app, seller, { draft: state === 'draft' })
    const verb = { rejected: 'reject', changes_requested: 'request-changes', suspended: 'suspend' }[state]
    if (state === 'suspended') await approve(id)
    if (verb) await app.api.post(`admin/enterprises/${id}/${verb}`, { token: admin, body: { reason: 'No' } })
    const before = await written(id)
    const { status, body } = await approve(id)
    expect([status, body.code]).toEqual([409, 'company.not_awaiting_approval'])
    expect(await written(id)).toEqual(before)
    expect(await isApproved(seller)).toBe(false)
  })

  test.each(['1', 'abc', `${MISSING}0`, '01939f3e7c1a7b1e9d6a3f5b8c2d1e00'])('400: %s is no UUID', async (id) => {
    const { status, body } = await approve(id)
    expect([status, body.code]).toEqual([400, 'validation.failed'])
    expect(body.errors[0]).toMatchObject({ in: 'params', path: 'id' })
  })

  test('401: without a token, also for a bad id', async () => {
    const answer = await app.api.post(`admin/enterprises/nonsense${suffix}`)
    expect([answer.status, answer.body.code]).toEqual([401, 'auth.token_missing'])
  })

  test('403: a seller, also for their own company, and nothing happens', async () => {
    const seller = await registerSeller(app)
    const { id } = await createCompany(app, seller)
    const { status, body } = await approve(id, seller.token)
    expect([status, body.code]).toEqual([403, 'auth.forbidden'])
    expect((await written(id)).audit).toEqual([])
  })

  test('404: a company that does not exist or was deleted', async () => {
    const seller = await registerSeller(app)
    const { id } = await createCompany(app, seller)
    await app.api.delete(`companies/${id}`, { token: seller.token })
    for (const missing of [MISSING, id]) {
      const { status, body } = await approve(missing)
      expect([status, body.code]).toEqual([404, 'company.not_found'])
    }
  })
})
