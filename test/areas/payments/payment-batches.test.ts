import { expect, test } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../../support/app.ts'
import { waitingForLocks } from '../../support/barrier.ts'
import { postPayment, sellingSeller } from '../../support/payments.ts'
import { until } from '../../support/until.ts'

/** As many calls wait for their batch before the next one is refused, and as many more are being written. */
const WAITING_MAX = 2_000
const WRITTEN_MAX = 2 * 200

const holdPayments = async (app: TestApp) => {
  const holder = await app.sql.connect()
  await holder.query('begin')
  await holder.query('lock table payments in exclusive mode')
  return async () => {
    await holder.query('commit')
    holder.release()
  }
}

const statusesOf = (answers: readonly Answer[]) => [...new Set(answers.map(({ status }) => status))]

const countPayments = async (app: TestApp): Promise<number> =>
  Number((await app.sql.query('select count(*) as count from payments')).rows[0].count)

test('503: with the queue full a payment is refused before anything is done, and the others are taken', {
  timeout: 60_000,
}, async () => {
  const app = await startTestApp()
  const seller = await sellingSeller(app)
  const release = await holdPayments(app)
  const first = postPayment(app, seller)
  await until('a batch is being written', async () => (await waitingForLocks(app)) > 0)
  const calls = Array.from({ length: WAITING_MAX + WRITTEN_MAX + 1 }, () => postPayment(app, seller))
  const refused = await Promise.race(calls)
  expect(refused.status).toBe(503)
  expect(refused.body.code).toBe('server.unavailable')
  expect(refused.headers.get('retry-after')).toBe('1')
  await release()
  const answers = await Promise.all([first, ...calls])
  const taken = answers.filter(({ status }) => status === 201)
  expect(taken.length).toBeGreaterThan(WAITING_MAX)
  expect(new Set(answers.map(({ status }) => status))).toStrictEqual(new Set([201, 503]))
  expect(await countPayments(app)).toBe(taken.length)
  await app.close()
})

test('a server that is told to stop writes what waits, and answers it', async () => {
  const app = await startTestApp()
  const seller = await sellingSeller(app)
  let arrived = 0
  app.app.server.on('request', () => {
    arrived += 1
  })
  const release = await holdPayments(app)
  const first = postPayment(app, seller)
  await until('a batch is being written', async () => (await waitingForLocks(app)) > 0)
  const waiting = Array.from({ length: 20 }, () => postPayment(app, seller))
  await until('all of them have arrived', async () => arrived === 21)
  const closed = app.app.close()
  await release()
  expect(statusesOf(await Promise.all([first, ...waiting]))).toStrictEqual([201])
  await closed
  expect(await countPayments(app)).toBe(21)
  await app.close()
})
