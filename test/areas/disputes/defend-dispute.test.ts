import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { documentForm } from '../../support/company.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import { sellingSeller } from '../../support/payments.ts'
import { disputed, findings, paidPix, resolve, runJobs } from '../../support/refunds.ts'

const DAY_MS = 86_400_000
const TEXT = 'O pedido foi entregue em 12/11, com assinatura.'

let app: TestApp
let seller: Seller

beforeAll(async () => {
  app = await startTestApp()
  seller = await sellingSeller(app)
})

afterAll(async () => {
  expect(await findings(app)).toStrictEqual([])
  await app.close()
})

const openOne = async () => (await disputed(app, seller, (await paidPix(app, seller)).id)) as { id: string }

const defend = (id: string, body: unknown = { text: TEXT }, token: string | undefined = seller.token) =>
  app.api.post(`disputes/${id}/defense`, { token, body })

// The forms of companies' documents have the files that are taken, and a type for each.
const formOf = (texts: readonly string[], files: number): FormData => {
  const file = documentForm().get('file')
  const form = new FormData()
  for (const text of texts) form.append('text', text)
  for (let at = 0; at < files; at += 1) form.append('file', file as File, `nota-${at}.pdf`)
  return form
}

const toldOf = async (id: string) => {
  const { rows } = await app.sql.query('select defense_told_at, defense_refusal from disputes where id = $1', [id])
  return { told: rows[0].defense_told_at !== null, refusal: rows[0].defense_refusal }
}

test('200: a text as JSON puts the dispute under review, and the provider is told', async () => {
  const { id } = await openOne()
  const { status, body } = await defend(id)
  expect(status).toBe(200)
  expect(body).toMatchObject({ id, status: 'under_review', defense: { text: TEXT, files: [], refusal: null } })
  expect(await toldOf(id)).toEqual({ told: false, refusal: null })
  await runJobs(app, ['sendDefenses'])
  expect(await toldOf(id)).toEqual({ told: true, refusal: null })
  expect(await app.services.jobs.sendDefenses.runOnce()).toBe(0)
  await resolve(app, seller, id, 'won')
  expect((await app.api.get(`disputes/${id}`, { token: seller.token })).body).toMatchObject({
    status: 'won',
    defense: { text: TEXT },
  })
})

test('200: a form brings up to five files with it', async () => {
  const { id } = await openOne()
  const { status, body } = await defend(id, formOf([TEXT], 5))
  expect(status).toBe(200)
  expect(body.defense.files).toHaveLength(5)
  expect(body.defense.files[0]).toMatchObject({ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect((await app.api.get(`disputes/${id}`, { token: seller.token })).body.defense).toEqual(body.defense)
  await runJobs(app, ['sendDefenses'])
  expect((await toldOf(id)).told).toBe(true)
})

test('a defence that the provider does not take is told once, with its reason', async () => {
  const { id } = await openOne()
  await defend(id)
  await app.sql.query("update sandbox_records set status = 'lost' where kind = 'dispute' and status = 'open'")
  await runJobs(app, ['sendDefenses'])
  expect(await toldOf(id)).toEqual({ told: true, refusal: 'dispute_not_open' })
  expect((await app.api.get(`disputes/${id}`, { token: seller.token })).body.defense.refusal).toBe('dispute_not_open')
})

test.each([
  [{}],
  [{ text: '' }],
  [{ text: '   ' }],
  [{ text: 5 }],
  [{ text: 'a'.repeat(5_001) }],
  [{ text: 'a', b: 'c' }],
  [[]],
])('400: a body of %j', async (given) => {
  const { id } = await openOne()
  const { status, body } = await defend(id, given)
  expect([status, body.code]).toEqual([400, 'validation.failed'])
})

test('400 and 415: forms without a text, with two, with broken ones or card numbers, and with files that are none', async () => {
  const { id } = await openOne()
  expect((await defend(id, formOf([], 1))).status).toBe(400)
  expect((await defend(id, formOf(['a', 'b'], 1))).status).toBe(400)
  expect((await defend(id, formOf(['a\u0000b'], 0))).body.errors).toMatchObject([
    { path: 'text', code: 'invalid_text' },
  ])
  const card = await defend(id, formOf(['Cartão 4111 1111 1111 1111'], 0))
  expect(card.body.errors).toMatchObject([{ path: 'text', code: 'card_number' }])
  const form = formOf([TEXT], 0)
  form.append('file', new Blob(['MZ this is a program']), 'nota.pdf')
  const { status, body } = await defend(id, form)
  expect([status, body.code]).toEqual([415, 'document.type_not_supported'])
  expect((await app.api.get(`disputes/${id}`, { token: seller.token })).body.status).toBe('open')
})

test('413: more than five files', async () => {
  const { id } = await openOne()
  expect((await defend(id, formOf([TEXT], 6))).status).toBe(413)
})

test('401, 403 and 404: only the seller answers', async () => {
  const { id } = await openOne()
  expect((await app.api.post(`disputes/${id}/defense`, { body: { text: TEXT } })).status).toBe(401)
  expect((await defend(id, { text: TEXT }, await adminToken(app))).status).toBe(403)
  const foreign = await defend(id, { text: TEXT }, (await sellingSeller(app)).token)
  expect([foreign.status, foreign.body.code]).toEqual([404, 'dispute.not_found'])
})

test('409: a second defence, also at the same moment, and one after the end', async () => {
  const { id } = await openOne()
  const answers = await Promise.all([defend(id), defend(id), defend(id)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  expect((await defend(id)).body.code).toBe('dispute.not_open')
  const ended = await openOne()
  await resolve(app, seller, ended.id, 'lost')
  expect((await defend(ended.id)).body.code).toBe('dispute.not_open')
})

test('409: a defence after its time, whether or not the clock has ended the dispute', async () => {
  const { id } = await openOne()
  app.clock.setOffsetMs(app.clock.offsetMs() + 8 * DAY_MS)
  const { status, body } = await defend(id)
  expect([status, body.code]).toEqual([409, 'dispute.defense_too_late'])
  await runJobs(app, ['loseUnansweredDisputes'])
  expect((await defend(id)).body.code).toBe('dispute.not_open')
})
