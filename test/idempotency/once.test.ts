import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { defineErrors } from '../../src/errors.ts'
import { createOnce, type Idempotency } from '../../src/idempotency/once.ts'
import type { Transact } from '../../src/repositories.ts'
import { startTestLedger, type TestLedger } from '../support/ledger.ts'

let base: TestLedger

beforeAll(async () => {
  base = await startTestLedger()
})

afterAll(() => base.close())

const errors = defineErrors('once_test', { refused: [422, 'No.'] })

const keyed = (ownerId: string): Idempotency => ({
  ownerId,
  operation: 'POST /things',
  key: 'k',
  requestHash: 'hash',
  requestId: 'request',
  replayed: false,
})

const refuse = () => Promise.reject(errors.refused())
const make = () => Promise.resolve({ made: true })

/** Runs `between` after the first transaction has ended and before the second one begins. */
const pausing = (between: () => Promise<unknown>): Transact => {
  let transactions = 0
  return async (work) => {
    transactions += 1
    if (transactions === 2) await between()
    return base.transact(work)
  }
}

test('a refusal is repeated, with the id of the request that was refused first', async () => {
  const owner = base.newId()
  const once = createOnce(base.transact, systemClock)
  await expect(once(keyed(owner), refuse)).rejects.toMatchObject({ code: 'once_test.refused' })
  const repeat = { ...keyed(owner), requestId: 'another' }
  await expect(once(repeat, make)).rejects.toMatchObject({
    code: 'once_test.refused',
    extras: { requestId: 'request' },
  })
  expect(repeat.replayed).toBe(true)
})

test('a repeat that goes through before the refusal is kept is the answer from then on, for both', async () => {
  const owner = base.newId()
  const plain = createOnce(base.transact, systemClock)
  const overtaken = createOnce(
    pausing(() => plain(keyed(owner), make)),
    systemClock,
  )
  const refused = keyed(owner)
  expect(await overtaken(refused, refuse)).toEqual({ made: true })
  expect(refused.replayed).toBe(true)
  expect(await plain(keyed(owner), refuse)).toEqual({ made: true })
})
