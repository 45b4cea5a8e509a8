import { randomUUID } from 'node:crypto'
import { companyBody, documentForm } from '../company.ts'
import { createCustomer, customerBody } from '../customers.ts'
import { createCompany, registerSeller } from '../factories.ts'
import { earn } from '../withdrawals.ts'
import { newApprovedCompany, newCompany, ok, REASON, type Refusal, type Refusals, type World } from './world.ts'

const takenCnpj = async ({ app }: World): Promise<string> => (await createCompany(app, await registerSeller(app))).cnpj

const sendDocuments = ({ app }: World, token: string, companyId: string, form = documentForm()) =>
  app.api.post(`companies/${companyId}/documents`, { token, body: form })

const replaceDocument = ({ app }: World, token: string, companyId: string, documentId: string) =>
  app.api.put(`companies/${companyId}/documents/${documentId}`, { token, body: documentForm() })

const fill = async (world: World, token: string, companyId: string): Promise<void> => {
  const copy = `insert into company_documents select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid()))).*
    from company_documents d, generate_series(1, 99) where d.company_id = $1`
  await world.app.sql.query(copy, [companyId])
  const { length } = ok(await world.app.api.get(`companies/${companyId}`, { token })).documents
  if (length !== 100) throw new Error(`the company has ${length} documents`)
}

const fillBytes = (world: World, companyId: string) =>
  world.app.sql.query('update company_documents set size_bytes = 200 * 1024 * 1024 where company_id = $1', [companyId])

const notApproved =
  (path: string): Refusal =>
  async (world) => {
    const { id } = await newCompany(world)
    return world.app.api.post(`admin/enterprises/${id}${path}`, { token: world.admin, body: REASON })
  }

const decided =
  (path: string): Refusal =>
  async (world) => {
    const { id } = await newCompany(world)
    const call = (verb: string) =>
      world.app.api.post(`admin/enterprises/${id}${verb}`, { token: world.admin, body: REASON })
    ok(await call('/reject'))
    return call(path)
  }

const judgeSuperseded =
  (verb: 'approve' | 'reject'): Refusal =>
  async (world) => {
    const { seller, id, documentId } = await newCompany(world)
    ok(await replaceDocument(world, seller.token, id, documentId))
    const body = verb === 'reject' ? REASON : undefined
    return world.app.api.post(`admin/enterprises/${id}/documents/${documentId}/${verb}`, { token: world.admin, body })
  }

const unknownDocument =
  (method: 'get' | 'put' | 'post', suffix: string, as: 'seller' | 'admin'): Refusal =>
  async (world) => {
    const { seller, id } = await newCompany(world)
    const [token, prefix] = as === 'admin' ? [world.admin, 'admin/enterprises'] : [seller.token, 'companies']
    const body = method === 'put' ? documentForm() : suffix === '/reject' ? REASON : undefined
    return world.app.api[method](`${prefix}/${id}/documents/${randomUUID()}${suffix}`, { token, body })
  }

