import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../src/clock.ts'
import { centavos } from '../../src/domain/money.ts'
import type { Callback, Notification } from '../../src/providers/provider.port.ts'
import { parseSandboxCallback, sandboxCallbackBody } from '../../src/providers/sandbox/sandbox.callbacks.ts'
import { sandboxEndToEndId } from '../../src/providers/sandbox/sandbox.ids.ts'
import { createSandboxProvider } from '../../src/providers/sandbox/sandbox.provider.ts'
import { SIGNATURE_HEADER, sandboxSecret, signSandboxCallback } from '../../src/providers/sandbox/sandbox.signature.ts'
import { createReads } from '../../src/repositories.ts'
import { startTestLedger, type TestLedger } from '../support/ledger.ts'
import { describeProviderContract } from '../support/provider-contract.ts'

let base: TestLedger

beforeAll(async () => {
  base = await startTestLedger()
})

afterAll(() => base.close())

const secret = sandboxSecret('a key that only the tests use')

const sign = (notifications: readonly Notification[]): Callback => {
  const body = sandboxCallbackBody(base.newId(), notifications)
  const headers = { [SIGNATURE_HEADER]: signSandboxCallback(secret, body, Date.now()) }
  return { headers, query: {}, body }
}

const createUnderTest = () => {
  const { newId, transact, db } = base
  const clock = systemClock
  return {
    provider: createSandboxProvider({ read: createReads(db), transact, clock, wallClock: clock, secrets: [secret] }),
    newId,
    payPix: async ({ reference, amount }: { reference: string; amount: number }) => {
      const now = clock.now()
      const endToEndId = sandboxEndToEndId(now)
      await transact((tx) =>
        tx.sandbox.putRecord({
          ...{ kind: 'charge', reference, status: 'paid', amount: centavos(amount), endToEndId },
          ...{ createdAt: now, updatedAt: now },
        }),
      )
      return endToEndId
    },
    callback: () => sign([{ kind: 'charge', reference: 'abc', state: { status: 'pending' } }]),
  }
}

describeProviderContract(
  'sandbox',
  {
    cards: { approved: 'tok_0001', declined: 'tok_0002', lost: 'tok_0006' },
    payouts: async (outcome) => ({
      amount: centavos({ completed: 10_000, processing: 10_091, refused: 10_092 }[outcome]),
    }),
    balance: true,
  },
  createUnderTest,
)

test('sandbox: a callback is believed only as it was signed', () => {
  const { provider, callback } = createUnderTest()
  const signed = callback()
  expect(provider.callbacks.authenticate({ ...signed, body: `${signed.body} ` })).toBe(false)
})

test('sandbox: a callback says what was meant', () => {
  const notifications: Notification[] = [
    { kind: 'charge', reference: 'a', state: { status: 'paid', paidAmount: centavos(10), endToEndId: null } },
    { kind: 'payout', reference: 'b', state: { status: 'returned', reason: 'account_closed' } },
  ]
  expect(parseSandboxCallback(sign(notifications).body)).toEqual(notifications)
  expect(() => parseSandboxCallback('{"notifications":[]}')).toThrow(/not/)
})
