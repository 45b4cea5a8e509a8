import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compose } from '../../../src/compose.ts'
import { createDatabase } from '../../../src/db/client.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { waitingForLocks } from '../../support/barrier.ts'
import { callBack, chargeNotification, paidNotification } from '../../support/callbacks.ts'
import type { Seller } from '../../support/factories.ts'
import {
  card,
  createLink,
  linkOf,
  payLink,
  postLinkPayment,
  putLink,
  sellerWithLink,
} from '../../support/payment-links.ts'
import { createPayment, eventsOf, getPayment, pay } from '../../support/payments.ts'
import { until } from '../../support/until.ts'

const HOUR_MS = 3_600_000

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const slotsOf = async (id: string) => {
  const { rows } = await app.sql.query(
    'select reserved_slots, excess_slots, payments_count, paid_amount::int from payment_links where id = $1',
    [id],
  )
  return rows[0]
}

const paid = async (seller: Pick<Seller, 'token'>, id: string) => {
  await pay(app, seller, id)
  await until('it is paid', async () => (await getPayment(app, seller, id)).status === 'paid')
}

const codeOf = async (hash: string, fields = {}): Promise<string | number> => {
  const { status, body } = await postLinkPayment(app, { hash }, fields)
  return status === 201 ? status : body.code
}

/** Another process on the same database. */
const secondProcess = () =>
  compose({
    config: app.config,
    database: createDatabase(app.sql),
    clock: app.clock,
    logger: pino({ level: 'silent' }),
  })

// The link is held while they all arrive, so that they are let go at once.
const rush = async <Result>(linkId: string, calls: readonly (() => Promise<Result>)[], waiting: number) => {
  const holder = await app.sql.connect()
  try {
    await holder.query('begin')
    await holder.query('select 1 from payment_links where id = $1 for update', [linkId])
    const running = Promise.all(calls.map((call) => call()))
    await until('they wait for the link', async () => (await waitingForLocks(app)) >= waiting)
    await holder.query('commit')
    return await running
  } finally {
    holder.release()
  }
}

test('of a hundred payers at once as many get a slot as there are, in several processes', async () => {
  const { link } = await sellerWithLink(app, { maxPayments: 3 })
  const processes = [app.services, secondProcess(), secondProcess()]
  const calls = Array.from({ length: 100 }, (_, index) => async () => {
    const { publicLinks } = processes[index % processes.length] ?? app.services
    return publicLinks.pay(link.hash, { method: 'pix' }, '127.0.0.1').then(
      () => 'taken',
      (error: { code: string }) => error.code,
    )
  })
  const answers = await rush(link.id, calls, processes.length)
  expect(answers.filter((answer) => answer === 'taken')).toHaveLength(3)
  expect(answers.filter((answer) => answer === 'payment_link.slots_taken')).toHaveLength(97)
  expect(await slotsOf(link.id)).toEqual({ reserved_slots: 3, excess_slots: 0, payments_count: 0, paid_amount: 0 })
  const { rows } = await app.sql.query('select count(*)::int from payments where payment_link_id = $1', [link.id])
  expect(rows[0].count).toBe(3)
})

test('the slots of payments that all end and are taken again at once come out right', async () => {
  const { seller, link } = await sellerWithLink(app, { maxPayments: 5 })
  const ids: string[] = []
  for (let made = 0; made < 5; made += 1) ids.push((await payLink(app, link)).id)
  const other = secondProcess()
  const calls = [
    ...ids.map(
      (id) => () => app.api.post(`payments/${id}/cancel`, { token: seller.token }).then(({ status }) => status),
    ),
    ...Array.from(
      { length: 20 },
      () => () =>
        other.publicLinks.pay(link.hash, { method: 'pix' }, '127.0.0.1').then(
          () => 201,
          () => 409,
        ),
    ),
  ]
  const answers = await rush(link.id, calls, 2)
  expect(answers.slice(0, 5)).toEqual([200, 200, 200, 200, 200])
  const taken = answers.slice(5).filter((status) => status === 201).length
  expect(await slotsOf(link.id)).toMatchObject({ reserved_slots: taken, payments_count: 0 })
  for (let left = taken; left < 5; left += 1) expect(await codeOf(link.hash)).toBe(201)
  expect(await codeOf(link.hash)).toBe('payment_link.slots_taken')
})

