import { expect, test } from 'vitest'
import { afterFailure, type EndpointHealth, HEALTHY, inFlightMax, isGivenUp } from '../../src/domain/webhook-breaker.ts'

const SECOND_MS = 1_000
const DAY_MS = 86_400_000
const start = new Date('2026-11-21T12:00:00.000Z')
const later = (ms: number) => new Date(start.getTime() + ms)

const failed = (times: number, unreachable = true, health = HEALTHY, now = start): EndpointHealth =>
  Array.from({ length: times }).reduce<EndpointHealth>((known) => afterFailure(known, unreachable, now), health)

/** Lets each probe fail the moment it is due, and answers how long the breaker was open each time. */
const openings = (count: number): number[] => {
  let health = failed(5)
  let now = start
  return Array.from({ length: count }, () => {
    const until = health.breakerOpenUntil ?? now
    const openMs = until.getTime() - now.getTime()
    now = until
    health = afterFailure(health, true, now)
    return openMs / SECOND_MS
  })
}

test('the fifth failure in a row opens the breaker, the fourth does not', () => {
  expect(failed(4).breakerOpenUntil).toBeNull()
  expect(failed(5).breakerOpenUntil).toEqual(later(30 * SECOND_MS))
})

test('each failed probe doubles the time, up to 30 minutes', () => {
  expect(openings(9)).toEqual([30, 60, 120, 240, 480, 960, 1_800, 1_800, 1_800])
})

test('calls that were under way when it opened change nothing more', () => {
  const open = failed(5)
  expect(failed(3, true, open, later(SECOND_MS))).toMatchObject({
    breakerOpenUntil: open.breakerOpenUntil,
    breakerOpenings: 1,
    failedAttempts: 8,
  })
})

test('a server that refuses is a server that works: its answers do not open the breaker', () => {
  expect(failed(50, false)).toMatchObject({ breakerOpenUntil: null, consecutiveFailures: 0, failedAttempts: 50 })
})

test('the longer an endpoint fails, the fewer calls are made at once, and one while a probe decides', () => {
  expect([0, 1, 2, 3, 4].map((times) => inFlightMax(failed(times)))).toEqual([10, 4, 3, 2, 1])
  expect(inFlightMax(failed(5))).toBe(1)
})

test('it is given up after five days without success, but never for a few attempts', () => {
  expect(isGivenUp(failed(20), later(5 * DAY_MS - 1))).toBe(false)
  expect(isGivenUp(failed(20), later(5 * DAY_MS))).toBe(true)
  expect(isGivenUp(failed(19), later(30 * DAY_MS))).toBe(false)
  expect(isGivenUp(HEALTHY, later(30 * DAY_MS))).toBe(false)
})
