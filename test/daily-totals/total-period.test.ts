import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Bounds, cutPeriod, type TotalPeriod } from '../../src/daily-totals/total-period.ts'
import { saoPauloDate, startOfSaoPauloDay } from '../../src/domain/calendar.ts'

const HOUR_MS = 3_600_000

const isIn = <Value extends string | Date>(value: Value, { from, to }: Bounds<Value>): boolean =>
  (from === undefined || value >= from) && (to === undefined || value < to)

// How often the parts count an instant.
const timesCounted = (instant: Date, { months, days, edges }: TotalPeriod): number => {
  const day = saoPauloDate(instant)
  const month = `${day.slice(0, 7)}-01`
  return [
    ...(months && isIn(month, months) ? [1] : []),
    ...days.filter((bounds) => isIn(day, bounds)).map(() => 1),
    ...edges.filter((bounds) => isIn(instant, bounds)).map(() => 1),
  ].length
}

// Around the ends of months, of days and of daylight saving time as often as elsewhere.
const instants = fc.oneof(
  fc.date({ min: new Date('2018-01-01'), max: new Date('2027-12-31'), noInvalidDate: true }),
  fc
    .tuple(fc.integer({ min: 2018, max: 2027 }), fc.integer({ min: 1, max: 12 }), fc.constantFrom(1, 2, 4, 15, 17, 28))
    .map(([year, month, day]) =>
      startOfSaoPauloDay(`${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`),
    ),
)
const ends = fc.option(instants, { nil: undefined })

test('the parts of a period count each instant in it once, and none outside', () => {
  fc.assert(
    fc.property(
      ends,
      ends,
      fc.boolean(),
      instants,
      fc.integer({ min: -30, max: 30 }),
      (from, to, months, at, hours) => {
        fc.pre(from === undefined || to === undefined || from < to)
        const period = cutPeriod({ from, to }, { months })
        const near = [from, to].filter((end) => end !== undefined)
        const looked = [at, ...near, ...near.map((end) => new Date(end.getTime() + hours * HOUR_MS))]
        for (const instant of looked) {
          expect(timesCounted(instant, period)).toBe(isIn(instant, { from, to }) ? 1 : 0)
        }
      },
    ),
    { numRuns: 1_000 },
  )
})

test('whole months are known at once, and what is shown by day is cut into days', () => {
  const period = { from: startOfSaoPauloDay('2026-01-30'), to: startOfSaoPauloDay('2026-04-02') }
  expect(cutPeriod(period)).toEqual({
    whole: { from: '2026-01-30', to: '2026-04-02' },
    months: { from: '2026-02-01', to: '2026-04-01' },
    days: [
      { from: '2026-01-30', to: '2026-02-01' },
      { from: '2026-04-01', to: '2026-04-02' },
    ],
    edges: [],
  })
  expect(cutPeriod(period, { months: false })).toMatchObject({ months: undefined, days: [{ from: '2026-01-30' }] })
})

test('what is in no whole day is counted by itself, at both ends or within one day', () => {
  const noon = (day: string) => new Date(`${day}T15:00:00Z`)
  const [first, last] = [noon('2026-03-03'), noon('2026-09-09')]
  expect(cutPeriod({ from: first, to: last })).toMatchObject({
    whole: { from: '2026-03-04', to: '2026-09-09' },
    edges: [
      { from: first, to: startOfSaoPauloDay('2026-03-04') },
      { from: startOfSaoPauloDay('2026-09-09'), to: last },
    ],
  })
  const [morning, evening] = [first, new Date(first.getTime() + 6 * HOUR_MS)]
  expect(cutPeriod({ from: morning, to: evening })).toEqual({
    whole: undefined,
    months: undefined,
    days: [],
    edges: [{ from: morning, to: evening }],
  })
})

test('a period that ends before it begins, or at once, holds nothing', () => {
  const nothing = { whole: undefined, months: undefined, days: [], edges: [] }
  const [first, last] = [new Date('2026-03-03T05:00:00Z'), new Date('2026-03-05T23:00:00Z')]
  expect(cutPeriod({ from: last, to: first })).toEqual(nothing)
  expect(cutPeriod({ from: first, to: first })).toEqual(nothing)
})
