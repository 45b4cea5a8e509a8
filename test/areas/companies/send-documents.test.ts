import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { race } from '../../support/barrier.ts'
import { documentForm, type FormFile, jpegBytes, pdfBytes, pngBytes } from '../../support/company.ts'
import { adminToken, approveCompany, createCompany, registerSeller, type Seller } from '../../support/factories.ts'
import { until } from '../../support/until.ts'

const MIB = 1024 * 1024

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

const send = (id: string, files?: readonly FormFile[], headers: Record<string, string> = {}, token = seller.token) =>
  app.api.post(`companies/${id}/documents`, { token, body: documentForm(files), headers })

const newCompany = async (fields = {}): Promise<string> => (await createCompany(app, seller, fields)).id

const filesOf = (companyId: string): Promise<string[]> =>
  readdir(join(app.config.dataDir, 'documents', companyId)).catch(() => [])

const rowsOf = async (companyId: string) =>
  (await app.sql.query('select * from company_documents where company_id = $1 order by id', [companyId])).rows

const pathsOf = (answer: { body: { errors: { path: string; code: string }[] } }) =>
  answer.body.errors.map(({ path, code }) => [path, code])

test('201: several files at once, each with its own type, kind, size and hash', async () => {
  const id = await newCompany()
  const files = [
    { type: 'articles_of_incorporation', name: 'contrato.pdf', bytes: pdfBytes(5_000) },
    { type: 'selfie', name: 'eu.jpeg', bytes: jpegBytes() },
    { type: 'id_front', name: 'rg.png', bytes: pngBytes() },
  ]
  const { status, body } = await send(id, files)
  expect(status).toBe(201)
  expect(Object.keys(body)).toEqual(['documents'])
  const expected = files.map(({ type, name, bytes }, index) => ({
    id: body.documents[index].id,
    companyId: id,
    type,
    fileName: name,
    contentType: ['application/pdf', 'image/jpeg', 'image/png'][index],
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    status: 'pending',
    rejectionReason: null,
    createdAt: body.documents[index].createdAt,
    updatedAt: body.documents[index].createdAt,
  }))
  expect(body.documents).toEqual(expected)
  expect((await app.api.get(`companies/${id}`, { token: seller.token })).body.documents).toEqual(expected)
})

test('201: the name on disk is ours, and the content is what was sent', async () => {
  const id = await newCompany()
  const bytes = pdfBytes()
  const { body } = await send(id, [{ name: '../../etc/passwd.pdf', bytes }])
  expect(body.documents[0].fileName).toBe('passwd.pdf')
  expect(await filesOf(id)).toEqual([body.documents[0].id])
  expect(await readFile(join(app.config.dataDir, 'documents', id, body.documents[0].id))).toEqual(bytes)
})

test('201: a file is what it contains, and is named after that', async () => {
  const { body } = await send(await newCompany(), [{ name: 'virus.exe', bytes: pngBytes() }])
  expect(body.documents[0]).toMatchObject({ fileName: 'virus.exe.png', contentType: 'image/png' })
})

test('201: exactly 10 MiB and ten files are accepted', async () => {
  expect((await send(await newCompany(), [{ bytes: pdfBytes(10 * MIB) }])).body.documents[0].size).toBe(10 * MIB)
  const ten = Array.from({ length: 10 }, () => ({}))
  expect((await send(await newCompany(), ten)).body.documents).toHaveLength(10)
})

test.each(['draft', 'rejected', 'changes_requested'])('201: while the company is %s', async (state) => {
  const id = await newCompany({ draft: state === 'draft' })
  const verb = { rejected: 'reject', changes_requested: 'request-changes' }[state]
  if (verb) await app.api.post(`admin/enterprises/${id}/${verb}`, { token: admin, body: { reason: 'Unreadable' } })
  expect((await app.api.get(`companies/${id}`, { token: seller.token })).body.status).toBe(state)
  expect((await send(id)).status).toBe(201)
})

test('201: a repeated Idempotency-Key keeps one document and one file; other files under it are refused', async () => {
  const id = await newCompany()
  const bytes = pdfBytes()
  const headers = { 'idempotency-key': 'documents-1' }
  const answers = [await send(id, [{ bytes }], headers), await send(id, [{ bytes }], headers)]
  expect(answers.map(({ status }) => status)).toEqual([201, 201])
  expect(answers[1]?.text).toBe(answers[0]?.text)
  expect([await filesOf(id), await rowsOf(id)].map(({ length }) => length)).toEqual([1, 1])
  const other = await send(id, [{}], headers)
  expect([other.status, other.body.code]).toEqual([422, 'idempotency.key_reused'])
  expect(await filesOf(id)).toHaveLength(1)
})

test('201 or 409: documents that meet an approval are there before it, or refused without a trace', async () => {
  const id = await newCompany()
  const [sent, approval] = await race(app, { table: 'companies', id }, [
    () => send(id),
    () => app.api.post(`admin/enterprises/${id}/approve`, { token: admin }),
  ])
  expect(approval?.status).toBe(200)
  const expected = sent?.status === 201 ? 1 : 0
  expect(approval?.body.company.documents).toHaveLength(expected)
  expect(await filesOf(id)).toHaveLength(expected)
})

