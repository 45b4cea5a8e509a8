/** Far less than the five minutes at which receivers refuse a webhook's time (Standard Webhooks 1.0.0), and no network's delay. */
const SKEW_MAX_MS = 30_000

/** Whether a process' clock is too far from the database's, ahead or behind. In milliseconds. */
export const isClockWrong = (clockSkewMs: number): boolean => Math.abs(clockSkewMs) > SKEW_MAX_MS
