import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '../../../src/db/client.ts'
import { centavos } from '../../../src/domain/money.ts'
import { reserveHeld } from '../../../src/domain/transfers.ts'
import { proveLedger } from '../../../src/ledger/ledger-proof.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import type { Seller } from '../../support/factories.ts'
import { availableAndReserved, releaseEventsOf, sellerWithHolds } from '../../support/reserves.ts'

const DAY_MS = 86_400_000

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})

afterAll(async () => {
  expect(await proveLedger(createDatabase(app.sql))).toEqual([])
  await app.close()
})

const newId = () => app.services.newId()

const withHolds = (days: number, count = 1) => sellerWithHolds(app, days, count)

const balanceOf = (seller: Seller) => availableAndReserved(app, seller)

const releasedEvents = (seller: Seller) => releaseEventsOf(app, seller)

const only = <Row>(rows: readonly Row[]): Row => {
  const [row] = rows
  if (row === undefined || rows.length > 1) throw new Error(`expected one row, found ${rows.length}`)
  return row
}

const advance = (days: number) => app.clock.setOffsetMs(app.clock.offsetMs() + days * DAY_MS)

const runAll = async (): Promise<number> => {
  let total = 0
  for (let done = -1; done !== 0; total += done) done = await app.services.jobs.releaseReserves.runOnce()
  return total
}

test('a hold is released when its time has come, and not a moment before', async () => {
  const { seller, holds } = await withHolds(30)
  const hold = only(holds)
  expect(await balanceOf(seller)).toEqual([8_911, 990])
  app.clock.setOffsetMs(hold.releaseAt.getTime() - Date.now() - 60_000)
  expect(await runAll()).toBe(0)
  expect(await balanceOf(seller)).toEqual([8_911, 990])
  app.clock.setOffsetMs(hold.releaseAt.getTime() - Date.now())
  expect(await runAll()).toBe(1)
  expect(await balanceOf(seller)).toEqual([9_901, 0])
  const stored = await app.services.read.reserveHolds.find(seller.id, hold.id)
  expect(stored).toMatchObject({ status: 'released', releasedAmount: 990, consumedAmount: 0 })
  const event = only(await releasedEvents(seller))
  expect(event).toMatchObject({
    id: hold.id,
    paymentId: hold.paymentId,
    amount: 990,
    releasedAmount: 990,
    remainingAmount: 0,
    status: 'released',
    reason: 'due',
    releaseAt: hold.releaseAt.toISOString(),
  })
})

test('running again releases nothing again', async () => {
  const { seller } = await withHolds(1)
  advance(2)
  expect(await runAll()).toBe(1)
  expect(await runAll()).toBe(0)
  expect(await releasedEvents(seller)).toHaveLength(1)
})

test('many processes at once release each hold once', async () => {
  const { seller } = await withHolds(1, 450)
  advance(2)
  const counts = await Promise.all(Array.from({ length: 6 }, runAll))
  expect(counts.reduce((total, count) => total + count, 0)).toBe(450)
  expect(await balanceOf(seller)).toEqual([450 * 9_901, 0])
  expect(await releasedEvents(seller)).toHaveLength(450)
})

test('a hold that another process is working on is left to it, and holds up no other', async () => {
  const { seller, holds } = await withHolds(1, 3)
  advance(2)
  const holder = await app.sql.connect()
  await holder.query('begin')
  await holder.query('select from reserve_holds where id = $1 for update', [holds[0]?.id])
  expect(await runAll()).toBe(2)
  await holder.query('rollback')
  holder.release()
  expect(await runAll()).toBe(1)
  expect(await balanceOf(seller)).toEqual([3 * 9_901, 0])
})

