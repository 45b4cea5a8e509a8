import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DELIVERY_ATTEMPTS_MAX, nextAttemptAt, retryAfterMs } from '../../src/domain/webhook-retry.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const now = new Date('2026-11-21T12:00:00.000Z')
const noJitter = () => 0.5

const delayMs = (attemptsMade: number, random = noJitter, retryAfter?: number) => {
  const at = nextAttemptAt(attemptsMade, now, random, retryAfter)
  return at && at.getTime() - now.getTime()
}

test('ten attempts: at once, then after 5 s, 5 m, 30 m, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h', () => {
  expect(Array.from({ length: DELIVERY_ATTEMPTS_MAX }, (_, made) => delayMs(made))).toEqual([
    0,
    5 * SECOND_MS,
    5 * MINUTE_MS,
    30 * MINUTE_MS,
    2 * HOUR_MS,
    5 * HOUR_MS,
    10 * HOUR_MS,
    14 * HOUR_MS,
    20 * HOUR_MS,
    24 * HOUR_MS,
  ])
})

test('there is no eleventh attempt, not even when the receiver names a time', () => {
  expect(delayMs(10)).toBeUndefined()
  expect(delayMs(11, noJitter, HOUR_MS)).toBeUndefined()
})

test('the jitter is a fifth to either side', () => {
  expect(delayMs(4, () => 0)).toBe(2 * HOUR_MS * 0.8)
  expect(delayMs(4, () => 0.999_999_999)).toBeCloseTo(2 * HOUR_MS * 1.2, -2)
})

test('no jitter makes an attempt earlier than Retry-After or than its own delay less a fifth', () => {
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  fc.assert(
    fc.property(fc.nat(9), random, fc.nat(DAY_MS), (made, jitter, retryAfter) => {
      const actual = delayMs(made, () => jitter, retryAfter) ?? Number.NaN
      const plain = delayMs(made) ?? Number.NaN
      expect(actual).toBeGreaterThanOrEqual(Math.max(retryAfter, Math.floor(plain * 0.8)))
      expect(actual).toBeLessThanOrEqual(Math.max(retryAfter, Math.ceil(plain * 1.2)))
    }),
  )
})

test.each([
  ['0', 0],
  ['120', 2 * MINUTE_MS],
  [' 120 ', 2 * MINUTE_MS],
  ['86400', DAY_MS],
  ['86401', DAY_MS],
  ['1000000000', DAY_MS],
  ['9'.repeat(400), DAY_MS],
  ['Sat, 21 Nov 2026 12:00:30 GMT', 30 * SECOND_MS],
  ['Saturday, 21-Nov-26 12:00:30 GMT', 30 * SECOND_MS],
  ['Sat Nov 21 12:00:30 2026', 30 * SECOND_MS],
  ['Thu Nov  5 12:00:30 2026', 0],
  ['Sat, 21 Nov 2026 11:59:59 GMT', 0],
  ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
  ['Sat, 21 Nov 2099 12:00:00 GMT', DAY_MS],
])('Retry-After %j is a wait of %d ms', (header, expected) => {
  expect(retryAfterMs(header, now)).toBe(expected)
})

test.each([
  undefined,
  '',
  'soon',
  '-5',
  '+5',
  '1.5',
  '1e9',
  '0x10',
  'NaN',
  'Infinity',
  '5, 10',
  '2026-11-21T12:00:30Z',
  '21 Nov 2026 12:00:30 GMT',
  'Sat, 21 Nov 2026 12:00:30 +0300',
  'Sat, 99 Nov 2026 12:00:30 GMT',
])('Retry-After %j is ignored', (header) => {
  expect(retryAfterMs(header, now)).toBeUndefined()
})

test('whatever a receiver writes, the wait is between nothing and a day', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.integer().map(String),
        fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
      ),
      (header) => {
        const wait = retryAfterMs(header, now) ?? 0
        expect(wait).toBeGreaterThanOrEqual(0)
        expect(wait).toBeLessThanOrEqual(DAY_MS)
      },
    ),
  )
})
