import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type FeeBand, mostSpecificFee, paymentFee } from '../../src/domain/fees.ts'
import { AMOUNT_MAX, bps, centavos } from '../../src/domain/money.ts'

const rate = (percentageBps: number, fixed = 0, min?: number, max?: number) => ({
  percentage: bps(percentageBps),
  fixedAmount: centavos(fixed),
  minAmount: min === undefined ? null : centavos(min),
  maxAmount: max === undefined ? null : centavos(max),
})

test.each([
  ['a percentage', 10_000, rate(99), 99],
  ['a percentage and a fixed part', 10_000, rate(499, 49), 548],
  ['half a centavo, rounded up', 50, rate(100), 1],
  ['no fee', 10_000, rate(0), 0],
  ['at most the payment', 30, rate(499, 49), 30],
  ['the whole payment', 10_000, rate(10_000), 10_000],
  ['a minimum', 1_000, rate(100, 0, 50), 50],
  ['a minimum that is more than the payment', 20, rate(100, 0, 50), 20],
  ['a maximum', 1_000_000, rate(100, 0, 50, 700), 700],
  ['between its bounds', 10_000, rate(100, 0, 50, 700), 100],
  ['a maximum of zero', 10_000, rate(100, 0, undefined, 0), 0],
  ['a maximum below the minimum', 10_000, rate(100, 0, 900, 700), 700],
])('%s', (_, amount, terms, fee) => {
  expect(paymentFee(centavos(amount), terms)).toBe(fee)
})

test('a fee is never negative, never more than the payment, and never falls when the payment grows', () => {
  const terms = fc
    .tuple(fc.nat(10_000), fc.nat(100_000), fc.option(fc.nat(100_000)), fc.option(fc.nat(1_000_000)))
    .map(([percentage, fixed, min, max]) => rate(percentage, fixed, min ?? undefined, max ?? undefined))
  const amounts = fc.nat(AMOUNT_MAX)
  fc.assert(
    fc.property(amounts, amounts, terms, (one, other, fee) => {
      const smaller = paymentFee(centavos(Math.min(one, other)), fee)
      const larger = paymentFee(centavos(Math.max(one, other)), fee)
      expect(smaller).toBeGreaterThanOrEqual(0)
      expect(smaller).toBeLessThanOrEqual(Math.min(one, other))
      expect(larger).toBeGreaterThanOrEqual(smaller)
    }),
  )
})

const band = (id: string, sellerId: string | null, from: number, to: number): FeeBand & { id: string } => ({
  id,
  sellerId,
  method: 'credit_card',
  installmentsFrom: from,
  installmentsTo: to,
})

const everyone = band('everyone', null, 1, 12)
const everyoneOnce = band('everyone-once', null, 1, 1)
const ana = band('ana', 'ana', 1, 12)
const anaFew = band('ana-few', 'ana', 2, 6)
const pix = { ...band('pix', null, 1, 1), method: 'pix' } as const
const fees = [everyone, everyoneOnce, anaFew, ana, pix]

test.each([
  ['ana', 1, 'ana'],
  ['ana', 2, 'ana-few'],
  ['ana', 6, 'ana-few'],
  ['ana', 7, 'ana'],
  ['bia', 1, 'everyone-once'],
  ['bia', 2, 'everyone'],
  ['bia', 13, undefined],
])('%s in %i installments pays by the fee %s, in whatever order they stand', (sellerId, installments, id) => {
  const key = { sellerId, method: 'credit_card', installments } as const
  expect(mostSpecificFee(fees, key)?.id).toBe(id)
  expect(mostSpecificFee(fees.toReversed(), key)?.id).toBe(id)
})

test('another method or another seller has no say', () => {
  expect(mostSpecificFee(fees, { sellerId: 'ana', method: 'boleto', installments: 1 })).toBeUndefined()
  expect(mostSpecificFee([ana], { sellerId: 'bia', method: 'credit_card', installments: 1 })).toBeUndefined()
  expect(mostSpecificFee([], { sellerId: 'ana', method: 'pix', installments: 1 })).toBeUndefined()
})
