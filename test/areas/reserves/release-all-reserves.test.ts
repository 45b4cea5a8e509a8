import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReleaseAllReserves } from '../../../src/areas/reserves/release-reserves.ts'
import { createDatabase } from '../../../src/db/client.ts'
import { reserveReleaseAt } from '../../../src/domain/reserve.ts'
import { reserveHeld } from '../../../src/domain/transfers.ts'
import { proveLedger } from '../../../src/ledger/ledger-proof.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { race } from '../../support/barrier.ts'
import { adminToken, type Seller } from '../../support/factories.ts'
import { paidPix, refunded, reservingSeller } from '../../support/refunds.ts'
import { availableAndReserved, releaseEventsOf, reserveConfigOf, sellerWithHolds } from '../../support/reserves.ts'

let app: TestApp
let admin: string

beforeAll(async () => {
  app = await startTestApp()
  admin = await adminToken(app)
})

afterAll(async () => {
  expect(await proveLedger(createDatabase(app.sql))).toEqual([])
  await app.close()
})

const job = () => app.services.jobs.releaseAllReserves

const runAll = async (): Promise<number> => {
  let total = 0
  for (let done = -1; done !== 0; total += done) done = await job().runOnce()
  return total
}

const balanceOf = (seller: Seller) => availableAndReserved(app, seller)

const pathOf = async (seller: Seller) =>
  `admin/reserve-configs/${(await reserveConfigOf(app, admin, seller)).id}/releases`

const releaseAll = async (seller: Seller, body: object = {}, headers: Record<string, string> = {}) =>
  app.api.post(await pathOf(seller), { token: admin, body, headers })

const releasesOf = async (seller: Seller) => (await app.api.get(await pathOf(seller), { token: admin })).body.data

const holdAgain = async (seller: Seller, paymentId: string) => {
  const now = app.clock.now()
  const id = app.services.newId()
  const [hold] = await app.services.read.reserveHolds.listByPayment(seller.id, paymentId)
  if (hold === undefined) throw new Error('the payment has no hold')
  await app.services.transact(async (tx) => {
    const dates = { heldAt: now, releaseAt: reserveReleaseAt(now, 30), createdAt: now, updatedAt: now }
    await tx.reserveHolds.insert([{ ...hold, ...dates, id, status: 'held', releasedAmount: 0 as never }])
    await tx.ledger.post(
      [reserveHeld({ sellerId: seller.id, holdId: id, method: hold.method, amount: hold.amount })],
      now,
    )
  })
}

test('202: everything is released, some at a time, with an event each, and the configuration deactivated', async () => {
  const { seller } = await sellerWithHolds(app, 30, 450)
  const config = await reserveConfigOf(app, admin, seller)
  const terms = { reservePercentage: 10, reserveDays: 30, isActive: true }
  await app.api.put(`admin/reserve-configs/${config.id}`, { token: admin, body: terms })
  const { status, body } = await releaseAll(seller, { deactivate: true })
  expect(status).toBe(202)
  expect(body).toEqual({
    id: expect.any(String),
    sellerId: seller.id,
    reserveConfigId: config.id,
    requestedBy: expect.any(String),
    status: 'running',
    releasedCount: 0,
    releasedAmount: 0,
    createdAt: expect.stringMatching(/\.\d{3}Z$/),
    updatedAt: body.createdAt,
    completedAt: null,
  })
  expect(await reserveConfigOf(app, admin, seller)).toMatchObject({ ...terms, isActive: false })
  expect(await balanceOf(seller)).toEqual([450 * 8_911, 450 * 990])

  expect(await job().runOnce()).toBe(200)
  expect(await releasesOf(seller)).toEqual([
    { ...body, releasedCount: 200, releasedAmount: 198_000, updatedAt: expect.any(String) },
  ])
  await runAll()
  expect(await balanceOf(seller)).toEqual([450 * 9_901, 0])
  const [done] = await releasesOf(seller)
  expect(done).toMatchObject({ status: 'completed', releasedCount: 450, releasedAmount: 445_500 })
  expect(done.completedAt).toBe(done.updatedAt)
  const events = await releaseEventsOf(app, seller)
  expect(events).toHaveLength(450)
  expect(new Set(events.map(({ reason }) => reason))).toEqual(new Set(['early']))
  const statement = await app.api.get('transactions?type=reserve_released&bucket=available', { token: seller.token })
  expect(statement.body.totalRecords).toBe(450)
  const { rows } = await app.sql.query(`select * from audit_log where action = 'reserve_config.release'`)
  expect(rows.filter(({ target_id }) => target_id === config.id)).toEqual([
    expect.objectContaining({
      seller_id: seller.id,
      before: { isActive: true },
      after: { isActive: false, releaseId: body.id, heldUntil: body.createdAt },
    }),
  ])
})

test('a process that is killed within a batch leaves it undone, and the next goes on', async () => {
  const { seller } = await sellerWithHolds(app, 30, 250)
  await releaseAll(seller)
  expect(await job().runOnce()).toBe(200)
  const killed = createReleaseAllReserves({
    clock: app.clock,
    logger: pino({ level: 'silent' }),
    transact: (work) =>
      app.services.transact(async (tx) => {
        await work(tx)
        throw new Error('killed')
      }),
  })
  await expect(killed.runOnce()).rejects.toThrow('killed')
  expect(await balanceOf(seller)).toEqual([250 * 8_911 + 200 * 990, 50 * 990])
  await runAll()
  expect(await balanceOf(seller)).toEqual([250 * 9_901, 0])
  expect((await releasesOf(seller))[0]).toMatchObject({ status: 'completed', releasedCount: 250 })
  expect(await releaseEventsOf(app, seller)).toHaveLength(250)
})

