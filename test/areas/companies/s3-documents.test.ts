import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { documentForm, pdfBytes } from '../../support/company.ts'
import { approveCompany, createCompany, registerSeller, type Seller } from '../../support/factories.ts'
import { startS3Server } from '../../support/s3-server.ts'

const CREDENTIALS = { accessKeyId: 'AKIATEST', secretAccessKey: 'a/secret+key', region: 'sa-east-1' }

let s3: Awaited<ReturnType<typeof startS3Server>>
let app: TestApp
let seller: Seller

beforeAll(async () => {
  s3 = await startS3Server(CREDENTIALS)
  app = await startTestApp({
    DOCUMENT_STORAGE: 's3',
    S3_BUCKET: 'kyc',
    S3_REGION: CREDENTIALS.region,
    S3_ENDPOINT: s3.url,
    S3_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    S3_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
  })
  seller = await registerSeller(app)
})
afterAll(async () => {
  await app.close()
  await s3.close()
})

const send = (id: string, bytes = pdfBytes()) =>
  app.api.post(`companies/${id}/documents`, { token: seller.token, body: documentForm([{ bytes }]) })

test('201 and 200: a document goes to the bucket and comes back from it', async () => {
  const { id } = await createCompany(app, seller)
  const bytes = pdfBytes(1024 * 1024)
  const { status, body } = await send(id, bytes)
  expect(status).toBe(201)
  const key = `/kyc/${id}/${body.documents[0].id}`
  expect(s3.objects.get(key)?.bytes.equals(bytes)).toBe(true)
  const path = `${app.url}/api/v1/companies/${id}/documents/${body.documents[0].id}/content`
  const answer = await fetch(path, { headers: { authorization: `Bearer ${seller.token}` } })
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
})

test('409: a refused document leaves nothing in the bucket', async () => {
  const { id } = await createCompany(app, seller)
  await approveCompany(app, id)
  expect((await send(id)).status).toBe(409)
  expect([...s3.objects.keys()].filter((key) => key.includes(id))).toEqual([])
})

test('503: while the bucket takes nothing, no row is written', async () => {
  const { id } = await createCompany(app, seller)
  s3.state.failures = Number.POSITIVE_INFINITY
  const answer = await send(id)
  s3.state.failures = 0
  expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([503, 'server.unavailable', '5'])
  expect((await app.api.get(`companies/${id}`, { token: seller.token })).body.documents).toEqual([])
})
