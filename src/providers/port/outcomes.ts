/** The provider said no, and nothing happened there. */
export type Refused = { outcome: 'refused'; reason: string }

/**
 * Nobody knows whether it happened: ask later, never treat it as failed, never repeat it under another id. `isAway`: because
 * the provider did not answer.
 */
export type Unknown = { outcome: 'unknown'; reason: string; isAway?: boolean }

/**
 * Nobody took it and nothing happened there: the same may be asked again under its id. `isAway`: the provider did not answer
 * at all, where otherwise it only had no room for this call.
 */
export type Unavailable = { outcome: 'unavailable'; reason: string; isAway: boolean; retryAfterMs: number | null }
