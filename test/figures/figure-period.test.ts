import fc from 'fast-check'
import { expect, test } from 'vitest'
import { saoPauloDate, startOfSaoPauloDay } from '../../src/domain/calendar.ts'
import { type Bounds, cutPeriod, type FigurePeriod } from '../../src/figures/figure-period.ts'

const HOUR_MS = 3_600_000

const isIn = <Value extends string | Date>(value: Value, { from, to }: Bounds<Value>): boolean =>
  (from === undefined || value >= from) && (to === undefined || value < to)

// How often the parts count an instant, less how often they take it off.
const timesCounted = (instant: Date, { months, days, edges }: FigurePeriod): number => {
  const day = saoPauloDate(instant)
  const month = `${day.slice(0, 7)}-01`
  return [
    ...(months && isIn(month, months) ? [1] : []),
    ...days.filter((bounds) => isIn(day, bounds)).map(() => 1),
    ...edges.filter((bounds) => isIn(instant, bounds)).map(({ sign }) => sign),
  ].reduce((sum, sign) => sum + sign, 0)
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

test('no more than half a day is counted at either end: a day of which more is in the period is known whole', () => {
  const noon = (day: string) => new Date(`${day}T15:00:00Z`)
  const minutes = (instant: Date, count: number) => new Date(instant.getTime() + count * 60_000)
  const [first, last] = [noon('2026-03-03'), noon('2026-09-09')]
  expect(cutPeriod({ from: first, to: last })).toMatchObject({
    whole: { from: '2026-03-04', to: '2026-09-09' },
    edges: [
      { from: first, to: startOfSaoPauloDay('2026-03-04'), sign: 1 },
      { from: startOfSaoPauloDay('2026-09-09'), to: last, sign: 1 },
    ],
  })
  const [earlier, later] = [minutes(first, -1), minutes(last, 1)]
  expect(cutPeriod({ from: earlier, to: later })).toMatchObject({
    whole: { from: '2026-03-03', to: '2026-09-10' },
    edges: [
      { from: startOfSaoPauloDay('2026-03-03'), to: earlier, sign: -1 },
      { from: later, to: startOfSaoPauloDay('2026-09-10'), sign: -1 },
    ],
  })
})

test('a period within a day is counted, or is what the day has besides it', () => {
  const at = (hour: number) => new Date(startOfSaoPauloDay('2026-03-03').getTime() + hour * HOUR_MS)
  expect(cutPeriod({ from: at(6), to: at(18) })).toEqual({
    whole: undefined,
    months: undefined,
    days: [],
    edges: [{ from: at(6), to: at(18), sign: 1 }],
  })
  expect(cutPeriod({ from: at(5), to: at(18) })).toMatchObject({
    whole: { from: '2026-03-03', to: '2026-03-04' },
    edges: [
      { from: at(0), to: at(5), sign: -1 },
      { from: at(18), to: at(24), sign: -1 },
    ],
  })
})

test('a period that ends before it begins, or at once, holds nothing', () => {
  const nothing = { whole: undefined, months: undefined, days: [], edges: [] }
  const [first, last] = [new Date('2026-03-03T05:00:00Z'), new Date('2026-03-05T23:00:00Z')]
  expect(cutPeriod({ from: last, to: first })).toEqual(nothing)
  expect(cutPeriod({ from: first, to: first })).toEqual(nothing)
})
