const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

const RETRY_AFTER_MAX_MS = 24 * HOUR_MS

/** Waiting before each attempt, counted from the end of the one before: the example schedule of Standard Webhooks 1.0.0. */
const DELAYS_MS = [
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
] as const

export const DELIVERY_ATTEMPTS_MAX = DELAYS_MS.length

/** Share by which a delay is made shorter or longer, so that what failed together does not come back together. */
const JITTER = 0.2

/**
 * When to try again after `attemptsMade` failed attempts; undefined when there is no further attempt.
 * Never earlier than `retryAfterMs` from now, whatever the jitter. `random` gives numbers from 0 up to but not 1.
 */
export const nextAttemptAt = (
  attemptsMade: number,
  now: Date,
  random: () => number,
  retryAfterMs = 0,
): Date | undefined => {
  const delayMs = DELAYS_MS[attemptsMade]
  if (delayMs === undefined) return undefined
  const jitteredMs = Math.round(delayMs * (1 - JITTER + 2 * JITTER * random()))
  return new Date(now.getTime() + Math.max(jitteredMs, retryAfterMs))
}

/** RFC 9110, section 5.6.7: the form in use, and the two obsolete ones that a recipient still must read. */
const IMF_OR_RFC_850_DATE = /^[A-Z][a-z]+, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/
const DELAY_SECONDS = /^\d+$/

const httpDateMs = (text: string): number => {
  if (IMF_OR_RFC_850_DATE.test(text)) return Date.parse(text)
  return ASCTIME_DATE.test(text) ? Date.parse(`${text} GMT`) : Number.NaN
}

/**
 * Reads a Retry-After header (RFC 9110, section 10.2.3), as seconds or as date, into milliseconds from `now`.
 * A date in the past is 0, more than a day is a day, and what is neither form is undefined.
 */
export const retryAfterMs = (headerValue: string | undefined, now: Date): number | undefined => {
  const text = headerValue?.trim() ?? ''
  const waitMs = DELAY_SECONDS.test(text) ? Number(text) * SECOND_MS : httpDateMs(text) - now.getTime()
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), RETRY_AFTER_MAX_MS)
}
