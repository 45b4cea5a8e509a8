const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const DAY_MS = 24 * 60 * MINUTE_MS

const BREAKER_FAILURES = 5
const OPEN_FIRST_MS = 30 * SECOND_MS
const OPEN_MAX_MS = 30 * MINUTE_MS

const GIVE_UP_AFTER_MS = 5 * DAY_MS
/** Below this many attempts five days of failure are only a few unlucky calls to a seller with little traffic. */
const GIVE_UP_ATTEMPTS_MIN = 20

/** How many calls to one endpoint may be under way at once, in all processes together. */
export const IN_FLIGHT_MAX = 10

/** What is known of an endpoint from its last answers. */
export type EndpointHealth = {
  /** Attempts in a row that found no working server. */
  consecutiveFailures: number
  /** Attempts of any kind since the last success. */
  failedAttempts: number
  failingSince: Date | null
  /** Until then nothing is sent. Once it has passed, one probe decides. */
  breakerOpenUntil: Date | null
  /** How often in a row the breaker has opened. */
  breakerOpenings: number
}

export const HEALTHY: EndpointHealth = {
  consecutiveFailures: 0,
  failedAttempts: 0,
  failingSince: null,
  breakerOpenUntil: null,
  breakerOpenings: 0,
}

const opened = (health: EndpointHealth, now: Date): EndpointHealth => {
  const openMs = Math.min(OPEN_FIRST_MS * 2 ** health.breakerOpenings, OPEN_MAX_MS)
  return {
    ...health,
    breakerOpenUntil: new Date(now.getTime() + openMs),
    breakerOpenings: health.breakerOpenings + 1,
  }
}

/**
 * After a failed attempt. `unreachable`: no working server answered (network, timeout, 5xx, 429); only such failures
 * open the breaker: the fifth in a row for 30 seconds, each failed probe for twice as long as before, up to 30 minutes.
 * Calls that were under way when it opened change nothing more.
 */
export const afterFailure = (health: EndpointHealth, unreachable: boolean, now: Date): EndpointHealth => {
  const failed: EndpointHealth = {
    ...health,
    consecutiveFailures: health.consecutiveFailures + (unreachable ? 1 : 0),
    failedAttempts: health.failedAttempts + 1,
    failingSince: health.failingSince ?? now,
  }
  const isOpen = health.breakerOpenUntil !== null && health.breakerOpenUntil > now
  return unreachable && !isOpen && failed.consecutiveFailures >= BREAKER_FAILURES ? opened(failed, now) : failed
}

/** Whether to stop calling an endpoint until its owner says otherwise. */
export const isGivenUp = ({ failingSince, failedAttempts }: EndpointHealth, now: Date): boolean =>
  failingSince !== null &&
  failedAttempts >= GIVE_UP_ATTEMPTS_MIN &&
  now.getTime() - failingSince.getTime() >= GIVE_UP_AFTER_MS

/** How many calls may be under way: fewer the longer an endpoint fails, and one where a probe decides. */
export const inFlightMax = ({ breakerOpenUntil, consecutiveFailures }: EndpointHealth): number => {
  if (breakerOpenUntil !== null) return 1
  return consecutiveFailures === 0 ? IN_FLIGHT_MAX : Math.max(1, BREAKER_FAILURES - consecutiveFailures)
}
