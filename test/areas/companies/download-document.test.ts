import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { documentForm, pdfBytes } from '../../support/company.ts'
import { adminToken, createCompany, registerSeller, type Seller } from '../../support/factories.ts'
import { claimsOf } from '../../support/tokens.ts'

let app: TestApp
let seller: Seller
let companyId: string
let documentId: string
const bytes = pdfBytes(3 * 1024 * 1024)

beforeAll(async () => {
  app = await startTestApp()
  seller = await registerSeller(app)
  companyId = (await createCompany(app, seller)).id
  const form = documentForm([{ name: "cartão d'água (1).pdf", bytes }])
  const { body } = await app.api.post(`companies/${companyId}/documents`, { token: seller.token, body: form })
  documentId = body.documents[0].id
})
afterAll(async () => {
  await app.close()
})

const pathOf = (company = companyId, document = documentId) => `companies/${company}/documents/${document}/content`
const download = (token: string) =>
  fetch(`${app.url}/api/v1/${pathOf()}`, { headers: { authorization: `Bearer ${token}` } })

test('200: the seller gets the very bytes, as a file that no browser interprets', async () => {
  const answer = await download(seller.token)
  expect(answer.status).toBe(200)
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-length': String(bytes.length),
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
    'content-disposition':
      "attachment; filename=\"cartao d'agua (1).pdf\"; filename*=UTF-8''cart%C3%A3o%20d%27%C3%A1gua%20%281%29.pdf",
  })
})

test('200: an administrator gets them too', async () => {
  const answer = await download(await adminToken(app))
  expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, bytes.length])
})

test('who read it is in the audit log, an administrator and the seller alike', async () => {
  const admin = await adminToken(app)
  const { data } = (await app.api.get(`admin/audit-log?targetId=${documentId}&action=document.read`, { token: admin }))
    .body
  expect(data).toMatchObject([
    { actorId: claimsOf(admin).sub, actorRole: 'admin', sellerId: seller.id, after: { companyId } },
    { actorId: seller.id, actorRole: 'seller', sellerId: seller.id, after: { companyId } },
  ])
})

test('404: another seller, a missing document and a missing company look the same', async () => {
  const other = await registerSeller(app)
  const missing = '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00'
  const foreign = await app.api.get(pathOf(), { token: other.token })
  const absent = await app.api.get(pathOf(missing), { token: other.token })
  expect({ ...foreign.body, requestId: '' }).toEqual({ ...absent.body, requestId: '' })
  expect([foreign.status, foreign.body.code]).toEqual([404, 'company.not_found'])
  const unknown = await app.api.get(pathOf(companyId, missing), { token: seller.token })
  expect([unknown.status, unknown.body.code]).toEqual([404, 'document.not_found'])
})

test('400 and 401: bad ids, no token', async () => {
  const { body } = await app.api.get(pathOf('x', 'y'), { token: seller.token })
  expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(['id', 'documentId'])
  expect((await app.api.get(pathOf())).status).toBe(401)
})

test('500: a file that the storage lost is our fault, and says nothing of the inside', async () => {
  const { body } = await app.api.post(`companies/${companyId}/documents`, { token: seller.token, body: documentForm() })
  const lost = body.documents[0].id
  await rm(join(app.config.dataDir, 'documents', companyId, lost))
  const answer = await app.api.get(pathOf(companyId, lost), { token: seller.token })
  expect([answer.status, answer.body.code]).toEqual([500, 'server.internal'])
  expect(answer.text).not.toContain(app.config.dataDir)
})
