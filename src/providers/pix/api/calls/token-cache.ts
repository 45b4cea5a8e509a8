/**
 * Access tokens, by the scopes that they were asked for. PSPs block addresses that ask for tokens too often, so that
 * one fetch serves everybody who waits, a token is replaced in good time and not at its end, and a failed fetch is
 * remembered for a while. Lifetimes are counted from when the token was asked for, by a clock that nobody sets.
 */
import type { Unavailable } from '../outcome.ts'
import { unavailable } from '../outcome.ts'
import { until } from '../transport/deadline.ts'

/** What the token endpoint gave. */
export type FetchedToken = { kind: 'token'; value: string; lifeMs: number }

export type Token = { kind: 'token'; value: string }

type Held = Token & { refreshAt: number; endsAt: number }
type Failed = { outcome: Unavailable; until: number; count: number }
type Entry = {
  held?: Held | undefined
  fetching?: Promise<Held | Unavailable> | undefined
  failed?: Failed | undefined
}

type Dependencies = {
  /** Never rejects, and has a deadline of its own. */
  fetchToken: (scopes: readonly string[]) => Promise<FetchedToken | Unavailable>
  monotonicMs: () => number
}

/** Of a token's life: from here on a new one is fetched while this one is still used. */
const REFRESH_AT = 0.75
/** Of a token's life: from here on it is not used, so that none ends on its way to the PSP. */
const ENDS_AT = 0.95

const WAIT_MS = 1_000
const WAIT_MAX_MS = 30_000
/** After a token was refused as soon as it was fetched: the next one is not likely to be better. */
const REJECTED_WAIT_MS = 5_000

export type TokenCache = ReturnType<typeof createTokenCache>

export const createTokenCache = ({ fetchToken, monotonicMs }: Dependencies) => {
  const entries = new Map<string, Entry>()

  const entryOf = (scopes: readonly string[]): Entry => {
    const key = scopes.toSorted().join(' ')
    const entry = entries.get(key) ?? {}
    entries.set(key, entry)
    return entry
  }

  const hold = (entry: Entry, { value, lifeMs }: FetchedToken, askedAt: number): Held => {
    const held: Held = {
      ...{ kind: 'token', value },
      refreshAt: askedAt + lifeMs * REFRESH_AT,
      endsAt: askedAt + lifeMs * ENDS_AT,
    }
    entry.held = held
    entry.failed = undefined
    return held
  }

  const remember = (entry: Entry, outcome: Unavailable): Unavailable => {
    const count = (entry.failed?.count ?? 0) + 1
    const waitMs = Math.max(Math.min(WAIT_MS * 2 ** (count - 1), WAIT_MAX_MS), outcome.retryAfterMs ?? 0)
    entry.failed = { outcome, count, until: monotonicMs() + waitMs }
    return { ...outcome, retryAfterMs: waitMs }
  }

  const fetchNow = async (entry: Entry, scopes: readonly string[]): Promise<Held | Unavailable> => {
    const askedAt = monotonicMs()
    const result = await fetchToken(scopes)
    entry.fetching = undefined
    return result.kind === 'token' ? hold(entry, result, askedAt) : remember(entry, result)
  }

  const fetch = (entry: Entry, scopes: readonly string[]): Promise<Held | Unavailable> => {
    entry.fetching ??= fetchNow(entry, scopes)
    return entry.fetching
  }

  /** The failure that is still fresh enough not to ask again. */
  const freshFailure = ({ failed }: Entry): Unavailable | undefined => {
    const leftMs = failed === undefined ? 0 : failed.until - monotonicMs()
    return failed === undefined || leftMs <= 0 ? undefined : { ...failed.outcome, retryAfterMs: Math.ceil(leftMs) }
  }

  return {
    /** A token that is good for now. Waits no longer than the signal; the fetch goes on for others. */
    get: async (scopes: readonly string[], signal: AbortSignal): Promise<Token | Unavailable> => {
      const entry = entryOf(scopes)
      const now = monotonicMs()
      const failure = freshFailure(entry)
      if (entry.held !== undefined && now < entry.held.endsAt) {
        if (now >= entry.held.refreshAt && failure === undefined) void fetch(entry, scopes)
        return entry.held
      }
      return failure ?? until(fetch(entry, scopes), signal, (reason) => unavailable(`token_${reason}`))
    },
    /** The API did not take this token: the next `get` fetches another, unless somebody has done so already. */
    drop: (scopes: readonly string[], { value }: Token): void => {
      const entry = entryOf(scopes)
      if (entry.held?.value === value) entry.held = undefined
    },
    /** The API did not take a token that was fetched for this call: for some seconds, no more are fetched. */
    reject: (scopes: readonly string[], { value }: Token): Unavailable => {
      const entry = entryOf(scopes)
      const outcome = unavailable('token_rejected', REJECTED_WAIT_MS)
      if (entry.held?.value === value) {
        entry.held = undefined
        entry.failed = { outcome, count: 1, until: monotonicMs() + REJECTED_WAIT_MS }
      }
      return outcome
    },
  }
}
