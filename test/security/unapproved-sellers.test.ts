import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../support/app.ts'
import { documentForm, pdfBytes } from '../support/company.ts'
import { approveCompany, companyBody, createCompany, registerSeller, type Seller } from '../support/factories.ts'
import { createFaultServer, type FaultServer } from '../support/fault-server.ts'
import { joinTeam } from '../support/team.ts'
import { drain, newEvents, newWebhook } from '../support/webhooks.ts'

const MIB = 1024 * 1024

let app: TestApp
let server: FaultServer
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_UNPROVEN_WEBHOOKS_PER_MINUTE: '30' })
  server = await createFaultServer()
})
afterAll(async () => {
  await server.close()
  await app.close()
})

const send = ({ token }: Seller, companyId: string, sizes: readonly number[] = [64]) => {
  const body = documentForm(sizes.map((size) => ({ bytes: pdfBytes(size) })))
  return app.api.post(`companies/${companyId}/documents`, { token, body })
}

const create = ({ token }: Pick<Seller, 'token'>) => app.api.post('companies', { token, body: companyBody() })

test('422: a seller without an approved company has a few companies, also when all are made at once', async () => {
  const seller = await registerSeller(app)
  const answers = await Promise.all(Array.from({ length: 24 }, () => create(seller)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
  const refused = answers.filter(({ status }) => status === 422)
  expect(refused.map(({ body }) => body.code)).toEqual(Array(4).fill('company.quota_reached'))
  const colleague = await joinTeam(app, seller, 'owner')
  expect((await create(colleague)).body.code).toBe('company.quota_reached')
  const [made] = answers.filter(({ status }) => status === 201)
  await approveCompany(app, made?.body.id)
  expect((await create(seller)).status).toBe(201)
})

test('422: what a seller without an approved company sends is bounded over all companies, in files and in bytes', async () => {
  const seller = await registerSeller(app)
  const [one, other] = [await createCompany(app, seller), await createCompany(app, seller)]
  expect((await send(seller, one.id, [64])).status).toBe(201)
  await app.sql.query('update company_documents set size_bytes = $2 where company_id = $1', [one.id, 199 * MIB])
  expect((await send(seller, other.id, [2 * MIB])).body.code).toBe('document.quota_reached')
  expect((await send(seller, other.id, [MIB / 2])).status).toBe(201)
  await app.sql.query(
    `insert into company_documents select seller_id, gen_random_uuid(), company_id, type, file_name, content_type, 1, sha256,
       storage_key, status, rejection_reason, created_at, updated_at from company_documents, generate_series(1, 98)
     where company_id = $1`,
    [other.id],
  )
  expect((await send(seller, one.id)).body.code).toBe('document.quota_reached')
})

test('the files of a company that was never approved go with it', async () => {
  const seller = await registerSeller(app)
  const { id } = await createCompany(app, seller)
  const documentId = (await send(seller, id)).body.documents[0].id
  const path = join(app.config.dataDir, 'documents', id, documentId)
  expect(existsSync(path)).toBe(true)
  expect((await app.api.delete(`companies/${id}`, { token: seller.token })).status).toBe(204)
  await app.services.jobs.cleanUp.runOnce()
  expect(existsSync(path)).toBe(false)
  const { rowCount } = await app.sql.query('select from company_documents where company_id = $1', [id])
  expect(rowCount).toBe(0)
})

test('the files of a company that was approved are kept, as evidence of who was let in', async () => {
  const seller = await registerSeller(app)
  const { id } = await createCompany(app, seller)
  const documentId = (await send(seller, id)).body.documents[0].id
  await approveCompany(app, id)
  await app.api.delete(`companies/${id}`, { token: seller.token })
  await app.services.jobs.cleanUp.runOnce()
  expect(existsSync(join(app.config.dataDir, 'documents', id, documentId))).toBe(true)
})

test('a host that has not answered 2xx is called at a low pace, by all sellers together', async () => {
  const engine = app.services.webhookEngine
  const [one, other] = [await registerSeller(app), await registerSeller(app)]
  const first = await newWebhook(app, one, server.url('/status/404'))
  const second = await newWebhook(app, other, server.url('/status/404?other'))
  for (const seller of [one, other]) await newEvents(app, seller, 50)
  await drain(engine)
  expect(server.requests.length).toBeGreaterThanOrEqual(20)
  expect(server.requests.length).toBeLessThanOrEqual(60)
  const { rows } = await app.sql.query(
    'select count(*)::int as waiting from webhook_deliveries where webhook_id in ($1, $2) and attempts_made = 0',
    [first, second],
  )
  expect(rows[0].waiting).toBeGreaterThanOrEqual(40)
})

test('a webhook that has answered 2xx is called as fast as it answers, until its address changes', async () => {
  const engine = app.services.webhookEngine
  const seller = await registerSeller(app)
  const id = await newWebhook(app, seller, server.url('/status/204'))
  await app.sql.query('delete from rate_limits')
  await newEvents(app, seller, 1)
  await drain(engine)
  server.requests.length = 0
  await newEvents(app, seller, 80)
  await drain(engine)
  expect(server.requests).toHaveLength(80)
  const body = { url: server.url('/status/404?moved') }
  expect((await app.api.patch(`seller-webhooks/${id}`, { token: seller.token, body })).status).toBe(200)
  const { rows } = await app.sql.query('select last_success_at from seller_webhooks where id = $1', [id])
  expect(rows).toEqual([{ last_success_at: null }])
})
