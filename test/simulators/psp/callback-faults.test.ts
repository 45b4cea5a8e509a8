import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { charge, period } from '../../support/psp/charges.ts'
import type { PspClient } from '../../support/psp/client.ts'
import { type CallbackReceiver, startCallbackReceiver } from '../../support/psp/receiver.ts'
import { startTestPsp, type TestPsp } from '../../support/psp/simulator.ts'

let psp: TestPsp
let client: PspClient
let receiver: CallbackReceiver

beforeAll(async () => {
  psp = await startTestPsp({ profile: 'sicredi' })
  client = psp.client
})
beforeEach(async () => {
  await psp.control.must('POST', '/reset')
  client.logOut()
  receiver = await startCallbackReceiver()
  await client.call('PUT', `/webhook/${client.key}`, { webhookUrl: receiver.url })
})
afterEach(() => receiver.close())
afterAll(() => psp.close())

const plant = (action: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  psp.control.plant({ on: 'callback', action, ...more })

const pay = async (): Promise<string> => (await psp.control.pay({ txid: await charge(client) })).endToEndId

const told = (pix: readonly Record<string, unknown>[]): unknown[] => pix.map(({ endToEndId }) => endToEndId)

test('lost: the Pix is in the list all the same', async () => {
  await plant({ kind: 'drop' }, { count: 1 })
  const lost = await pay()
  const next = await pay()
  expect(told(await receiver.waitForPix(1))).toEqual([next])
  const { body } = await client.call('GET', '/pix', undefined, { query: period() })
  expect(told(body.pix as Record<string, unknown>[])).toContain(lost)
  const { callbacks } = await psp.control.must('GET', '/callbacks')
  expect(callbacks).toMatchObject([{ state: 'dropped', attempts: 0 }, {}])
})

test('doubled', async () => {
  await plant({ kind: 'double' }, { count: 1 })
  const twice = await pay()
  const once = await pay()
  expect(told(await receiver.waitForPix(3))).toEqual([twice, twice, once])
})

test('late by a day', async () => {
  await plant({ kind: 'delay', ms: 86_400_000 }, { count: 1 })
  const late = await pay()
  const next = await pay()
  expect(told(await receiver.waitForPix(1))).toEqual([next])
  await psp.control.must('POST', '/clock/advance', { days: 1 })
  expect(told(await receiver.waitForPix(2))).toEqual([next, late])
})

test('out of order: so many are held back and come the last one first', async () => {
  await plant({ kind: 'reorder', of: 3 }, { count: 3 })
  const ids = [await pay(), await pay(), await pay()]
  expect(told(await receiver.waitForPix(3))).toEqual(ids.toReversed())
})

test('several Pix in one body', async () => {
  await plant({ kind: 'group', of: 3 }, { count: 3 })
  const ids = [await pay(), await pay(), await pay()]
  expect(told(await receiver.waitForPix(3))).toEqual(ids)
  expect(receiver.received).toHaveLength(1)
})

test('only what a fault is about is met by it', async () => {
  const txid = await charge(client)
  await plant({ kind: 'drop' }, { match: txid })
  const next = await pay()
  await psp.control.pay({ txid })
  const after = await pay()
  expect(told(await receiver.waitForPix(2))).toEqual([next, after])
})

test('what is held back is let go by hand, and when the faults are removed', async () => {
  await plant({ kind: 'reorder', of: 10 })
  const first = await pay()
  expect(await psp.control.must('POST', '/callbacks/release')).toEqual({ released: 1 })
  expect(told(await receiver.waitForPix(1))).toEqual([first])
  const second = await pay()
  await psp.control.must('DELETE', '/faults')
  expect(told(await receiver.waitForPix(2))).toEqual([first, second])
})
