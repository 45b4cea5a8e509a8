/** So many calls in a row without an answer, and the provider is left alone. */
const FAILURES_MAX = 5
const REST_MS = 10_000

export type CircuitBreaker = {
  /** Whether a call may be made. After a rest, one is let through as a trial, and others wait for what becomes of it. */
  admits: () => boolean
  note: (result: 'answered' | 'away') => void
  /** How much is left of the rest, in milliseconds; 0: the provider is not left alone. */
  restsForMs: () => number
}

/**
 * Leaves a provider alone that does not answer: callers are then told at once, instead of each waiting for its deadline.
 * `nowMs` is a clock that nobody sets.
 */
export const createCircuitBreaker = (nowMs: () => number): CircuitBreaker => {
  let failures = 0
  let restUntilMs = Number.NEGATIVE_INFINITY
  const restsForMs = (): number => Math.max(0, Math.ceil(restUntilMs - nowMs()))
  return {
    restsForMs,
    admits: () => {
      if (restsForMs() > 0) return false
      // The trial of whoever comes first: the next one waits for a rest more, or until this one is answered.
      if (failures >= FAILURES_MAX) restUntilMs = nowMs() + REST_MS
      return true
    },
    note: (result) => {
      if (result === 'answered') {
        failures = 0
        restUntilMs = Number.NEGATIVE_INFINITY
        return
      }
      failures += 1
      if (failures >= FAILURES_MAX) restUntilMs = nowMs() + REST_MS
    },
  }
}