test('what a refund took out of a hold is not released', async () => {
  const { seller, holds } = await withHolds(1)
  const hold = only(holds)
  await app.services.transact(async (tx) => {
    expect(await tx.reserveHolds.consume(seller.id, hold.id, centavos(400), app.clock.now())).toBe(true)
    await tx.ledger.post(
      [
        {
          ...reserveHeld({ sellerId: seller.id, holdId: newId(), method: 'pix', amount: centavos(400) }),
          kind: 'refund_requested',
          referenceType: 'refund',
          postings: [
            { account: 'reserved', amount: centavos(-400) },
            { account: 'clearing', amount: centavos(400) },
          ],
        },
      ],
      app.clock.now(),
    )
  })
  advance(2)
  expect(await runAll()).toBe(1)
  expect(await balanceOf(seller)).toEqual([8_911 + 590, 0])
  expect(only(await releasedEvents(seller))).toMatchObject({ amount: 990, releasedAmount: 590, consumedAmount: 400 })
})

test('a hold gives no more than it has, and nothing once it is used up or released', async () => {
  const { seller, holds } = await withHolds(1, 2)
  const [first, second] = holds
  const consume = (id: string | undefined, amount: number) =>
    app.services.transact((tx) => tx.reserveHolds.consume(seller.id, id ?? '', centavos(amount), app.clock.now()))
  expect(await consume(first?.id, 991)).toBe(false)
  const taken = await Promise.all(Array.from({ length: 10 }, () => consume(first?.id, 198)))
  expect(taken.filter(Boolean)).toHaveLength(5)
  expect(await app.services.read.reserveHolds.find(seller.id, first?.id ?? '')).toMatchObject({ status: 'consumed' })
  expect(await consume(first?.id, 1)).toBe(false)
  const refund = reserveHeld({ sellerId: seller.id, holdId: newId(), method: 'pix', amount: centavos(990) })
  await app.services.transact((tx) =>
    tx.ledger.post(
      [
        {
          ...refund,
          kind: 'refund_failed',
          postings: refund.postings.map(({ account, amount }) => ({ account, amount: centavos(-amount) })),
        },
      ],
      app.clock.now(),
    ),
  )
  advance(2)
  expect(await runAll()).toBe(1)
  expect(await consume(second?.id, 1)).toBe(false)
})

test('a frozen hold waits for its dispute, however late', async () => {
  const { seller, holds } = await withHolds(1)
  const hold = only(holds)
  const move = (from: 'held' | 'frozen', to: 'held' | 'frozen') =>
    app.services.transact((tx) => tx.reserveHolds.move(hold, from, to, app.clock.now()))
  expect(await move('held', 'frozen')).toBe(true)
  expect(await move('held', 'frozen')).toBe(false)
  advance(5)
  expect(await runAll()).toBe(0)
  expect(await balanceOf(seller)).toEqual([8_911, 990])
  expect(await move('frozen', 'held')).toBe(true)
  expect(await runAll()).toBe(1)
  expect(await balanceOf(seller)).toEqual([9_901, 0])
})

test('a released hold goes nowhere else: asking for it is a fault of ours', async () => {
  const { holds } = await withHolds(1)
  await expect(
    app.services.transact((tx) => tx.reserveHolds.move(only(holds), 'released', 'held', app.clock.now())),
  ).rejects.toThrow('does not go from released')
})

test('the holds of a payment are read in the order in which they are drawn', async () => {
  const { seller, holds } = await withHolds(1)
  const hold = only(holds)
  const later = { ...hold, id: newId(), releaseAt: new Date(hold.releaseAt.getTime() + DAY_MS) }
  const listed = await app.services.transact(async (tx) => {
    await tx.reserveHolds.insert([later])
    await tx.ledger.post(
      [reserveHeld({ sellerId: seller.id, holdId: later.id, method: later.method, amount: later.amount })],
      app.clock.now(),
    )
    return tx.reserveHolds.lockByPayment(seller.id, hold.paymentId)
  })
  expect(listed.map(({ id }) => id)).toEqual([later.id, hold.id])
  expect(await app.services.read.reserveHolds.listByPayment(seller.id, hold.paymentId)).toEqual(listed)
  advance(3)
  await runAll()
  const after = await app.services.read.reserveHolds.listByPayment(seller.id, hold.paymentId)
  expect(after.map(({ status }) => status)).toEqual(['released', 'released'])
})
