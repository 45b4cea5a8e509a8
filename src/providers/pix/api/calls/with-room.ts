import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcome } from '../outcome.ts'

/** How long, and how often, is waited where there is no room for a call. A PSP that wants more is left alone. */
const WAIT_MAX_MS = 5_000
const WAITS_MAX = 20

/**
 * Makes one of many calls in the background as soon as there is room for it. They have the smallest part of the budget, and a
 * day thousands of pages: without waiting they never end, and would stop at the same place each time.
 */
export const withRoom = async <Value>(call: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> => {
  let result = await call()
  for (let waits = 0; waits < WAITS_MAX; waits += 1) {
    if (result.kind !== 'rate_limited' || result.retryAfterMs > WAIT_MAX_MS) return result
    await sleep(result.retryAfterMs)
    result = await call()
  }
  return result
}
