import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bps, centavos } from '../../src/domain/money.ts'
import { contradicts, payoutSteps, withdrawalFee } from '../../src/domain/withdrawal.ts'

const OUTCOMES = ['completed', 'failed', 'returned'] as const

test('a fee is the percentage, half a centavo up, plus the fixed part', () => {
  const fee = (amount: number, percentage: number, fixed: number) =>
    withdrawalFee(centavos(amount), { feePercentage: bps(percentage), feeFixedAmount: centavos(fixed) })
  expect(fee(500_000, 0, 100)).toBe(100)
  expect(fee(10_050, 100, 0)).toBe(101)
  expect(fee(10_049, 100, 0)).toBe(100)
  expect(fee(100, 10_000, 1)).toBe(101)
})

test('for every amount and configuration, fee and net are the amount, and a larger amount never pays a smaller fee', () => {
  const terms = fc.record({
    feePercentage: fc.integer({ min: 0, max: 10_000 }).map(bps),
    feeFixedAmount: fc.integer({ min: 0, max: 1_000_000 }).map(centavos),
  })
  const amounts = fc.integer({ min: 1, max: 1_000_000_000_000 })
  fc.assert(
    fc.property(amounts, amounts, terms, (one, other, config) => {
      const [smaller, larger] = [Math.min(one, other), Math.max(one, other)]
      const fee = withdrawalFee(centavos(larger), config)
      const exact = (larger * config.feePercentage) / 10_000 + config.feeFixedAmount
      expect(Math.abs(fee - exact)).toBeLessThanOrEqual(0.5 + larger * Number.EPSILON)
      expect(withdrawalFee(centavos(smaller), config)).toBeLessThanOrEqual(fee)
    }),
  )
})

test('a return that overtakes its completion brings the completion with it', () => {
  expect(payoutSteps('processing', 'returned')).toStrictEqual(['completed', 'returned'])
  expect(payoutSteps('completed', 'returned')).toStrictEqual(['returned'])
})

test('an outcome that comes again changes nothing and contradicts nothing', () => {
  for (const outcome of OUTCOMES) {
    expect(payoutSteps(outcome, outcome)).toStrictEqual([])
    expect(contradicts(outcome, outcome)).toBe(false)
  }
  expect(payoutSteps('returned', 'completed')).toStrictEqual([])
  expect(contradicts('returned', 'completed')).toBe(false)
})

test('an outcome that cannot be true beside the state changes nothing and is told apart', () => {
  for (const [status, outcome] of [
    ['failed', 'completed'],
    ['completed', 'failed'],
    ['failed', 'returned'],
    ['returned', 'failed'],
    ['pending_approval', 'completed'],
    ['canceled', 'completed'],
  ] as const) {
    expect(payoutSteps(status, outcome)).toStrictEqual([])
    expect(contradicts(status, outcome)).toBe(true)
  }
  for (const outcome of OUTCOMES) expect(contradicts('processing', outcome)).toBe(false)
})
