import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { race } from '../../support/barrier.ts'
import { documentForm } from '../../support/company.ts'
import { adminToken, createCompany, registerSeller, type Seller } from '../../support/factories.ts'

let app: TestApp
let admin: string
let seller: Seller

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
  seller = await registerSeller(app)
})
afterAll(async () => {
  await app.close()
})

const REASON = 'The scan is cut off.'
const MISSING = '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00'

type Place = { company: string; document: string }

const newDocument = async (): Promise<Place> => {
  const { id } = await createCompany(app, seller)
  const { body } = await app.api.post(`companies/${id}/documents`, { token: seller.token, body: documentForm() })
  return { company: id, document: body.documents[0].id }
}

const review = ({ company, document }: Place, verb: string, token = admin) =>
  app.api.post(`admin/enterprises/${company}/documents/${document}/${verb}`, {
    token,
    ...(verb === 'reject' ? { body: { reason: REASON } } : {}),
  })

const documentOf = async ({ company, document }: Place) => {
  const { documents } = (await app.api.get(`companies/${company}`, { token: seller.token })).body
  return documents.find(({ id }: { id: string }) => id === document)
}

const auditOf = async ({ document }: Place) =>
  (await app.sql.query('select action, before, after from audit_log where target_id = $1 order by id', [document])).rows

describe.each([
  { verb: 'approve', to: 'approved', reason: null },
  { verb: 'reject', to: 'rejected', reason: REASON },
])('POST /admin/enterprises/{id}/documents/{documentId}/$verb', ({ verb, to, reason }) => {
  test('200: the document in its new state, which its seller sees, and one audit row', async () => {
    const place = await newDocument()
    const before = await documentOf(place)
    const { status, body } = await review(place, verb)
    expect(status).toBe(200)
    const document = { ...before, status: to, rejectionReason: reason, updatedAt: body.document.updatedAt }
    expect(body).toEqual({ document })
    expect(await documentOf(place)).toEqual(document)
    expect(await auditOf(place)).toEqual([
      {
        action: `document.${verb}`,
        before: { status: 'pending', rejectionReason: null },
        after: { status: to, rejectionReason: reason },
      },
    ])
  })

  test('200: the other verdict can be corrected', async () => {
    const place = await newDocument()
    await review(place, verb === 'approve' ? 'reject' : 'approve')
    expect((await review(place, verb)).body.document).toMatchObject({ status: to, rejectionReason: reason })
    expect(await auditOf(place)).toHaveLength(2)
  })

  test('409: a document that was replaced', async () => {
    const place = await newDocument()
    const path = `companies/${place.company}/documents/${place.document}`
    await app.api.put(path, { token: seller.token, body: documentForm() })
    const { status, body } = await review(place, verb)
    expect([status, body.code]).toEqual([409, 'document.not_reviewable'])
  })

  test('400: bad ids', async () => {
    const { status, body } = await review({ company: 'x', document: 'y' }, verb)
    expect(status).toBe(400)
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual(['id', 'documentId'])
  })

  test('401 and 403: no token, a seller', async () => {
    const place = await newDocument()
    const path = `admin/enterprises/${place.company}/documents/${place.document}/${verb}`
    expect((await app.api.post(path, { body: { reason: REASON } })).status).toBe(401)
    expect((await review(place, verb, seller.token)).status).toBe(403)
  })

  test('404: no such company, no such document, a document of another company', async () => {
    const place = await newDocument()
    const other = await newDocument()
    expect((await review({ ...place, company: MISSING }, verb)).body.code).toBe('company.not_found')
    for (const document of [MISSING, other.document]) {
      const { status, body } = await review({ ...place, document }, verb)
      expect([status, body.code]).toEqual([404, 'document.not_found'])
    }
  })
})

test('200: approving an approved document answers the same and writes nothing, also at once', async () => {
  const place = await newDocument()
  const twice = [() => review(place, 'approve'), () => review(place, 'approve')]
  const answers = await race(app, { table: 'users', id: seller.id }, twice)
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(answers[1]?.text).toBe(answers[0]?.text)
  expect(await auditOf(place)).toHaveLength(1)
})

test('409: a rejected document cannot be rejected again', async () => {
  const place = await newDocument()
  await review(place, 'reject')
  expect((await review(place, 'reject')).body.code).toBe('document.not_reviewable')
})

test.each([[{}], [{ reason: '' }], [{ reason: 'x'.repeat(501) }], [{ reason: REASON, more: 1 }]])(
  '400: a rejection with %j',
  async (body) => {
    const path = `admin/enterprises/${MISSING}/documents/${MISSING}/reject`
    const answer = await app.api.post(path, { token: admin, body })
    expect([answer.status, answer.body.code]).toEqual([400, 'validation.failed'])
  },
)
