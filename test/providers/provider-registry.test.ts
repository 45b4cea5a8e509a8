import { expect, test } from 'vitest'
import type { ChargeLookup, PaymentProvider } from '../../src/providers/provider.port.ts'
import { createProviderRegistry, guardProvider } from '../../src/providers/provider.registry.ts'

const unreachable = async (): Promise<never> => {
  throw new Error('connect ECONNREFUSED')
}

const provider = (getCharge: PaymentProvider['getCharge']): PaymentProvider => ({
  name: 'acquirer',
  createCharge: unreachable,
  getCharge,
  cancelCharge: unreachable,
  captureCharge: unreachable,
  refund: unreachable,
  createPayout: unreachable,
  getPayout: unreachable,
  authenticateCallback: () => false,
  parseCallback: () => [],
})

const DEADLINES = { writeMs: 20, readMs: 20 }
const KEY = { paymentId: 'p', reference: null }

test('a call that is not answered in time has an unknown outcome, and is noted', async () => {
  const failures: unknown[] = []
  const silent = provider(() => new Promise<ChargeLookup>(() => undefined))
  const guarded = guardProvider(silent, ({ error }) => failures.push(error), DEADLINES)
  expect(await guarded.getCharge(KEY)).toEqual({ outcome: 'unknown', reason: 'provider_timeout' })
  expect(failures).toHaveLength(1)
})

test('a call that breaks has an unknown outcome, never a failure', async () => {
  const failures: string[] = []
  const guarded = guardProvider(provider(unreachable), ({ error }) => failures.push(String(error)), DEADLINES)
  expect(await guarded.getCharge(KEY)).toEqual({ outcome: 'unknown', reason: 'provider_unreachable' })
  expect(failures).toEqual(['Error: connect ECONNREFUSED'])
})

test('an answer in time is given as it is', async () => {
  const guarded = guardProvider(
    provider(async () => ({ outcome: 'missing' })),
    () => undefined,
    DEADLINES,
  )
  expect(await guarded.getCharge(KEY)).toEqual({ outcome: 'missing' })
})

test('a provider that cannot tell about refunds says so', async () => {
  const guarded = guardProvider(provider(unreachable), () => undefined, DEADLINES)
  expect(await guarded.getRefund('r')).toEqual({ outcome: 'unknown', reason: 'provider_cannot_tell' })
})

test('the active provider must be there', () => {
  const guarded = guardProvider(provider(unreachable), () => undefined)
  expect(createProviderRegistry([guarded], 'acquirer').active).toBe(guarded)
  expect(() => createProviderRegistry([guarded], 'other')).toThrow(/other/)
})
