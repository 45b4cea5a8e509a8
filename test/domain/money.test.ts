import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  AMOUNT_MAX,
  add,
  allocate,
  bps,
  centavos,
  fromDecimal,
  meanOf,
  negate,
  percentOf,
  shareOf,
  smaller,
  subtract,
  toDecimal,
  ZERO,
} from '../../src/domain/money.ts'

const amounts = fc.integer({ min: 0, max: AMOUNT_MAX }).map(centavos)
const signed = fc.integer({ min: -AMOUNT_MAX, max: AMOUNT_MAX }).map(centavos)
const rates = fc.integer({ min: 0, max: 10_000 }).map(bps)

test('centavos are whole numbers that a float holds exactly', () => {
  expect(centavos(-1)).toBe(-1)
  expect(centavos(Number.MAX_SAFE_INTEGER)).toBe(Number.MAX_SAFE_INTEGER)
  for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1]) {
    expect(() => centavos(value)).toThrow(RangeError)
  }
})

test('basis points are whole numbers from 0 to 10,000', () => {
  expect(bps(0)).toBe(0)
  expect(bps(10_000)).toBe(10_000)
  for (const value of [-1, 10_001, 0.5, Number.NaN]) expect(() => bps(value)).toThrow(RangeError)
})

test('sums that a float no longer holds exactly are refused', () => {
  const most = centavos(Number.MAX_SAFE_INTEGER)
  expect(() => add(most, centavos(1))).toThrow(RangeError)
  expect(() => subtract(negate(most), centavos(1))).toThrow(RangeError)
  expect(add()).toBe(ZERO)
})

test('adding and subtracting are inverse, and negating twice changes nothing', () => {
  fc.assert(
    fc.property(signed, signed, signed, (first, second, third) => {
      expect(subtract(add(first, second, third), second, third)).toBe(first)
      expect(add(first, negate(first))).toBe(0)
      expect(negate(negate(first))).toBe(first)
      expect(smaller(first, second)).toBe(Math.min(first, second))
    }),
  )
})

test.each([
  [10_000, 99, 99],
  [10_000, 499, 499],
  // Half a centavo goes up, less goes down.
  [50, 100, 1],
  [49, 100, 0],
  [150, 100, 2],
  [1, 5_000, 1],
  [1, 4_999, 0],
  [0, 10_000, 0],
  [AMOUNT_MAX, 10_000, AMOUNT_MAX],
  [Number.MAX_SAFE_INTEGER, 9_999, 9_006_298_534_815_517],
])('of %i, %i basis points are %i', (amount, rate, part) => {
  expect(percentOf(centavos(amount), bps(rate))).toBe(part)
})

test('a percentage is within half a centavo of the exact part, and never more than the whole', () => {
  fc.assert(
    fc.property(amounts, rates, (amount, rate) => {
      const part = percentOf(amount, rate)
      const errorTenThousandths = BigInt(part) * 10_000n - BigInt(amount) * BigInt(rate)
      expect(errorTenThousandths).toBeGreaterThan(-5_000n)
      expect(errorTenThousandths).toBeLessThanOrEqual(5_000n)
      expect(part).toBeLessThanOrEqual(amount)
    }),
  )
})

test('parts sum to the whole, and only the first may be larger, by less than there are parts', () => {
  expect(allocate(centavos(9_452), 3)).toEqual([3_152, 3_150, 3_150])
  expect(allocate(centavos(2), 3)).toEqual([2, 0, 0])
  fc.assert(
    fc.property(amounts, fc.integer({ min: 1, max: 24 }), (amount, count) => {
      const parts = allocate(amount, count)
      const [first = 0, ...others] = parts
      expect(parts).toHaveLength(count)
      expect(add(...parts)).toBe(amount)
      expect(new Set(others).size).toBeLessThanOrEqual(1)
      for (const other of others) {
        expect(first - other).toBeGreaterThanOrEqual(0)
        expect(first - other).toBeLessThan(count)
      }
    }),
  )
})

test('nothing is split into no parts', () => {
  for (const parts of [0, -1, 1.5, Number.NaN]) expect(() => allocate(centavos(100), parts)).toThrow(RangeError)
})

test('amounts are written in reais with two decimals and read again', () => {
  expect(toDecimal(centavos(0))).toBe('0.00')
  expect(toDecimal(centavos(7))).toBe('0.07')
  expect(toDecimal(centavos(6_666))).toBe('66.66')
  expect(toDecimal(centavos(AMOUNT_MAX))).toBe('10000000000.00')
  expect(() => toDecimal(centavos(-1))).toThrow(RangeError)
  fc.assert(
    fc.property(amounts, (amount) => {
      expect(fromDecimal(toDecimal(amount))).toBe(amount)
    }),
  )
})

test.each([
  ['1'],
  ['1.5'],
  ['1.555'],
  ['1,50'],
  ['-1.50'],
  ['.50'],
  [' 1.50'],
  ['1e2.00'],
  ['99999999999999.00'],
  [''],
])('%s is not read as an amount', (text) => {
  expect(() => fromDecimal(text)).toThrow(RangeError)
})

test('a mean rounds half a centavo up, and there is none of nothing', () => {
  expect(meanOf(centavos(10), 4)).toBe(3)
  expect(meanOf(centavos(9), 4)).toBe(2)
  expect(meanOf(ZERO, 0)).toBe(0)
  expect(meanOf(centavos(Number.MAX_SAFE_INTEGER), 1)).toBe(Number.MAX_SAFE_INTEGER)
})

test('a share is in percent with two decimals, exactly rounded, of either sign', () => {
  expect(shareOf(1, 3)).toBe(33.33)
  expect(shareOf(2, 3)).toBe(66.67)
  expect(shareOf(1, 8_000)).toBe(0.01)
  expect(shareOf(-1, 8)).toBe(-12.5)
  expect(Object.is(shareOf(-1, 1_000_000_000), 0)).toBe(true)
  expect(shareOf(5, 0)).toBe(0)
})
