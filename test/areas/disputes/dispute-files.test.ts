import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { documentForm } from '../../support/company.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import { sellingSeller } from '../../support/payments.ts'
import { disputed, paidPix } from '../../support/refunds.ts'

let app: TestApp
let seller: Seller
let admin: string
let disputeId: string
let file: { id: string; sha256: string; size: number }

beforeAll(async () => {
  app = await startTestApp()
  seller = await sellingSeller(app)
  admin = await adminToken(app)
  const dispute = await disputed(app, seller, (await paidPix(app, seller)).id)
  disputeId = dispute.id
  const form = new FormData()
  form.append('text', 'O pedido foi entregue em 12/11, com assinatura.')
  form.append('file', documentForm().get('file') as File, 'comprovação final.pdf')
  const { body } = await app.api.post(`disputes/${disputeId}/defense`, { token: seller.token, body: form })
  file = body.defense.files[0]
})

afterAll(() => app.close())

const download = (fileId: string, token: string | undefined, dispute = disputeId) =>
  fetch(`${app.url}/api/v1/disputes/${dispute}/files/${fileId}/content`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })

test.each(['seller', 'admin'] as const)('200: the %s gets the very bytes, to be saved and not shown', async (who) => {
  const answer = await download(file.id, who === 'seller' ? seller.token : admin)
  expect(answer.status).toBe(200)
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(file.sha256)
  expect(bytes.length).toBe(file.size)
  expect(answer.headers.get('content-type')).toBe('application/pdf')
  expect(answer.headers.get('content-length')).toBe(String(file.size))
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="comprovacao final\.pdf"/)
})

test('401 and 404: nobody without a token, no other seller, no file of another dispute', async () => {
  expect((await download(file.id, undefined)).status).toBe(401)
  const other = await sellingSeller(app)
  const codes = await Promise.all(
    [
      download(file.id, other.token),
      download(file.id, admin, app.services.newId()),
      download(app.services.newId(), seller.token),
      download(app.services.newId(), admin),
    ].map(async (answer) => {
      const { status, json } = await answer.then(async (got) => ({ status: got.status, json: await got.json() }))
      return [status, (json as { code: string }).code]
    }),
  )
  expect(codes).toEqual([
    [404, 'dispute.not_found'],
    [404, 'dispute.not_found'],
    [404, 'dispute.file_not_found'],
    [404, 'dispute.file_not_found'],
  ])
  const another = await disputed(app, seller, (await paidPix(app, seller)).id)
  expect((await download(file.id, seller.token, another.id)).status).toBe(404)
  expect((await download('x', seller.token)).status).toBe(400)
})

test('administrators see every dispute, with whose it is and its defence', async () => {
  const listed = await app.api.get(`admin/disputes?status=under_review&sellerId=${seller.id}`, { token: admin })
  expect(listed.body.data).toMatchObject([
    { id: disputeId, sellerEmail: seller.email, defense: { files: [{ id: file.id }] } },
  ])
  expect((await app.api.get(`admin/disputes/${disputeId}`, { token: admin })).body).toEqual(listed.body.data[0])
  const missing = await app.api.get(`admin/disputes/${app.services.newId()}`, { token: admin })
  expect([missing.status, missing.body.code]).toEqual([404, 'dispute.not_found'])
  expect((await app.api.get('admin/disputes/x', { token: admin })).status).toBe(400)
  expect((await app.api.get('admin/disputes?status=new', { token: admin })).status).toBe(400)
  expect((await app.api.get('admin/disputes', { token: seller.token })).status).toBe(403)
  expect((await app.api.get(`admin/disputes/${disputeId}`, { token: seller.token })).status).toBe(403)
  expect((await app.api.get('admin/disputes')).status).toBe(401)
})
