import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '../../support/app.ts'
import { copyOfDatabase, createTestDatabase, type TestDatabase } from '../../support/database.ts'
import type { Seller } from '../../support/factories.ts'
import { getPayment, postPayment, sellingSeller } from '../../support/payments.ts'
import { okValue, openPixApi, type TestPixApi } from '../../support/psp/pix-api.ts'
import { receivedRows, runPixJobs, startPixApp } from '../../support/psp/pix-app.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'

let psp: TestPsp
let client: TestPixApi
let seller: Seller
/** What was lost is known to the PSP and to whoever asked for it. */
let lost: TestDatabase
let restored: TestApp
const keys = { waiting: randomUUID(), paid: randomUUID() }
const txids = { waiting: '', paid: '' }

const ask = (app: TestApp, key: string) => postPayment(app, seller, {}, { key })

beforeAll(async () => {
  psp = await startTestPsp()
  client = openPixApi(psp)
  lost = await createTestDatabase()
  const staying = { url: lost.url, drop: async () => undefined }
  const before = await startPixApp(psp, {}, staying)
  seller = await sellingSeller(before)
  await before.close()
  const backup = await copyOfDatabase(lost.url)
  const after = await startPixApp(psp, {}, staying)
  txids.waiting = (await ask(after, keys.waiting)).body.pix.txid
  txids.paid = (await ask(after, keys.paid)).body.pix.txid
  await psp.control.plant({ on: 'callback', action: { kind: 'drop' }, count: 1 })
  await psp.control.pay({ txid: txids.paid })
  await after.close()
  restored = await startPixApp(psp, {}, backup)
})

afterAll(async () => {
  await restored.close()
  await lost.drop()
  await client.api.close()
  await psp.close()
})

const chargesCount = async (): Promise<number> => {
  const period = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 60_000) }
  return okValue(await client.api.charges.list(period)).itemsCount
}

test('201: the same Idempotency-Key after a restore finds the charge that was made before, and makes no second one', async () => {
  const before = await chargesCount()
  const { status, body } = await ask(restored, keys.waiting)
  expect([status, body.status, body.pix.txid]).toEqual([201, 'pending', txids.waiting])
  expect(await chargesCount()).toBe(before)
  await psp.control.pay({ txid: txids.waiting })
  await runPixJobs(restored, ['readReceivedPix'])
  expect((await getPayment(restored, seller, body.id)).status).toBe('paid')
})

test('201: a charge that was paid meanwhile makes its payment paid, once', async () => {
  const { status, body } = await ask(restored, keys.paid)
  expect([status, body.pix.txid]).toEqual([201, txids.paid])
  await runPixJobs(restored, ['readReceivedPix', 'readReceivedPix'])
  expect(await getPayment(restored, seller, body.id)).toMatchObject({ status: 'paid', paidAmount: 10_000 })
  expect((await ask(restored, keys.paid)).body.id).toBe(body.id)
  expect(await receivedRows(restored)).toMatchObject([{ status: 'booked' }, { status: 'booked' }])
})

test('a key that is used anew, long after its first answer was forgotten, makes a charge of its own', async () => {
  const key = randomUUID()
  const first = await ask(restored, key)
  restored.clock.setOffsetMs(25 * 3_600_000)
  const { email, password } = seller
  const { accessToken } = (await restored.api.post('auth/login', { body: { email, password } })).body.tokens
  const second = await postPayment(restored, { token: accessToken }, {}, { key })
  expect(second.body.id).not.toBe(first.body.id)
  expect(second.body.pix.txid).not.toBe(first.body.pix.txid)
  restored.clock.setOffsetMs(0)
})
