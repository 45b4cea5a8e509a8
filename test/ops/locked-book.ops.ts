import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDatabase } from '../../src/db/client.ts'
import { proveLedger } from '../../src/ledger/ledger-proof.ts'
import { type Answer, startTestApp, type TestApp } from '../support/app.ts'
import { customerBody } from '../support/customers.ts'
import type { Seller } from '../support/factories.ts'
import { createPayment, getPayment, pay, postPayment, sellingSeller, setReserve } from '../support/payments.ts'
import { runJobs } from '../support/refunds.ts'
import { until } from '../support/until.ts'

/** What others may notice of it once: one wait for the lock, and the batch taken apart. */
const NOTICED_MS = 3_500
const OTHERS = 8

let app: TestApp
let locked: Seller
let others: Seller[]
/** A session that somebody left open. */
let idle: Client

beforeAll(async () => {
  app = await startTestApp()
  locked = await sellingSeller(app)
  others = await Promise.all(Array.from({ length: OTHERS }, () => sellingSeller(app)))
})
beforeEach(async () => {
  idle = new Client({ connectionString: app.config.databaseUrl })
  await idle.connect()
  return () => idle.end()
})
afterAll(() => app.close())

const hold = async (rows: string): Promise<void> => {
  await idle.query('begin')
  await idle.query(`select from ${rows} for update`)
}

const timed = async (work: Promise<Answer>) => {
  const begunMs = performance.now()
  const { status, headers } = await work
  return { status, retryAfter: headers.get('retry-after'), ms: performance.now() - begunMs }
}

const statusOf = async (seller: Seller, id: string): Promise<string> => (await getPayment(app, seller, id)).status

test('payments of others are confirmed while one book is locked, and its own once it is free', async () => {
  const sellers = [locked, ...others]
  const made = await Promise.all(sellers.map(async (seller) => ({ seller, ...(await createPayment(app, seller)) })))
  await hold(`ledger_accounts where seller_id = '${locked.id}'`)
  const begunMs = performance.now()
  await Promise.all(made.map(({ seller, id }) => pay(app, seller, id)))
  const [ofLocked, ...ofOthers] = made
  await until('all others are paid', async () => {
    const statuses = await Promise.all(ofOthers.map(({ seller, id }) => statusOf(seller, id)))
    return statuses.every((status) => status === 'paid')
  })
  expect(performance.now() - begunMs).toBeLessThan(NOTICED_MS)
  expect(await statusOf(locked, ofLocked?.id)).toBe('pending')

  await until('the book is known to be held', () => app.services.heldBooks.has(locked.id))
  // From then on nobody waits at all.
  const again = await Promise.all(sellers.map(async (seller) => ({ seller, ...(await createPayment(app, seller)) })))
  await Promise.all(again.map(({ seller, id }) => pay(app, seller, id)))
  await app.services.providerEvents.idle()
  expect(await Promise.all(again.map(({ seller, id }) => statusOf(seller, id)))).toEqual([
    'pending',
    ...ofOthers.map(() => 'paid'),
  ])

  await idle.query('rollback')
  await until('its own are paid too', async () => {
    app.clock.setOffsetMs(app.clock.offsetMs() + 60_000)
    await runJobs(app, ['processProviderEvents'])
    return (await statusOf(locked, ofLocked?.id)) === 'paid' && (await statusOf(locked, again[0]?.id)) === 'paid'
  })
  expect(await proveLedger(createDatabase(app.sql))).toEqual([])
})

test('503: payments of the one are refused for now, those of others are made', async () => {
  const { body: customer } = await app.api.post('customers', { token: locked.token, body: customerBody() })
  const post = (seller: Seller) => timed(postPayment(app, seller, seller === locked ? { customerId: customer.id } : {}))
  await hold(`customers where id = '${customer.id}'`)
  const [ofLocked, ...ofOthers] = await Promise.all([locked, ...others].map(post))
  expect(ofLocked).toMatchObject({ status: 503, retryAfter: '1' })
  expect(ofOthers.map(({ status }) => status)).toEqual(others.map(() => 201))
  expect(Math.max(...ofOthers.map(({ ms }) => ms))).toBeLessThan(NOTICED_MS)
  // While it is known, the others share no batch with it.
  const [, ...next] = await Promise.all([locked, ...others].map(post))
  expect(next.map(({ status }) => status)).toEqual(others.map(() => 201))
  expect(Math.max(...next.map(({ ms }) => ms))).toBeLessThan(NOTICED_MS)
  await idle.query('rollback')
  expect((await post(locked)).status).toBe(201)
})

test('reserves of others come free while one book is locked', async () => {
  // One that is not known to be held from before.
  const busy = await sellingSeller(app)
  const sellers = [busy, ...others]
  for (const seller of sellers) await setReserve(app, seller, 1_000, 1)
  const made = await Promise.all(sellers.map(async (seller) => ({ seller, ...(await createPayment(app, seller)) })))
  await Promise.all(made.map(({ seller, id }) => pay(app, seller, id)))
  await app.services.providerEvents.idle()
  app.clock.setOffsetMs(app.clock.offsetMs() + 3 * 86_400_000)
  await hold(`ledger_accounts where seller_id = '${busy.id}'`)
  await runJobs(app, ['releaseReserves'])
  const { rows } = await app.sql.query(`select seller_id, status from reserve_holds where status = 'held'`)
  expect(rows.map(({ seller_id }) => seller_id)).toEqual([busy.id])
})
