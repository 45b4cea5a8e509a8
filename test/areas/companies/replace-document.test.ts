import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { race } from '../../support/barrier.ts'
import { documentForm, type FormFile, pdfBytes, pngBytes } from '../../support/company.ts'
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

type Place = { company: string; document: string }

const newDocument = async (owner = seller): Promise<Place> => {
  const { id } = await createCompany(app, owner)
  const { body } = await app.api.post(`companies/${id}/documents`, { token: owner.token, body: documentForm() })
  return { company: id, document: body.documents[0].id }
}

const replace = ({ company, document }: Place, files: readonly FormFile[] = [{}], token = seller.token) =>
  app.api.put(`companies/${company}/documents/${document}`, { token, body: documentForm(files) })

const documentsOf = async ({ company }: Place) =>
  (await app.api.get(`companies/${company}`, { token: seller.token })).body.documents

test('200: the answer is a new document, and the old one is kept as superseded', async () => {
  const place = await newDocument()
  const [old] = await documentsOf(place)
  const { status, body } = await replace(place, [{ type: '', name: 'novo.png', bytes: pngBytes() }])
  expect(status).toBe(200)
  expect(body).toMatchObject({ type: 'cnpj_card', fileName: 'novo.png', contentType: 'image/png', status: 'pending' })
  expect(body.id).not.toBe(old.id)
  const [kept, next] = await documentsOf(place)
  expect(kept).toEqual({ ...old, status: 'superseded', updatedAt: kept.updatedAt })
  expect(next).toEqual(body)
  const content = await app.api.get(`companies/${place.company}/documents/${old.id}/content`, { token: seller.token })
  expect(content.status).toBe(200)
})

test('200: the form may give another type', async () => {
  expect((await replace(await newDocument(), [{ type: 'bank_statement' }])).body.type).toBe('bank_statement')
})

test('200: while the company is approved, which it stays; the new document waits for its review', async () => {
  const place = await newDocument()
  await approveCompany(app, place.company)
  expect((await replace(place)).body.status).toBe('pending')
  const { body } = await app.api.get(`companies/${place.company}`, { token: seller.token })
  expect(body.status).toBe('approved')
})

test('409: while the company is suspended', async () => {
  const place = await newDocument()
  await approveCompany(app, place.company)
  await app.api.post(`admin/enterprises/${place.company}/suspend`, { token: admin, body: { reason: 'Fraud' } })
  const { status, body } = await replace(place)
  expect([status, body.code]).toEqual([409, 'document.company_closed'])
})

test('409: what was replaced cannot be replaced again', async () => {
  const place = await newDocument()
  await replace(place)
  const { status, body } = await replace(place)
  expect([status, body.code]).toEqual([409, 'document.superseded'])
})

test('200 and 409: of two replacements at once one wins', async () => {
  const place = await newDocument()
  const answers = await race(app, { table: 'companies', id: place.company }, [
    () => replace(place),
    () => replace(place),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const statuses = (await documentsOf(place)).map(({ status }: { status: string }) => status)
  expect(statuses).toEqual(['superseded', 'pending'])
})

test('400: no file, two files, two types, a bad type, an empty file', async () => {
  const place = await newDocument()
  const fileless = new FormData()
  fileless.append('type', 'selfie')
  const none = await app.api.put(`companies/${place.company}/documents/${place.document}`, {
    token: seller.token,
    body: fileless,
  })
  expect([none.status, none.body.errors[0].path]).toEqual([400, 'file'])
  const two = await replace(place, [{}, {}])
  expect(two.body.errors.map(({ path }: { path: string }) => path)).toEqual(['file', 'type'])
  expect((await replace(place, [{ type: 'passport' }])).body.errors[0].path).toBe('type.0')
  expect((await replace(place, [{ bytes: Buffer.alloc(0) }])).body.errors[0].path).toBe('file.0')
  expect((await documentsOf(place)).map(({ status }: { status: string }) => status)).toEqual(['pending'])
})

test('413 and 415: too large, or no document', async () => {
  const place = await newDocument()
  expect((await replace(place, [{ bytes: pdfBytes(10 * 1024 * 1024 + 1) }])).status).toBe(413)
  expect((await replace(place, [{ bytes: Buffer.from('text') }])).status).toBe(415)
})

test('404: foreign companies, foreign documents and missing ones look the same', async () => {
  const place = await newDocument()
  const foreign = await newDocument(await registerSeller(app))
  const missing = '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00'
  const plain = ({ status, body: { requestId: _, ...rest } }: Awaited<ReturnType<typeof replace>>) => ({ status, rest })
  expect(plain(await replace(foreign))).toEqual(plain(await replace({ ...place, company: missing })))
  const documents = [
    await replace({ ...place, document: foreign.document }),
    await replace({ ...place, document: missing }),
  ]
  expect(documents.map(plain)).toEqual([documents[0], documents[0]].map((answer) => answer && plain(answer)))
  expect(documents[0]?.body.code).toBe('document.not_found')
})

test('400, 401 and 403: bad ids, no token, an administrator', async () => {
  const place = await newDocument()
  const { body } = await replace({ company: 'x', document: 'y' })
  expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(['id', 'documentId'])
  const path = `companies/${place.company}/documents/${place.document}`
  expect((await app.api.put(path, { body: documentForm() })).status).toBe(401)
  expect((await replace(place, [{}], admin)).status).toBe(403)
})