test('503: a database that goes away between file and row leaves a file that nobody names, never the reverse', async () => {
  const id = await newCompany()
  const holder = await app.sql.connect()
  await holder.query('begin')
  await holder.query('select 1 from companies where id = $1 for update', [id])
  const sending = send(id)
  const waiting = "datname = current_database() and wait_event_type = 'Lock'"
  const end = `select pg_terminate_backend(pid) as ended from pg_stat_activity where ${waiting}`
  await until('the request waits for the company', async () => ((await holder.query(end)).rowCount ?? 0) > 0)
  await holder.query('rollback')
  holder.release()
  expect((await sending).status).toBe(503)
  expect([(await filesOf(id)).length, (await rowsOf(id)).length]).toEqual([1, 0])
})

test.each(['approved', 'suspended'])('409: while the company is %s, and no file is left', async (state) => {
  const id = await newCompany()
  await approveCompany(app, id)
  if (state === 'suspended') {
    await app.api.post(`admin/enterprises/${id}/suspend`, { token: admin, body: { reason: 'Fraud' } })
  }
  const { status, body } = await send(id)
  expect([status, body.code]).toEqual([409, 'document.company_closed'])
  expect(await filesOf(id)).toEqual([])
})

test('413: more than 10 MiB, or more than ten files, and nothing is kept', async () => {
  const id = await newCompany()
  const large = await send(id, [{}, { bytes: pdfBytes(10 * MIB + 1) }])
  expect([large.status, large.body.code]).toEqual([413, 'server.payload_too_large'])
  expect(
    (
      await send(
        id,
        Array.from({ length: 11 }, () => ({})),
      )
    ).status,
  ).toBe(413)
  expect([await filesOf(id), await rowsOf(id)]).toEqual([[], []])
})

test.each([
  ['text', Buffer.from('hello, this is only text')],
  ['a web page', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['an archive', Buffer.from('504b0304140000000000', 'hex')],
  ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1')],
])('415: %s under the name of a PDF, and nothing of the request is kept', async (_, bytes) => {
  const id = await newCompany()
  const { status, body } = await send(id, [{}, { name: 'cartao.pdf', bytes }])
  expect([status, body.code]).toEqual([415, 'document.type_not_supported'])
  expect([await filesOf(id), await rowsOf(id)]).toEqual([[], []])
})

test('415: no form at all', async () => {
  const path = `companies/${await newCompany()}/documents`
  expect((await app.api.post(path, { token: seller.token, body: { type: 'selfie' } })).status).toBe(415)
  expect((await app.api.post(path, { token: seller.token })).status).toBe(415)
  const headers = { 'content-type': 'text/plain' }
  expect((await app.api.post(path, { token: seller.token, body: 'x', headers })).status).toBe(415)
})

test('422: a company has at most a hundred documents', async () => {
  const id = await newCompany()
  const ten = Array.from({ length: 10 }, () => ({}))
  for (let sent = 0; sent < 100; sent += 10) expect((await send(id, ten)).status).toBe(201)
  const { status, body } = await send(id)
  expect([status, body.code]).toEqual([422, 'document.too_many'])
  expect(await filesOf(id)).toHaveLength(100)
})

test('400: faults of types and files are named all at once', async () => {
  const id = await newCompany()
  const answer = await send(id, [{ type: 'passport' }, { bytes: Buffer.alloc(0) }, { name: '4111 1111 1111 1111.pdf' }])
  expect(answer.status).toBe(400)
  expect(pathsOf(answer)).toEqual([
    ['type.0', 'invalid_value'],
    ['file.1', 'empty_file'],
    ['file.2', 'card_number'],
  ])
})

test('400: a file without a type, a type without a file, a field that nobody asked for', async () => {
  const id = await newCompany()
  expect(pathsOf(await send(id, [{ type: '' }]))).toEqual([['type', 'required']])
  const form = new FormData()
  form.append('type', 'selfie')
  const post = (body: FormData) => app.api.post(`companies/${id}/documents`, { token: seller.token, body })
  expect(pathsOf(await post(form)).map(([path]) => path)).toEqual(['file', 'type'])
  const extra = documentForm()
  extra.append('status', 'approved')
  expect(pathsOf(await post(extra))).toContainEqual(['status', 'unknown_field'])
  const misplaced = documentForm()
  misplaced.append('attachment', new Blob(['%PDF-1.7']), 'a.pdf')
  expect(pathsOf(await post(misplaced))).toContainEqual(['attachment', 'unknown_field'])
})

test.each([
  ['without a boundary', 'multipart/form-data', 'x'],
  [
    'that ends too early',
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF',
  ],
  ['of nothing', 'multipart/form-data; boundary=b', ''],
])('400: a form %s', async (_, contentType, body) => {
  const answer = await app.api.post(`companies/${await newCompany()}/documents`, {
    token: seller.token,
    body,
    headers: { 'content-type': contentType },
  })
  expect([answer.status, answer.body.code]).toEqual([400, 'validation.failed'])
})

test("404: another seller's company looks exactly like a missing one", async () => {
  const { id } = await createCompany(app, await registerSeller(app))
  const answers = [await send(id), await send('01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00')]
  const [first, second] = answers.map(({ status, body: { requestId: _, ...rest } }) => ({ status, rest }))
  expect(first).toEqual(second)
  expect(first).toMatchObject({ status: 404, rest: { code: 'company.not_found' } })
})

test('400, 401 and 403: a bad id, no token, an administrator', async () => {
  const id = await newCompany()
  expect((await send('nonsense')).body.errors).toMatchObject([{ in: 'params', path: 'id' }])
  expect((await app.api.post(`companies/${id}/documents`, { body: documentForm() })).status).toBe(401)
  expect((await send(id, [{}], {}, admin)).status).toBe(403)
})
