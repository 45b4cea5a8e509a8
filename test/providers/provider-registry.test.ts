import { expect, test } from 'vitest'
import { createCircuitBreaker } from '../../src/providers/circuit-breaker.ts'
import { guardProvider } from '../../src/providers/guarded-provider.ts'
import type { ChargeLookup, ChargeResult, PaymentProvider } from '../../src/providers/provider.port.ts'
import { createProviderRegistry } from '../../src/providers/provider.registry.ts'

const unreachable = async (): Promise<never> => {
  throw new Error('connect ECONNREFUSED')
}

type Charges = NonNullable<PaymentProvider['charges']>

const provider = (charges: Partial<Charges> = {}): PaymentProvider => ({
  name: 'acquirer',
  charges: {
    methods: { pix: { dueDate: false } },
    create: unreachable,
    get: unreachable,
    cancel: unreachable,
    ...charges,
  },
  refunds: { create: unreachable },
  callbacks: { authenticate: () => false, read: () => ({ outcome: 'read', notifications: [] }) },
})

const guarded = (given: PaymentProvider, onFailure: (error: unknown) => void = () => undefined, nowMs = () => 0) =>
  guardProvider(given, {
    onFailure: ({ error }) => onFailure(error),
    breaker: createCircuitBreaker(nowMs),
    deadlines: { writeMs: 20, readMs: 20 },
  })

const KEY = { paymentId: 'p', reference: null }

test('a call that is not answered in time has an unknown outcome, and is noted', async () => {
  const failures: unknown[] = []
  const silent = provider({ get: () => new Promise<ChargeLookup>(() => undefined) })
  const { charges } = guarded(silent, (error) => failures.push(error))
  expect(await charges?.get(KEY)).toEqual({ outcome: 'unknown', reason: 'provider_timeout' })
  expect(failures).toHaveLength(1)
})

test('a call that breaks has an unknown outcome, never a failure', async () => {
  const failures: string[] = []
  const { charges } = guarded(provider(), (error) => failures.push(String(error)))
  expect(await charges?.get(KEY)).toEqual({ outcome: 'unknown', reason: 'provider_unreachable' })
  expect(failures).toEqual(['Error: connect ECONNREFUSED'])
})

test('an answer in time is given as it is', async () => {
  const { charges } = guarded(provider({ get: async () => ({ outcome: 'missing' }) }))
  expect(await charges?.get(KEY)).toEqual({ outcome: 'missing' })
})

test('a provider that cannot tell about refunds says so', async () => {
  const { refunds } = guarded(provider())
  const answer = await refunds?.get({ refundId: 'r', endToEndId: null })
  expect(answer).toEqual({ outcome: 'unknown', reason: 'provider_cannot_tell' })
})

test('a provider that does not answer is left alone for a while, then tried once', async () => {
  let nowMs = 0
  let callsCount = 0
  let answer: () => Promise<ChargeResult> = unreachable
  const cancel = () => {
    callsCount += 1
    return answer()
  }
  const { charges, restsForMs } = guarded(provider({ cancel }), undefined, () => nowMs)
  for (let call = 0; call < 5; call += 1) await charges?.cancel(KEY)
  expect(restsForMs()).toBe(10_000)
  expect(await charges?.cancel(KEY)).toEqual({
    ...{ outcome: 'unavailable', reason: 'provider_away', isAway: true, retryAfterMs: 10_000 },
  })
  expect(callsCount).toBe(5)
  nowMs = 10_000
  await Promise.all([charges?.cancel(KEY), charges?.cancel(KEY)])
  expect(callsCount).toBe(6)
  nowMs = 20_000
  answer = async () => ({ outcome: 'refused', reason: 'charge_paid' })
  await charges?.cancel(KEY)
  expect(restsForMs()).toBe(0)
})

test('a provider without room for a call is not away', async () => {
  const busy = { outcome: 'unavailable', reason: 'provider_busy', isAway: false, retryAfterMs: 1_000 } as const
  const { charges, restsForMs } = guarded(provider({ cancel: async () => busy }))
  for (let call = 0; call < 10; call += 1) expect(await charges?.cancel(KEY)).toEqual(busy)
  expect(restsForMs()).toBe(0)
})

test('a route leads to a provider that is there and serves it', () => {
  const acquirer = guarded(provider())
  const { routes, find } = createProviderRegistry([acquirer], { pix: 'acquirer' })
  expect(routes).toEqual({ pix: acquirer })
  expect(find('acquirer')).toBe(acquirer)
  expect(() => createProviderRegistry([acquirer], { pix: 'other' })).toThrow(/other/)
  expect(() => createProviderRegistry([acquirer], { boleto: 'acquirer' })).toThrow(/boleto/)
  expect(() => createProviderRegistry([acquirer], { payouts: 'acquirer' })).toThrow(/payouts/)
})