test('confirmations that come in together are all counted, and the last one completes the link once', async () => {
  const { seller, link } = await sellerWithLink(app, { maxPayments: 10 })
  const ids: string[] = []
  for (let made = 0; made < 10; made += 1) ids.push((await payLink(app, link)).id)
  await Promise.all(ids.map((id) => callBack(app, [paidNotification(id), paidNotification(id)])))
  await until('all are paid', async () => (await linkOf(app, seller, link.id)).paymentsCount === 10)
  expect(await linkOf(app, seller, link.id)).toMatchObject({ status: 'completed', paidAmount: 100_000 })
  expect(await slotsOf(link.id)).toMatchObject({ reserved_slots: 10, excess_slots: 0 })
  const [event, ...more] = await eventsOf(app, seller, 'payment_link.')
  expect([event?.type, event?.data.paymentsCount, more]).toEqual(['payment_link.completed', 10, []])
  expect(await codeOf(link.hash)).toBe('payment_link.completed')
})

test('a declined card gives its slot back, one whose outcome nobody knows keeps it', async () => {
  const { seller, link } = await sellerWithLink(app, { maxPayments: 1 })
  expect((await payLink(app, link, card('tok_0002'))).status).toBe('failed')
  const { id, status } = await payLink(app, link, card('tok_0006'))
  expect(status).toBe('processing')
  expect(await codeOf(link.hash)).toBe('payment_link.slots_taken')
  await app.sql.query(`update payments set created_at = created_at - interval '2 minutes' where id = $1`, [id])
  await app.services.jobs.reconcilePayments.runOnce()
  expect(await linkOf(app, seller, link.id)).toMatchObject({ status: 'completed', paymentsCount: 1 })
})

test('a payment that expires or is canceled gives its slot back, once', async () => {
  const { seller, link } = await sellerWithLink(app, { maxPayments: 2 })
  const first = await payLink(app, link)
  const second = await payLink(app, link)
  expect(await codeOf(link.hash)).toBe('payment_link.slots_taken')
  await app.api.post(`payments/${second.id}/cancel`, { token: seller.token })
  await callBack(app, [chargeNotification(second.id, { status: 'canceled', reason: null })])
  expect(await slotsOf(link.id)).toMatchObject({ reserved_slots: 1 })
  app.clock.setOffsetMs(app.clock.offsetMs() + 2 * HOUR_MS)
  expect(await app.services.jobs.expirePayments.runOnce()).toBeGreaterThan(0)
  expect((await getPayment(app, seller, first.id)).status).toBe('expired')
  expect(await slotsOf(link.id)).toMatchObject({ reserved_slots: 0 })
})

test('a confirmation that comes late counts beyond the limit: the money is there', async () => {
  const { seller, link } = await sellerWithLink(app, { maxPayments: 1 })
  const late = await payLink(app, link)
  await app.api.post(`payments/${late.id}/cancel`, { token: seller.token })
  await paid(seller, (await payLink(app, link)).id)
  expect((await linkOf(app, seller, link.id)).status).toBe('completed')
  await callBack(app, [paidNotification(late.id)])
  expect(await linkOf(app, seller, link.id)).toMatchObject({
    status: 'completed',
    paymentsCount: 2,
    paidAmount: 20_000,
    maxPayments: 1,
  })
  expect(await slotsOf(link.id)).toMatchObject({ reserved_slots: 2, excess_slots: 1 })
  expect(await eventsOf(app, seller, 'payment_link.')).toHaveLength(1)
  // The limit that was passed may stay as it is; a new one must hold all that is there.
  expect((await putLink(app, seller, link, { title: 'Nova' })).status).toBe(200)
  expect((await putLink(app, seller, link, { maxPayments: 3 })).body.status).toBe('active')
  expect(await codeOf(link.hash)).toBe(201)
  expect(await codeOf(link.hash)).toBe('payment_link.slots_taken')
})

