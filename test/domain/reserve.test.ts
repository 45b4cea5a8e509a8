import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, saoPauloDate } from '../../src/domain/calendar.ts'
import { AMOUNT_MAX, bps, centavos } from '../../src/domain/money.ts'
import { reserveFor, reserveReleaseAt } from '../../src/domain/reserve.ts'

test('a tenth of a net of 99.01 is 9.90', () => {
  expect(reserveFor(centavos(9_901), bps(1_000))).toBe(990)
  expect(reserveFor(centavos(5), bps(1_000))).toBe(1)
  expect(reserveFor(centavos(0), bps(10_000))).toBe(0)
})

test('never more is held than there is', () => {
  fc.assert(
    fc.property(fc.nat(AMOUNT_MAX), fc.nat(10_000), (net, percentage) => {
      const held = reserveFor(centavos(net), bps(percentage))
      expect(held).toBeGreaterThanOrEqual(0)
      expect(held).toBeLessThanOrEqual(net)
    }),
  )
})

test.each([
  ['2026-11-21T15:00:00.000Z', 30, '2026-12-21T03:00:00.000Z'],
  // In São Paulo it is still the 20th.
  ['2026-11-21T02:59:59.999Z', 30, '2026-12-20T03:00:00.000Z'],
  ['2026-11-21T03:00:00.000Z', 30, '2026-12-21T03:00:00.000Z'],
  ['2026-11-21T15:00:00.000Z', 1, '2026-11-22T03:00:00.000Z'],
  // Clocks were an hour ahead on the day of release, and went ahead at midnight of another.
  ['2018-11-01T15:00:00.000Z', 30, '2018-12-01T02:00:00.000Z'],
  ['2018-11-03T15:00:00.000Z', 1, '2018-11-04T03:00:00.000Z'],
])('what is held at %s for %i days is released at %s', (heldAt, days, releasedAt) => {
  expect(reserveReleaseAt(new Date(heldAt), days).toISOString()).toBe(releasedAt)
})

test('the release is the first instant of its day', () => {
  const instants = fc.date({ min: new Date('2000-01-01Z'), max: new Date('2060-01-01Z'), noInvalidDate: true })
  fc.assert(
    fc.property(instants, fc.integer({ min: 1, max: 180 }), (heldAt, days) => {
      const releaseAt = reserveReleaseAt(heldAt, days)
      const date = addDays(saoPauloDate(heldAt), days)
      expect(saoPauloDate(releaseAt)).toBe(date)
      expect(saoPauloDate(new Date(releaseAt.getTime() - 1))).toBe(addDays(date, -1))
    }),
  )
})

test('a reserve lasts from 1 to 180 whole days', () => {
  const heldAt = new Date('2026-11-21T15:00:00Z')
  for (const days of [0, 181, -1, 1.5, Number.NaN]) expect(() => reserveReleaseAt(heldAt, days)).toThrow(RangeError)
})
