import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { waitingForLocks } from '../../support/barrier.ts'
import { adminToken, registerSeller } from '../../support/factories.ts'
import { createPayment, sellingSeller } from '../../support/payments.ts'
import { until } from '../../support/until.ts'

let app: TestApp
let admin: string

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
})

afterAll(() => app.close())

const createFee = async (extra: Record<string, unknown> = {}) => {
  const seller = await registerSeller(app)
  const body = { sellerId: seller.id, method: 'credit_card', percentage: 4, fixedAmount: 49, ...extra }
  const answer = await app.api.post('fees', { token: admin, body })
  expect(answer.status).toBe(201)
  return answer.body
}

const update = (id: string, body: unknown) => app.api.put(`fees/${id}`, { token: admin, body })

const use = async (id: string) => {
  await app.services.transact(async (tx) => {
    const fee = await tx.fees.find(id)
    await tx.fees.updateUsed(fee ? [fee] : [], app.clock.now())
  })
}

const stored = async (id: string) => (await app.api.get(`admin/fees/${id}`, { token: admin })).body

test('200: a fee that nobody has paid yet is changed in place', async () => {
  const fee = await createFee()
  const { status, body } = await update(fee.id, { percentage: 3.5, installmentsTo: 6 })
  expect(status).toBe(200)
  expect(body).toEqual({ ...fee, percentage: 3.5, installmentsTo: 6, updatedAt: body.updatedAt })
  expect(await stored(fee.id)).toEqual(body)
})

test('200: a used fee is closed as it stood and a new version takes its place', async () => {
  const fee = await createFee()
  await use(fee.id)
  const { status, body } = await update(fee.id, { fixedAmount: 59, minAmount: 100 })
  expect(status).toBe(200)
  expect(body).toMatchObject({ sellerId: fee.sellerId, percentage: 4, fixedAmount: 59, minAmount: 100, isActive: true })
  expect(body.id).not.toBe(fee.id)
  expect(await stored(fee.id)).toMatchObject({ fixedAmount: 49, minAmount: null, isActive: false })
  const { rows } = await app.sql.query('select before, after from audit_log where target_id = $1 order by id desc', [
    fee.id,
  ])
  expect(rows[0]).toMatchObject({ before: { fixedAmount: 49 }, after: { fixedAmount: 59, id: body.id } })
})

test('a payment that is made while its fee is changed in place is charged what that fee says then', async () => {
  const seller = await sellingSeller(app)
  const body = { sellerId: seller.id, method: 'pix', percentage: 4, fixedAmount: 0 }
  const fee = (await app.api.post('fees', { token: admin, body })).body
  const holder = await app.sql.connect()
  await holder.query('begin')
  await holder.query('select from fees where id = $1 for update', [fee.id])
  const changing = update(fee.id, { percentage: 2 })
  await until('the change waits', async () => (await waitingForLocks(app)) === 1)
  const paying = createPayment(app, seller)
  await until('the payment has read its fee and waits', async () => (await waitingForLocks(app)) === 2)
  await holder.query('commit')
  holder.release()
  expect((await changing).body).toMatchObject({ id: fee.id, percentage: 2 })
  const { id } = await paying
  const { rows } = await app.sql.query('select fee_id, fee_percentage_bps from payments where id = $1', [id])
  expect(rows).toEqual([{ fee_id: fee.id, fee_percentage_bps: 200 }])
  expect(await stored(fee.id)).toMatchObject({ percentage: 2, isActive: true })
})

test('200: the whole fee may be sent back as it was read', async () => {
  const fee = await createFee()
  const { id, createdAt, updatedAt, ...same } = fee
  await use(id)
  const { status, body } = await update(id, same)
  expect(status).toBe(200)
  expect(body).toEqual({ ...same, id, createdAt, updatedAt })
})

test('200: a fee is closed, and its band is free for another', async () => {
  const [fresh, used] = [await createFee(), await createFee()]
  await use(used.id)
  for (const fee of [fresh, used]) {
    const { status, body } = await update(fee.id, { isActive: false })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id: fee.id, isActive: false })
    const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, isActive: _isActive, ...again } = fee
    expect((await app.api.post('fees', { token: admin, body: again })).status).toBe(201)
  }
})

test('200: two changes of a used fee at the same moment leave one version in force', async () => {
  const fee = await createFee()
  await use(fee.id)
  const answers = await Promise.all([1, 2, 3, 4].map((percentage) => update(fee.id, { percentage: percentage + 0.5 })))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  const { rows } = await app.sql.query('select id from fees where seller_id = $1 and is_active', [fee.sellerId])
  expect(rows).toHaveLength(1)
})

test('409: a closed version is never changed again', async () => {
  const fee = await createFee()
  await update(fee.id, { isActive: false })
  const { status, body } = await update(fee.id, { percentage: 1 })
  expect(status).toBe(409)
  expect(body.code).toBe('fee.closed')
})

test('409: a wider band does not swallow another fee', async () => {
  const fee = await createFee({ installmentsFrom: 1, installmentsTo: 6 })
  const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, isActive: _isActive, ...same } = fee
  await app.api.post('fees', { token: admin, body: { ...same, installmentsFrom: 7, installmentsTo: 12 } })
  const { status, body } = await update(fee.id, { installmentsTo: 7 })
  expect(status).toBe(409)
  expect(body.code).toBe('fee.overlaps')
})

test('422: a fee keeps its method and its seller', async () => {
  const fee = await createFee()
  for (const scope of [{ method: 'pix' }, { sellerId: null }]) {
    const { status, body } = await update(fee.id, scope)
    expect(status).toBe(422)
    expect(body.code).toBe('fee.scope_fixed')
  }
})

test('400: a change that does not fit what is stored', async () => {
  const fee = await createFee({ installmentsFrom: 4, installmentsTo: 6, minAmount: 50 })
  for (const change of [{ installmentsTo: 3 }, { maxAmount: 49 }, { percentage: -1 }, { createdAt: 'now' }]) {
    const { status, body } = await update(fee.id, change)
    expect(status).toBe(400)
    expect(body.errors).toHaveLength(1)
  }
  const seller = await registerSeller(app)
  const pix = await app.api.post('fees', { token: admin, body: { sellerId: seller.id, method: 'pix', percentage: 1 } })
  expect((await update(pix.body.id, { installmentsTo: 2 })).status).toBe(400)
})

test('404: no fee, neither to change nor to see', async () => {
  const id = app.services.newId()
  expect((await update(id, { percentage: 1 })).body.code).toBe('fee.not_found')
  expect((await app.api.get(`admin/fees/${id}`, { token: admin })).body.code).toBe('fee.not_found')
})

test('401 and 403: only administrators change fees', async () => {
  const seller = await registerSeller(app)
  const fee = await createFee()
  expect((await app.api.put(`fees/${fee.id}`, { body: {} })).status).toBe(401)
  expect((await app.api.put(`fees/${fee.id}`, { body: {}, token: seller.token })).status).toBe(403)
  expect((await app.api.get(`admin/fees/${fee.id}`, { token: seller.token })).status).toBe(403)
})
