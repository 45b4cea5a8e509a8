import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { race } from '../../support/barrier.ts'
import { adminToken, approveCompany, createCompany, registerSeller, type Seller } from '../../support/factories.ts'

let app: TestApp
let admin: string

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
})
afterAll(async () => {
  await app.close()
})

const REASON = 'The identity card is not readable.'
const MISSING = '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00'

const decide = (id: string, verb: string, body: unknown = { reason: REASON }, token = admin) =>
  app.api.post(`admin/enterprises/${id}/${verb}`, { token, body })

const isApproved = async ({ id, token }: Seller) => (await app.api.get(`users/${id}`, { token })).body.approved

/** Brings a new company of a seller into a state. */
const companyIn = async (seller: Seller, state: string): Promise<string> => {
  const { id } = await createCompany(app, seller, { draft: state === 'draft' })
  if (state === 'approved' || state === 'suspended') await approveCompany(app, id)
  const verb = { rejected: 'reject', changes_requested: 'request-changes', suspended: 'suspend' }[state]
  if (verb) expect((await decide(id, verb)).status).toBe(200)
  return id
}

const writtenOf = async (companyId: string) => {
  const audit = await app.sql.query('select action, before, after from audit_log where target_id = $1 order by id', [
    companyId,
  ])
  const events = await app.sql.query<{ type: string; body: string }>('select type, body from events order by id')
  const own = events.rows.filter(({ body }) => JSON.parse(body).data.id === companyId)
  return { audit: audit.rows, events: own.map(({ type, body }) => ({ type, data: JSON.parse(body).data })) }
}

const STATES = ['draft', 'awaiting_approval', 'changes_requested', 'approved', 'rejected', 'suspended']

const DECISIONS = [
  {
    verb: 'reject',
    from: 'awaiting_approval',
    to: 'rejected',
    event: 'company.rejected',
    code: 'company.not_awaiting_approval',
  },
  {
    verb: 'request-changes',
    from: 'awaiting_approval',
    to: 'changes_requested',
    event: 'company.changes_requested',
    code: 'company.not_awaiting_approval',
  },
  { verb: 'suspend', from: 'approved', to: 'suspended', event: 'company.suspended', code: 'company.not_approved' },
  { verb: 'reactivate', from: 'suspended', to: 'approved', event: 'company.approved', code: 'company.not_suspended' },
]

describe.each(DECISIONS)('POST /admin/enterprises/{id}/$verb', ({ verb, from, to, event, code }) => {
  test('200: the state, the reason, the seller, the audit log and the event follow', async () => {
    const seller = await registerSeller(app)
    const id = await companyIn(seller, from)
    const shown = (await app.api.get(`companies/${id}`, { token: seller.token })).body
    const { status, body } = await decide(id, verb)
    expect(status).toBe(200)
    const rejectionReason = to === 'approved' ? null : REASON
    const company = { ...shown, status: to, rejectionReason, updatedAt: body.company.updatedAt }
    expect(body).toEqual({ company })
    expect((await app.api.get(`companies/${id}`, { token: seller.token })).body).toEqual(company)
    expect(await isApproved(seller)).toBe(to === 'approved')
    const { audit, events } = await writtenOf(id)
    expect(audit.at(-1)).toEqual({
      action: `company.${verb.replace('-', '_')}`,
      before: { status: from, rejectionReason: shown.rejectionReason },
      after: { status: to, rejectionReason, reason: REASON },
    })
    expect(events.at(-1)).toMatchObject({
      type: event,
      data: { status: to, rejectionReason, legalRepCpf: '***.982.247-**' },
    })
  })

  test('200 and 409: of two at once one acts', async () => {
    const seller = await registerSeller(app)
    const id = await companyIn(seller, from)
    const before = await writtenOf(id)
    const twice = [() => decide(id, verb), () => decide(id, verb)]
    const answers = await race(app, { table: 'users', id: seller.id }, twice)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const after = await writtenOf(id)
    expect(after.audit.length - before.audit.length).toBe(1)
    expect(after.events.length - before.events.length).toBe(1)
  })

  test.each(STATES.filter((state) => state !== from))('409: a company that is %s', async (state) => {
    const id = await companyIn(await registerSeller(app), state)
    const before = await writtenOf(id)
    const { status, body } = await decide(id, verb)
    expect([status, body.code]).toEqual([409, code])
    expect(await writtenOf(id)).toEqual(before)
  })

  test.each([
    [{}],
    [{ reason: '' }],
    [{ reason: '  ' }],
    [{ reason: 7 }],
    [{ reason: 'x'.repeat(501) }],
    [{ reason: null }],
  ])('400: %j has no reason', async (body) => {
    const answer = await decide(MISSING, verb, body)
    expect([answer.status, answer.body.errors.map(({ path }: { path: string }) => path)]).toEqual([400, ['reason']])
  })

  test('400: a bad id, no body, an unknown field', async () => {
    expect((await decide('nonsense', verb)).body.errors).toMatchObject([{ in: 'params', path: 'id' }])
    expect((await app.api.post(`admin/enterprises/${MISSING}/${verb}`, { token: admin })).status).toBe(400)
    const more = await decide(MISSING, verb, { reason: REASON, status: 'approved' })
    expect(more.body.errors).toMatchObject([{ in: 'body', path: 'status' }])
  })

  test('401, 403 and 404: no token, a seller, no such company', async () => {
    const seller = await registerSeller(app)
    const id = await companyIn(seller, from)
    const path = `admin/enterprises/${id}/${verb}`
    expect((await app.api.post(path, { body: { reason: REASON } })).status).toBe(401)
    expect((await decide(id, verb, { reason: REASON }, seller.token)).status).toBe(403)
    const missing = await decide(MISSING, verb)
    expect([missing.status, missing.body.code]).toEqual([404, 'company.not_found'])
  })
})

test('200: a seller with another approved company stays approved when one is suspended', async () => {
  const seller = await registerSeller(app)
  const ids = [await companyIn(seller, 'approved'), await companyIn(seller, 'approved')]
  await decide(ids[0] ?? '', 'suspend')
  expect(await isApproved(seller)).toBe(true)
  await decide(ids[1] ?? '', 'suspend')
  expect(await isApproved(seller)).toBe(false)
})

test('200: two companies of one seller suspended at once leave the seller unapproved', async () => {
  const seller = await registerSeller(app)
  const ids = [await companyIn(seller, 'approved'), await companyIn(seller, 'approved')]
  const calls = ids.map((id) => () => decide(id, 'suspend'))
  const answers = await race(app, { table: 'users', id: seller.id }, calls)
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(await isApproved(seller)).toBe(false)
})
