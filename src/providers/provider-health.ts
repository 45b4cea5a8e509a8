import type { Clock } from '../clock.ts'

const REMEMBERED_MS = 60_000

/** Remembers failed calls of the payment provider, in real time. One in the last minute makes it `degraded`. */
export const createProviderHealth = (wallClock: Clock) => {
  let failedAtMs = Number.NEGATIVE_INFINITY
  return {
    /** Notes a call that was not answered, or not in our words. */
    noteFailure: (): void => {
      failedAtMs = wallClock.now().getTime()
    },
    state: (): 'ok' | 'degraded' => (wallClock.now().getTime() - failedAtMs < REMEMBERED_MS ? 'degraded' : 'ok'),
  }
}

export type ProviderHealth = ReturnType<typeof createProviderHealth>
