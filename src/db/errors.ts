type DriverFault = { code?: unknown; constraint?: unknown }

// Drizzle wraps the driver's error, and its message holds the parameters: only code and constraint leave this file.
const driverFault = (error: unknown): DriverFault => {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  return typeof cause === 'object' && cause !== null ? cause : {}
}

/** The SQLSTATE of a failed statement, if the error came from Postgres. */
export const sqlState = (error: unknown): string | undefined => {
  const { code } = driverFault(error)
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** Whether a statement failed on the constraint (or unique index) of this name. */
export const violates = (error: unknown, constraint: string): boolean => driverFault(error).constraint === constraint

/** A kept statement whose table has other columns by now. The connection would refuse it ever after, and is ended. */
const OUTDATED_PLAN_STATE = '0A000'

export const isOutdatedPlan = (error: unknown): boolean => sqlState(error) === OUTDATED_PLAN_STATE

const RETRYABLE_STATES: ReadonlySet<string> = new Set(['40001', '40P01', OUTDATED_PLAN_STATE])

/** What a transaction throws that has read what somebody else has changed since: it is tried again from its beginning. */
export const outdatedRead = (what: string): Error =>
  new Error(`${what} changed since it was read`, { cause: { code: '40001' } })

const CHECK_STATE = '23514'

// A row on its way to the rest of a partitioned table, when the part that it belongs to was made in that moment. A check of
// ours has a name, this one has none.
const isForNewPart = (error: unknown): boolean =>
  sqlState(error) === CHECK_STATE && driverFault(error).constraint === undefined

/**
 * Whether the same transaction may succeed when tried again: a deadlock, a serialization failure, an outdated plan, or a
 * part of a table that was made meanwhile.
 */
export const isRetryable = (error: unknown): boolean =>
  RETRYABLE_STATES.has(sqlState(error) ?? '') || isForNewPart(error)

const READ_ONLY_STATE = '25006'
const LOCK_TIMEOUT_STATE = '55P03'
const STATEMENT_TIMEOUT_STATE = '57014'

/** Whether a statement wanted to write where nothing can be written: on a standby, above all. */
export const isReadOnly = (error: unknown): boolean => sqlState(error) === READ_ONLY_STATE

/** Whether a statement gave up waiting for a lock that somebody else holds. */
export const isLockTimeout = (error: unknown): boolean => sqlState(error) === LOCK_TIMEOUT_STATE

const NETWORK_CODES: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT'])
const SILENCE_MESSAGES = [
  'Query read timeout',
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
]
const NETWORK_MESSAGES = [...SILENCE_MESSAGES, 'Connection terminated', 'Client has encountered a connection error']

// Its disk or its memory is full, or it has no connection left. A statement that asks for too much (53400) is not among them.
const EXHAUSTED_STATES: ReadonlySet<string> = new Set(['53100', '53200', '53300'])
const UNAVAILABLE_STATES: ReadonlySet<string> = new Set([
  ...EXHAUSTED_STATES,
  READ_ONLY_STATE,
  LOCK_TIMEOUT_STATE,
  STATEMENT_TIMEOUT_STATE,
])

const causeOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? error.cause : error

const says = (error: unknown, messages: readonly string[]): boolean =>
  error instanceof Error && messages.some((message) => error.message.includes(message))

/** Whether the database gave no answer at all in the time that it had, so that the next statement will get none either. */
export const isSilence = (error: unknown): boolean => says(causeOf(error), SILENCE_MESSAGES)

/**
 * Whether the database could not be reached, is going away, is full, cannot be written or took too long, which a caller may
 * simply try again later.
 */
export const isUnavailable = (error: unknown): boolean => {
  const state = sqlState(error)
  if (state !== undefined) return state.startsWith('08') || state.startsWith('57P') || UNAVAILABLE_STATES.has(state)
  const cause = causeOf(error)
  if (!(cause instanceof Error)) return false
  const code = 'code' in cause ? String(cause.code) : ''
  return NETWORK_CODES.has(code) || says(cause, NETWORK_MESSAGES)
}
