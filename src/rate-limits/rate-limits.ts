import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.ts'
import type { RateLimitsRepository, RequestCount } from './rate-limits.repository.ts'

/** What a caller may still do: `remaining` requests until the window ends in `resetSeconds`. */
export type Verdict = {
  allowed: boolean
  limit: number
  remaining: number
  resetSeconds: number
  windowSeconds: number
}

type Dependencies = {
  repository: RateLimitsRepository
  windowMs: number
  /** Real time: the platform's clock may be moved, a flood may not profit from it. */
  clock: Clock
}

type Counter = { windowStartedAtMs: number; shared: number; unsent: number }

const CALLERS_MAX = 100_000
const CLEAN_EVERY_WINDOWS = 2

/**
 * Counts requests per bucket and fixed window, for all processes together. `take` counts in memory and so costs no
 * query; `synchronise`, called about once a second, exchanges the counts with the other processes through one table.
 * `takeExactly` counts in that table right away, for operations where a second of delay would be worth an attack.
 * No library does this: those that share counts ask the store for every request (docs/adr/0018).
 */
export const createRateLimits = ({ repository, windowMs, clock }: Dependencies) => {
  // Bounded by size, each counting as one: `max` would take the room for all of them beforehand.
  const counters = new LRUCache<string, Counter>({ maxSize: CALLERS_MAX, sizeCalculation: () => 1 })
  let cleanedAtMs = 0

  const windowStart = (): number => Math.floor(clock.now().getTime() / windowMs) * windowMs

  const verdict = (requests: number, limit: number): Verdict => ({
    allowed: requests <= limit,
    limit,
    remaining: Math.max(0, limit - requests),
    resetSeconds: Math.max(1, Math.ceil((windowStart() + windowMs - clock.now().getTime()) / 1_000)),
    windowSeconds: Math.ceil(windowMs / 1_000),
  })

  const counterOf = (bucket: string): Counter => {
    const known = counters.get(bucket)
    const windowStartedAtMs = windowStart()
    if (known?.windowStartedAtMs === windowStartedAtMs) return known
    const fresh = { windowStartedAtMs, shared: 0, unsent: 0 }
    counters.set(bucket, fresh)
    return fresh
  }

  const unsentCounts = (): RequestCount[] => {
    const current = windowStart()
    return [...counters.entries()].flatMap(([bucket, { windowStartedAtMs, unsent }]) =>
      windowStartedAtMs === current && unsent > 0 ? [{ bucket, windowStartedAtMs, requests: unsent }] : [],
    )
  }

  const cleanUp = async (): Promise<void> => {
    const current = windowStart()
    if (current - cleanedAtMs < CLEAN_EVERY_WINDOWS * windowMs) return
    cleanedAtMs = current
    await repository.deleteBefore(new Date(current - windowMs))
  }

  return {
    /** Counts one request of this process. A refused one is not counted, so refusals never lengthen the wait. */
    take(bucket: string, limit: number): Verdict {
      const counter = counterOf(bucket)
      const requests = counter.shared + counter.unsent + 1
      if (requests <= limit) counter.unsent += 1
      return verdict(requests, limit)
    },

    /** Whether one more request would be allowed, without counting it. */
    peek(bucket: string, limit: number): Verdict {
      const known = counters.get(bucket)
      const requests = known?.windowStartedAtMs === windowStart() ? known.shared + known.unsent : 0
      return verdict(requests + 1, limit)
    },

    /** Counts one request of all processes, by one statement. */
    async takeExactly(bucket: string, limit: number): Promise<Verdict> {
      const [counted] = await repository.add([{ bucket, windowStartedAtMs: windowStart(), requests: 1 }])
      return verdict(counted?.requests ?? 1, limit)
    },

    /** Tells the other processes what was counted here, learns what they counted, and forgets old windows. */
    async synchronise(): Promise<void> {
      const sent = unsentCounts()
      if (sent.length > 0) {
        const totals = new Map((await repository.add(sent)).map(({ bucket, requests }) => [bucket, requests]))
        for (const { bucket, windowStartedAtMs, requests } of sent) {
          const counter = counters.peek(bucket)
          if (counter?.windowStartedAtMs !== windowStartedAtMs) continue
          counter.shared = totals.get(bucket) ?? counter.shared
          counter.unsent -= requests
        }
      }
      await cleanUp()
    },
  }
}

export type RateLimits = ReturnType<typeof createRateLimits>
