import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DueValue } from '../../../simulators/psp/standard/charge-schemas.ts'
import { dueAmountsOn, lastPayableDate } from '../../../simulators/psp/standard/due-amounts.ts'
import { addDays } from '../../../src/domain/calendar.ts'

// The examples A to G of the Central Bank's document, under `validadeAposVencimento`.
test.each([
  ['2020-10-20', 4, '2020-10-26'],
  ['2020-12-25', 0, '2020-12-28'],
  ['2020-12-25', 1, '2020-12-29'],
  ['2020-12-25', 3, '2020-12-31'],
  ['2020-12-25', 4, '2021-01-04'],
  ['2021-08-27', 5, '2021-09-01'],
  ['2021-08-28', 5, '2021-09-06'],
])('due on %s and valid for %i more days, it can be paid until %s', (dueDate, validDays, last) => {
  expect(lastPayableDate(dueDate, validDays)).toBe(last)
})

// A Tuesday, with a weekend four days later.
const DUE = '2026-03-10'
const on = (value: Omit<DueValue, 'original'>, payDate: string, dueDate = DUE) =>
  dueAmountsOn({ original: '1000.00', ...value }, dueDate, payDate)

test.each([
  [1, '12.34', 1_234],
  [2, '2.00', 2_000],
])('a fine of kind %i is taken once after the due date and not before', (modalidade, valorPerc, fine) => {
  const multa = { modalidade, valorPerc }
  expect(on({ multa }, DUE)).toMatchObject({ fine: 0, final: 100_000 })
  expect(on({ multa }, '2026-03-11')).toMatchObject({ fine, final: 100_000 + fine })
  expect(on({ multa }, '2026-03-20').fine).toBe(fine)
})

// Ten days later there were ten calendar days and eight business days.
test.each([
  [1, '1.50', 1_500],
  [2, '0.10', 1_000],
  [3, '1.00', 333],
  [4, '12.00', 329],
  [5, '1.50', 1_200],
  [6, '0.10', 800],
  [7, '1.00', 381],
  [8, '12.00', 381],
])('interest of kind %i', (modalidade, valorPerc, interest) => {
  const juros = { modalidade, valorPerc }
  expect(on({ juros }, '2026-03-20')).toMatchObject({ interest, final: 100_000 + interest })
  expect(on({ juros }, DUE).interest).toBe(0)
})

test.each([
  [1, '30.00', 3_000],
  [2, '5.00', 5_000],
])(
  'a rebate of kind %i comes off at any time, and fine and interest are of the rest',
  (modalidade, valorPerc, rebate) => {
    const abatimento = { modalidade, valorPerc }
    expect(on({ abatimento }, DUE)).toMatchObject({ rebate, final: 100_000 - rebate })
    const late = on({ abatimento, multa: { modalidade: 2, valorPerc: '10.00' } }, '2026-03-11')
    expect(late.fine).toBe((100_000 - rebate) / 10)
  },
)

test('a discount by fixed dates is that of the earliest date that is not over', () => {
  const desconto = {
    modalidade: 1,
    descontoDataFixa: [
      { data: '2026-03-05', valorPerc: '50.00' },
      { data: '2026-03-02', valorPerc: '80.00' },
    ],
  }
  expect(on({ desconto }, '2026-03-01').discount).toBe(8_000)
  expect(on({ desconto }, '2026-03-02').discount).toBe(8_000)
  expect(on({ desconto }, '2026-03-03').discount).toBe(5_000)
  expect(on({ desconto }, '2026-03-06').discount).toBe(0)
  expect(on({ desconto: { ...desconto, modalidade: 2 } }, '2026-03-03').discount).toBe(50_000)
})

// From Friday the 6th to Tuesday the 10th there are four calendar days and two business days.
test.each([
  [3, '2.00', 800],
  [4, '2.00', 400],
  [5, '0.50', 2_000],
  [6, '0.50', 1_000],
])('a discount of kind %i is by the day of being early', (modalidade, valorPerc, discount) => {
  expect(on({ desconto: { modalidade, valorPerc } }, '2026-03-06')).toMatchObject({
    discount,
    final: 100_000 - discount,
  })
  expect(on({ desconto: { modalidade, valorPerc } }, '2026-03-11').discount).toBe(0)
})

test('a due date on a Saturday is kept on the Monday, and days of being late count from there', () => {
  const juros = { modalidade: 1, valorPerc: '1.00' }
  expect(on({ juros }, '2026-03-16', '2026-03-14').interest).toBe(0)
  expect(on({ juros }, '2026-03-17', '2026-03-14').interest).toBe(100)
})

test('on any day, the parts make up what is to be paid, and none is negative', () => {
  const perc = fc
    .integer({ min: 1, max: 99_999 })
    .map((n) => `${Math.floor(n / 100)}.${String(n % 100).padStart(2, '0')}`)
  const kind = (max: number) => fc.record({ modalidade: fc.integer({ min: 1, max }), valorPerc: perc })
  const daily = fc.record({ modalidade: fc.integer({ min: 3, max: 6 }), valorPerc: perc })
  const values = fc.record({ multa: kind(2), juros: kind(8), abatimento: kind(2), desconto: daily })
  fc.assert(
    fc.property(values, fc.integer({ min: -60, max: 60 }), (value, days) => {
      const { original, fine, interest, rebate, discount, final } = on(value, addDays(DUE, days))
      expect(final).toBe(original + fine + interest - rebate - discount)
      for (const part of [fine, interest, rebate, discount, final]) expect(part).toBeGreaterThanOrEqual(0)
    }),
  )
})