export const companyRefusals: Refusals = {
  'POST /companies company.cnpj_taken': async (world) => {
    const body = companyBody({ cnpj: await takenCnpj(world) })
    return world.app.api.post('companies', { token: world.seller.token, body })
  },
  'PUT /companies/{id} company.cnpj_taken': async (world) => {
    const { seller, id } = await newCompany(world)
    const body = companyBody({ cnpj: await takenCnpj(world) })
    return world.app.api.put(`companies/${id}`, { token: seller.token, body })
  },
  'PUT /companies/{id} company.cnpj_frozen': async (world) => {
    const { seller, id } = await newApprovedCompany(world)
    return world.app.api.put(`companies/${id}`, { token: seller.token, body: companyBody() })
  },
  'PUT /companies/{id} company.not_draft': async (world) => {
    const { seller, id } = await newCompany(world)
    return world.app.api.put(`companies/${id}`, { token: seller.token, body: companyBody({ draft: true }) })
  },
  'DELETE /companies/{id} company.balance_not_zero': async (world) => {
    const { seller, id } = await newApprovedCompany(world)
    await earn(world.app, seller.id, 1)
    return world.app.api.delete(`companies/${id}`, { token: seller.token })
  },
  'POST /companies/{id}/documents document.company_closed': async (world) => {
    const { seller, id } = await newApprovedCompany(world)
    return sendDocuments(world, seller.token, id)
  },
  'POST /companies/{id}/documents document.too_many': async (world) => {
    const { seller, id } = await newCompany(world)
    await fill(world, seller.token, id)
    return sendDocuments(world, seller.token, id)
  },
  'POST /companies company.quota_reached': async ({ app }) => {
    const seller = await registerSeller(app)
    for (let count = 0; count < 20; count += 1) await createCompany(app, seller)
    return app.api.post('companies', { token: seller.token, body: companyBody() })
  },
  'POST /companies/{id}/documents document.quota_reached': async (world) => {
    const { seller, id } = await newCompany(world)
    await fillBytes(world, id)
    return sendDocuments(world, seller.token, id)
  },
  'PUT /companies/{id}/documents/{documentId} document.quota_reached': async (world) => {
    const { seller, id, documentId } = await newCompany(world)
    await fillBytes(world, id)
    return replaceDocument(world, seller.token, id, documentId)
  },
  'POST /companies/{id}/documents document.type_not_supported': async (world) => {
    const { seller, id } = await newCompany(world)
    return sendDocuments(world, seller.token, id, documentForm([{ bytes: Buffer.from('only text') }]))
  },
  'PUT /companies/{id}/documents/{documentId} document.superseded': async (world) => {
    const { seller, id, documentId } = await newCompany(world)
    ok(await replaceDocument(world, seller.token, id, documentId))
    return replaceDocument(world, seller.token, id, documentId)
  },
  'PUT /companies/{id}/documents/{documentId} document.company_closed': async (world) => {
    const { seller, id, documentId } = await newApprovedCompany(world)
    ok(await world.app.api.post(`admin/enterprises/${id}/suspend`, { token: world.admin, body: REASON }))
    return replaceDocument(world, seller.token, id, documentId)
  },
  'PUT /companies/{id}/documents/{documentId} document.too_many': async (world) => {
    const { seller, id, documentId } = await newCompany(world)
    await fill(world, seller.token, id)
    return replaceDocument(world, seller.token, id, documentId)
  },
  'PUT /companies/{id}/documents/{documentId} document.type_not_supported': async (world) => {
    const { seller, id, documentId } = await newCompany(world)
    const body = documentForm([{ bytes: Buffer.from('only text') }])
    return world.app.api.put(`companies/${id}/documents/${documentId}`, { token: seller.token, body })
  },
  'PUT /companies/{id}/documents/{documentId} document.not_found': unknownDocument('put', '', 'seller'),
  'GET /companies/{id}/documents/{documentId}/content document.not_found': unknownDocument('get', '/content', 'seller'),
  'POST /admin/enterprises/{id}/approve company.not_awaiting_approval': decided('/approve'),
  'POST /admin/enterprises/{id} company.not_awaiting_approval': decided(''),
  'POST /admin/enterprises/{id}/reject company.not_awaiting_approval': decided('/reject'),
  'POST /admin/enterprises/{id}/request-changes company.not_awaiting_approval': decided('/request-changes'),
  'POST /admin/enterprises/{id}/suspend company.not_approved': notApproved('/suspend'),
  'POST /admin/enterprises/{id}/reactivate company.not_suspended': notApproved('/reactivate'),
  'POST /admin/enterprises/{id}/documents/{documentId}/approve document.not_found': unknownDocument(
    'post',
    '/approve',
    'admin',
  ),
  'POST /admin/enterprises/{id}/documents/{documentId}/approve document.not_reviewable': judgeSuperseded('approve'),
  'POST /admin/enterprises/{id}/documents/{documentId}/reject document.not_found': unknownDocument(
    'post',
    '/reject',
    'admin',
  ),
  'POST /admin/enterprises/{id}/documents/{documentId}/reject document.not_reviewable': judgeSuperseded('reject'),
  'POST /customers customer.document_taken': async ({ app, seller }) => {
    const { document } = await createCustomer(app, seller)
    return app.api.post('customers', { token: seller.token, body: customerBody({ document }) })
  },
  'POST /personal-data/erasures customer.not_found': ({ app, seller }) =>
    app.api.post('personal-data/erasures', { token: seller.token, body: { customerId: randomUUID() } }),
  'POST /personal-data/erasures payment.not_found': ({ app, seller }) =>
    app.api.post('personal-data/erasures', { token: seller.token, body: { paymentId: randomUUID() } }),
  'PUT /customers/{id} customer.document_taken': async ({ app, seller }) => {
    const [{ document }, { id }] = [await createCustomer(app, seller), await createCustomer(app, seller)]
    return app.api.put(`customers/${id}`, { token: seller.token, body: customerBody({ document }) })
  },
}
