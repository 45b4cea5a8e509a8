import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPool } from '../../src/db/client.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { adminToken, approvedSeller, registerSeller, type Seller } from '../support/factories.ts'
import { createPayment, getPayment, pay, postPayment, sellingSeller } from '../support/payments.ts'
import { postRefund } from '../support/refunds.ts'
import { earn, request } from '../support/withdrawals.ts'

// A copy that never hears of anything: whoever reads there sees a platform on which nothing has happened.
let copy: TestDatabase
let app: TestApp
let questions = 0

beforeAll(async () => {
  copy = await createTestDatabase()
  app = await startTestApp({ DATABASE_REPLICA_URL: copy.url })
  app.replica?.on('acquire', () => {
    questions += 1
  })
})

afterAll(async () => {
  await app?.close()
  await copy?.drop()
})

/** What some work asked of the copy. */
const questionsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = questions
  await work()
  return questions - before
}

const seen = async ({ token }: Pick<Seller, 'token'>, path: string) => (await app.api.get(path, { token })).body

test('what a seller has done is there at once, and the copy is not asked', async () => {
  const asked = await questionsOf(async () => {
    const seller = await sellingSeller(app)
    const { id } = await createPayment(app, seller)
    expect((await getPayment(app, seller, id)).status).toBe('pending')
    await pay(app, seller, id)
    expect((await getPayment(app, seller, id)).status).toBe('paid')
    expect((await seen(seller, 'payments?status=paid')).totalRecords).toBe(1)
    expect((await seen(seller, 'balance')).totalAmount).toBeGreaterThan(0)
    expect((await seen(seller, 'events')).data.length).toBeGreaterThan(0)
  })
  expect(asked).toBe(0)
})

test('money is decided about by what is true: payments, repeats, refunds and withdrawals', async () => {
  const asked = await questionsOf(async () => {
    const seller = await sellingSeller(app)
    const first = await postPayment(app, seller, {}, { key: 'once' })
    expect((await postPayment(app, seller, {}, { key: 'once' })).body.id).toBe(first.body.id)
    await pay(app, seller, first.body.id)
    await earn(app, seller.id, 20_000)
    const refund = (amount: number) => postRefund(app, seller, first.body.id, { amount })
    expect((await refund(4_000)).status).toBe(201)
    expect((await refund(6_001)).status).toBe(422)
    const { availableAmount } = await seen(seller, 'balance')
    expect((await request(app, seller, { amount: availableAmount + 1 })).body.code).toBe('balance.insufficient')
    expect((await request(app, seller, { amount: 15_000 })).status).toBe(201)
    expect((await seen(seller, 'balance')).withdrawingAmount).toBe(15_000)
    expect((await request(app, seller, { amount: 15_000 })).body.code).toBe('balance.insufficient')
  })
  expect(asked).toBe(0)
})

test('who may do what is decided by what is true: approvals, roles and ended sessions', async () => {
  const asked = await questionsOf(async () => {
    expect((await postPayment(app, await registerSeller(app))).body.code).toBe('seller.not_approved')
    const seller = await approvedSeller(app)
    expect((await postPayment(app, seller)).status).toBe(201)
    await app.sql.query('update sessions set revoked_at = now() where user_id = $1', [seller.id])
    await expect.poll(async () => (await postPayment(app, seller)).status, { timeout: 5_000 }).toBe(401)
  })
  expect(asked).toBe(0)
})

test('200: a dashboard shows the figures of the copy beside the balance that is true', async () => {
  const seller = await sellingSeller(app)
  const { id } = await createPayment(app, seller)
  await pay(app, seller, id)
  const summary = await seen(seller, 'dashboard/summary')
  expect(summary.balance.totalAmount).toBeGreaterThan(0)
  expect(JSON.stringify({ ...summary, balance: undefined })).not.toContain('10000')
  expect((await seen(seller, 'transactions')).totalRecords).toBe(0)
})

const READ_FROM_THE_COPY = [
  '/api/v1/admin/billing',
  '/api/v1/admin/dashboard',
  '/api/v1/admin/journal',
  '/api/v1/admin/revenue',
  '/api/v1/admin/transactions',
  '/api/v1/admin/transactions/total',
  '/api/v1/dashboard/summary',
  '/api/v1/transactions',
  '/api/v1/transactions/:id',
]

test('of all operations that read, these and no others ask the copy', async () => {
  const seller = await sellingSeller(app)
  const tokens = { admin: await adminToken(app), seller: seller.token }
  const asking: string[] = []
  for (const line of app.app.accessTable) {
    const [method, path = '', access = ''] = line.split(' ')
    if (method !== 'GET' || access === 'public' || path.endsWith('/stream')) continue
    const token = access.includes('seller') ? tokens.seller : tokens.admin
    const url = path.replace(/:\w+/g, app.services.newId())
    const asked = await questionsOf(async () => expect((await app.api.get(url, { token })).status, path).not.toBe(400))
    if (asked > 0) asking.push(path)
  }
  expect(asking).toEqual(READ_FROM_THE_COPY)
})

test('503: while the copy is away its figures are, and nothing else', async () => {
  const lonely = await startTestApp({ DATABASE_REPLICA_URL: 'postgres://nobody@127.0.0.1:1/nothing' })
  try {
    const seller = await sellingSeller(lonely)
    const { id } = await createPayment(lonely, seller)
    expect((await getPayment(lonely, seller, id)).status).toBe('pending')
    expect((await lonely.api.get('balance', { token: seller.token })).status).toBe(200)
    for (const path of ['transactions', 'dashboard/summary']) {
      const { status, body } = await lonely.api.get(path, { token: seller.token })
      expect([status, body.code]).toEqual([503, 'server.unavailable'])
    }
  } finally {
    await lonely.close()
  }
})

test('503: a read that the copy ends each time is given up after three attempts, and may come again', async () => {
  const given = await createTestDatabase()
  const impatient = await startTestApp({ DATABASE_REPLICA_URL: given.url })
  const conflict = createPool({ url: given.url, max: 1, onError: () => undefined })
  try {
    // As a standby answers what keeps it from replaying a change.
    await conflict.query(`
      create sequence attempts;
      create function conflict() returns boolean language plpgsql as $$ begin
        perform nextval('attempts');
        raise 'canceling statement due to conflict with recovery' using errcode = '40001';
      end $$;
      alter table daily_totals rename to totals_that_conflict;
      create view daily_totals as select kept.* from (select conflict()) as asked left join totals_that_conflict as kept on true`)
    const seller = await registerSeller(impatient)
    const answer = await impatient.api.get('transactions', { token: seller.token })
    expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([
      503,
      'server.unavailable',
      '1',
    ])
    expect((await conflict.query('select last_value::int from attempts')).rows).toEqual([{ last_value: 3 }])
  } finally {
    await impatient.close()
    await conflict.end()
    await given.drop()
  }
})
