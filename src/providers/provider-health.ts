import type { Clock } from '../clock.ts'

const REMEMBERED_MS = 60_000

type Dependencies = {
  wallClock: Clock
  /** Whether a provider is left alone because it does not answer. */
  isAnyAway: () => boolean
  /** What an operator has to do about a provider before long, in one line each. */
  findWarnings: () => readonly string[]
}

/**
 * Remembers failed calls of payment providers, in real time. One in the last minute makes them `degraded`, and so does what
 * will end soon; one that is left alone is `down`.
 */
export const createProviderHealth = ({ wallClock, isAnyAway, findWarnings }: Dependencies) => {
  let failedAtMs = Number.NEGATIVE_INFINITY
  return {
    /** Notes a call that was not answered, or not in our words. */
    noteFailure: (): void => {
      failedAtMs = wallClock.now().getTime()
    },
    state: (): 'ok' | 'degraded' | 'down' => {
      if (isAnyAway()) return 'down'
      const isFailing = wallClock.now().getTime() - failedAtMs < REMEMBERED_MS
      return isFailing || findWarnings().length > 0 ? 'degraded' : 'ok'
    },
    findWarnings,
  }
}

export type ProviderHealth = ReturnType<typeof createProviderHealth>
