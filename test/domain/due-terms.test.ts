import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dueAmountsOn } from '../../simulators/psp/standard/due-amounts.ts'
import { addDays, isBusinessDay } from '../../src/domain/calendar.ts'
import { amountWith, type DueTerms, lastPayableDate, partsOn, principalOf } from '../../src/domain/due-terms.ts'
import { bps, centavos, toDecimal } from '../../src/domain/money.ts'

// A Friday; the Monday after it is no holiday.
const DUE = '2026-11-27'

const terms = (changes: Partial<DueTerms> = {}): DueTerms => ({
  ...{ dueDate: DUE, payableDaysAfterDue: 30, fine: bps(200), monthlyInterest: bps(100), discounts: [] },
  ...changes,
})

test('on the due date nothing is added; a day later the fine and a thirtieth of the interest are', () => {
  expect(partsOn(centavos(10_000), terms(), DUE)).toEqual({ fine: 0, interest: 0, discount: 0 })
  expect(partsOn(centavos(10_000), terms(), '2026-11-28')).toEqual({ fine: 200, interest: 3, discount: 0 })
  expect(partsOn(centavos(10_000), terms(), '2026-12-27')).toEqual({ fine: 200, interest: 100, discount: 0 })
})

test('a due date on which banks are closed is the next business day', () => {
  const onSunday = terms({ dueDate: '2026-11-29', payableDaysAfterDue: 0 })
  expect(partsOn(centavos(10_000), onSunday, '2026-11-30').fine).toBe(0)
  expect(partsOn(centavos(10_000), onSunday, '2026-12-01')).toEqual({ fine: 200, interest: 3, discount: 0 })
  expect(lastPayableDate(onSunday)).toBe('2026-11-30')
  expect(lastPayableDate(terms())).toBe('2026-12-28')
})

test('the discount whose date comes next counts, and none after its date', () => {
  const discounts = [
    { until: '2026-11-25', percentage: bps(500) },
    { until: '2026-11-20', percentage: bps(1_000) },
  ]
  const early = terms({ discounts })
  const discountOn = (date: string) => partsOn(centavos(10_000), early, date).discount
  // The 20th is a holiday, a Friday: banks take it on Monday.
  expect(['2026-11-19', '2026-11-23', '2026-11-25', '2026-11-26'].map(discountOn)).toEqual([1_000, 1_000, 500, 0])
})

const anyTerms = fc
  .record({
    fine: fc.option(fc.integer({ min: 1, max: 10_000 }).map(bps)),
    monthlyInterest: fc.option(fc.integer({ min: 1, max: 10_000 }).map(bps)),
    untils: fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { maxLength: 3 }),
    rate: fc.integer({ min: 1, max: 99 }),
    isOfAmounts: fc.boolean(),
  })
  .map(({ untils, rate, isOfAmounts, ...rest }) => {
    const discounts = untils.map((days) => {
      const until = addDays(DUE, -days)
      return isOfAmounts ? { until, amount: centavos(rate) } : { until, percentage: bps(rate * 100) }
    })
    return terms({ ...rest, discounts })
  })
const anyAmount = fc.integer({ min: 100, max: 1_000_000_000_000 }).map(centavos)
const anyDate = fc.integer({ min: -30, max: 60 }).map((days) => addDays(DUE, days))

test('what is paid on any day settles exactly what was asked for, in whole centavos', () => {
  fc.assert(
    fc.property(anyAmount, anyTerms, anyDate, (amount, asked, date) => {
      const parts = partsOn(amount, asked, date)
      const total = amountWith(amount, parts)
      expect(principalOf(total, parts)).toBe(amount)
      expect(Math.min(parts.fine, parts.interest, parts.discount)).toBeGreaterThanOrEqual(0)
      expect(total).toBeGreaterThanOrEqual(0)
      if (date > DUE && isBusinessDay(DUE)) expect(parts.discount).toBe(0)
      else expect([parts.fine, parts.interest]).toEqual([0, 0])
    }),
  )
})

/** The same terms as the standard's document has them. */
const dueValueOf = (amount: number, { fine, monthlyInterest, discounts }: DueTerms) => {
  const share = (rate: number) => toDecimal(centavos(rate))
  const isOfAmounts = discounts[0]?.amount !== undefined
  const dates = discounts.map((one) => ({ data: one.until, valorPerc: share(one.amount ?? one.percentage) }))
  return {
    original: toDecimal(centavos(amount)),
    ...(fine === null ? {} : { multa: { modalidade: 2 as const, valorPerc: share(fine) } }),
    ...(monthlyInterest === null ? {} : { juros: { modalidade: 3 as const, valorPerc: share(monthlyInterest) } }),
    ...(dates.length === 0
      ? {}
      : { desconto: { modalidade: isOfAmounts ? (1 as const) : (2 as const), descontoDataFixa: dates } }),
  }
}

test('the PSP’s equations come to the same on every day', () => {
  fc.assert(
    fc.property(anyAmount, anyTerms, anyDate, (amount, asked, date) => {
      const { fine, interest, discount, final } = dueAmountsOn(dueValueOf(amount, asked), DUE, date)
      const parts = partsOn(amount, asked, date)
      expect(parts).toEqual({ fine, interest, discount })
      expect(amountWith(amount, parts)).toBe(final)
    }),
  )
})
