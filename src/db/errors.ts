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

const RETRYABLE_STATES: ReadonlySet<string> = new Set(['40001', '40P01'])

/** What a transaction throws that has read what somebody else has changed since: it is tried again from its beginning. */
export const outdatedRead = (what: string): Error =>
  new Error(`${what} changed since it was read`, { cause: { code: '40001' } })

/** Whether the same transaction may succeed when tried again: a deadlock or a serialization failure. */
export const isRetryable = (error: unknown): boolean => RETRYABLE_STATES.has(sqlState(error) ?? '')

const NETWORK_CODES: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT'])
const NETWORK_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
]

// Its disk or its memory is full, or it has no connection left. A statement that asks for too much (53400) is not among them.
const EXHAUSTED_STATES: ReadonlySet<string> = new Set(['53100', '53200', '53300'])

/** Whether the database could not be reached, is going away or is full, which a caller may simply try again later. */
export const isUnavailable = (error: unknown): boolean => {
  const state = sqlState(error)
  if (state !== undefined) return state.startsWith('08') || state.startsWith('57P') || EXHAUSTED_STATES.has(state)
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return false
  const code = 'code' in cause ? String(cause.code) : ''
  return NETWORK_CODES.has(code) || NETWORK_MESSAGES.some((message) => cause.message.includes(message))
}