test('a refund frees no slot and takes nothing off what was paid', async () => {
  const { seller, link } = await sellerWithLink(app, { maxPayments: 2 })
  const { id } = await payLink(app, link)
  await paid(seller, id)
  // Money for the fee, which a refund does not give back.
  await paid(seller, (await createPayment(app, seller)).id)
  const refund = await app.api.post(`payments/${id}/refunds`, {
    token: seller.token,
    body: {},
    headers: { 'idempotency-key': 'refund-1' },
  })
  expect(refund.status).toBe(201)
  await app.services.jobs.sendRefunds.runOnce()
  await until('it is refunded', async () => (await getPayment(app, seller, id)).status === 'refunded')
  expect(await linkOf(app, seller, link.id)).toMatchObject({ paymentsCount: 1, paidAmount: 10_000 })
  expect(await slotsOf(link.id)).toMatchObject({ reserved_slots: 1 })
})

test('more money than was asked for is counted as it came, less of it not at all', async () => {
  const { seller, link } = await sellerWithLink(app, { maxPayments: 2 })
  const [more, less] = [await payLink(app, link), await payLink(app, link)]
  await callBack(app, [paidNotification(more.id, 10_500), paidNotification(less.id, 9_999)])
  expect(await linkOf(app, seller, link.id)).toMatchObject({ paymentsCount: 1, paidAmount: 10_500, status: 'active' })
  expect(await slotsOf(link.id)).toMatchObject({ reserved_slots: 2 })
  const { body } = await app.api.get(`payment-links/${link.hash}/payments/${less.id}`)
  expect(body).toMatchObject({ status: 'pending', statusReason: 'underpaid' })
})

test('what a batch refuses takes no slot of what it makes', async () => {
  const { seller, link } = await sellerWithLink(app, { maxPayments: 2, amount: null, minAmount: 500 })
  const other = await createLink(app, seller, { maxPayments: 1 })
  const answers = await Promise.all([
    codeOf(link.hash, { amount: 499 }),
    codeOf(link.hash, { amount: 500 }),
    codeOf(other.hash),
    codeOf(other.hash),
    codeOf(link.hash, { amount: 501 }),
    codeOf(link.hash, { amount: 502 }),
  ])
  expect(answers.filter((answer) => answer === 201)).toHaveLength(3)
  expect(await slotsOf(link.id)).toMatchObject({ reserved_slots: 2 })
  expect(await slotsOf(other.id)).toMatchObject({ reserved_slots: 1 })
})

test('without a limit nobody waits for anybody: payments are made while others are counted', async () => {
  const { link } = await sellerWithLink(app)
  const holder = await app.sql.connect()
  await holder.query('begin')
  await holder.query('select 1 from payment_links where id = $1 for no key update', [link.id])
  expect(await codeOf(link.hash)).toBe(201)
  await holder.query('rollback')
  holder.release()
})

test('an edit waits for payments that are being made, so that a new limit counts them', async () => {
  const { seller, link } = await sellerWithLink(app)
  const holder = await app.sql.connect()
  await holder.query('begin')
  await holder.query('select 1 from payment_links where id = $1 for key share', [link.id])
  let isOver = false
  const edited = putLink(app, seller, link, { maxPayments: 1 }).finally(() => {
    isOver = true
  })
  await until('the edit waits', async () => (await waitingForLocks(app)) > 0)
  expect(isOver).toBe(false)
  await holder.query('commit')
  holder.release()
  expect((await edited).status).toBe(200)
})