test('many processes at once, and the nightly release beside them, release each hold once', async () => {
  const { seller } = await sellerWithHolds(app, 1, 450)
  await releaseAll(seller)
  app.clock.setOffsetMs(app.clock.offsetMs() + 2 * 86_400_000)
  const { releaseReserves } = app.services.jobs
  await Promise.all([...Array.from({ length: 4 }, runAll), releaseReserves.runOnce(), releaseReserves.runOnce()])
  await runAll()
  expect(await balanceOf(seller)).toEqual([450 * 9_901, 0])
  expect(await releaseEventsOf(app, seller)).toHaveLength(450)
  expect((await releasesOf(seller))[0].status).toBe('completed')
})

test('202: administrators who ask at the same moment share one release, and each is in the audit log', async () => {
  const { seller } = await sellerWithHolds(app, 30, 3)
  const { id } = await reserveConfigOf(app, admin, seller)
  const answers = await race(
    app,
    { table: 'reserve_configs', id },
    Array.from({ length: 4 }, () => () => releaseAll(seller)),
  )
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  const { rows } = await app.sql.query('select action from audit_log where target_id = $1', [id])
  expect(rows).toHaveLength(4)
  await runAll()
  expect(await balanceOf(seller)).toEqual([3 * 9_901, 0])
})

test('202: asked for again while it runs, a release covers what was held since; what is held later stays', async () => {
  const { seller, holds } = await sellerWithHolds(app, 30)
  const paymentId = holds[0]?.paymentId ?? ''
  const first = await releaseAll(seller)
  app.clock.setOffsetMs(app.clock.offsetMs() + 1_000)
  await holdAgain(seller, paymentId)
  const second = await releaseAll(seller)
  expect(second.body).toMatchObject({ id: first.body.id, createdAt: first.body.createdAt, status: 'running' })
  app.clock.setOffsetMs(app.clock.offsetMs() + 1_000)
  await holdAgain(seller, paymentId)
  await runAll()
  expect((await releasesOf(seller))[0]).toMatchObject({ status: 'completed', releasedCount: 2 })
  expect((await balanceOf(seller))[1]).toBe(990)
  const third = await releaseAll(seller)
  expect(third.body.id).not.toBe(first.body.id)
  await runAll()
  expect((await balanceOf(seller))[1]).toBe(0)
})

test('frozen holds stay, and the release is complete without them', async () => {
  const { seller, holds } = await sellerWithHolds(app, 30, 2)
  const [hold] = holds
  await app.services.transact(async (tx) => {
    if (hold) await tx.reserveHolds.move(hold, 'held', 'frozen', app.clock.now())
  })
  await releaseAll(seller)
  await runAll()
  expect((await balanceOf(seller))[1]).toBe(990)
  expect((await releasesOf(seller))[0]).toMatchObject({ status: 'completed', releasedCount: 1 })
})

test('a hold that somebody works on is left to them, holds up no other seller, and is released in a later round', async () => {
  const [slow, other] = [await sellerWithHolds(app, 30, 2), await sellerWithHolds(app, 30, 2)]
  await releaseAll(slow.seller)
  await releaseAll(other.seller)
  const holder = await app.sql.connect()
  await holder.query('begin')
  await holder.query('select from reserve_holds where id = $1 for update', [slow.holds[0]?.id])
  for (let round = 0; round < 4; round += 1) await job().runOnce()
  expect((await releasesOf(slow.seller))[0]).toMatchObject({ status: 'running', releasedCount: 1 })
  expect((await releasesOf(other.seller))[0]).toMatchObject({ status: 'completed', releasedCount: 2 })
  await holder.query('rollback')
  holder.release()
  await runAll()
  expect((await releasesOf(slow.seller))[0]).toMatchObject({ status: 'completed', releasedCount: 2 })
})

test('a release and refunds at once: each centavo of a hold goes one way', async () => {
  const seller = await reservingSeller(app)
  const payments = await Promise.all(Array.from({ length: 4 }, () => paidPix(app, seller)))
  await releaseAll(seller)
  await Promise.all([...payments.map(({ id }) => refunded(app, seller, id, 1_500)), runAll(), runAll()])
  await runAll()
  expect(await balanceOf(seller)).toEqual([4 * (9_901 - 1_500), 0])
  expect((await releasesOf(seller))[0].status).toBe('completed')
})

test('202: a repeated Idempotency-Key answers with the first release', async () => {
  const { seller } = await sellerWithHolds(app, 30)
  const headers = { 'idempotency-key': app.services.newId() }
  const first = await releaseAll(seller, {}, headers)
  await runAll()
  const second = await releaseAll(seller, {}, headers)
  expect(second.body).toEqual(first.body)
  expect(second.headers.get('idempotency-replayed')).toBe('true')
  expect(await releasesOf(seller)).toHaveLength(1)
})

test('400, 401, 403 and 404', async () => {
  const { seller } = await sellerWithHolds(app, 30)
  const path = await pathOf(seller)
  for (const body of [{ deactivate: 'yes' }, { all: true }]) expect((await releaseAll(seller, body)).status).toBe(400)
  for (const call of [app.api.get, app.api.post]) {
    const options = call === app.api.post ? { body: {} } : {}
    expect((await call(path, options)).status).toBe(401)
    expect((await call(path, { ...options, token: seller.token })).status).toBe(403)
    const missing = `admin/reserve-configs/${app.services.newId()}/releases`
    const answer = await call(missing, { ...options, token: admin })
    expect([answer.status, answer.body.code]).toEqual([404, 'reserve_config.not_found'])
  }
  expect(await runAll()).toBe(0)
  expect(await balanceOf(seller)).toEqual([8_911, 990])
})
