/**
 * How many calls may be sent: a token bucket for the account, a smaller one for work in the background, and the pauses
 * that a PSP has asked for. Nobody waits in here: a call that finds no room is told at once when to come again, so that
 * a seller's request is answered and a poller stops.
 */
import type { RateLimited } from '../outcome.ts'
import type { BudgetLimits } from '../profiles.ts'

const SECOND_MS = 1_000
/** For a 429 that does not say how long. */
const PAUSE_MS = 1_000

type Bucket = {
  /** Milliseconds until there is room; 0 takes it. */
  take: () => number
}

const createBucket = (perSecond: number, burst: number, monotonicMs: () => number): Bucket => {
  let tokens = burst
  let filledAt = monotonicMs()
  return {
    take: () => {
      const now = monotonicMs()
      tokens = Math.min(burst, tokens + ((now - filledAt) / SECOND_MS) * perSecond)
      filledAt = now
      if (tokens < 1) return Math.ceil(((1 - tokens) / perSecond) * SECOND_MS)
      tokens -= 1
      return 0
    },
  }
}

const NO_BOUND: Bucket = { take: () => 0 }

export type Budget = ReturnType<typeof createBudget>

export const createBudget = (limits: BudgetLimits, monotonicMs: () => number) => {
  const { perSecond, burst, backgroundPerSecond } = limits
  const all = perSecond === null ? NO_BOUND : createBucket(perSecond, burst, monotonicMs)
  const background = createBucket(backgroundPerSecond, Math.max(1, backgroundPerSecond), monotonicMs)
  const pausedUntil = new Map<string, number>()
  let backgroundPausedUntil = 0

  const pauseMs = (operation: string, isBackground: boolean): number => {
    const until = Math.max(pausedUntil.get(operation) ?? 0, isBackground ? backgroundPausedUntil : 0)
    return Math.max(0, Math.ceil(until - monotonicMs()))
  }

  const waitMs = (operation: string, isBackground: boolean): number => {
    const paused = pauseMs(operation, isBackground)
    if (paused > 0) return paused
    const backgroundWait = isBackground ? background.take() : 0
    return backgroundWait > 0 ? backgroundWait : all.take()
  }

  return {
    /** Room for one call, or when to ask again. */
    take: (operation: string, isBackground: boolean): RateLimited | undefined => {
      const ms = waitMs(operation, isBackground)
      return ms === 0 ? undefined : { kind: 'rate_limited', by: 'budget', retryAfterMs: ms }
    },
    /**
     * The PSP has answered 429. Budgets of PSPs differ by operation, so this operation pauses, and everything in the
     * background with it; what somebody waits for at other operations goes on. Answers for how long.
     */
    pause: (operation: string, asked: number | null): number => {
      const ms = asked ?? PAUSE_MS
      const until = monotonicMs() + ms
      pausedUntil.set(operation, Math.max(until, pausedUntil.get(operation) ?? 0))
      backgroundPausedUntil = Math.max(until, backgroundPausedUntil)
      return ms
    },
  }
}
