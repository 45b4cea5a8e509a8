import { STATUS_CODES } from 'node:http'

/** One fault of the input: where it is, which rule it breaks and how to mend it. */
export type InputFault = { in: 'body' | 'query' | 'params' | 'headers'; path: string; code: string; message: string }

export type ErrorExtras = {
  /** Replaces the definition's sentence where the case allows a more exact one. Never holds personal data. */
  detail?: string
  errors?: readonly InputFault[]
  /** Of the request that was refused first, where this is a repeat of that answer. */
  requestId?: string
  headers?: Readonly<Record<string, string>>
}

/** A refusal that the caller can act on. Codes (`area.name`) are part of the API. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: string
  readonly status: number
  readonly extras: ErrorExtras

  constructor(code: string, status: number, detail: string, extras: ErrorExtras = {}) {
    super(extras.detail ?? detail)
    this.code = code
    this.status = status
    this.extras = extras
  }
}

export type ErrorDefinition = { code: string; status: number; title: string; detail: string }

// Node still has the names of older standards; these are those of RFC 9110.
const RENAMED: Readonly<Record<number, string>> = { 413: 'Content Too Large', 422: 'Unprocessable Content' }

/** The standard's name of a status. */
export const titleOf = (status: number): string => RENAMED[status] ?? STATUS_CODES[status] ?? 'Error'

const catalogue = new Map<string, ErrorDefinition>()

/** Every error that the platform can answer, by code: the source of the pages under `/errors/` and of the documentation. */
export const errorCatalogue: ReadonlyMap<string, ErrorDefinition> = catalogue

type Definitions = Readonly<Record<string, readonly [status: number, detail: string]>>

/**
 * Defines an area's errors once. `defineErrors('payment', { not_found: [404, 'No payment has this id.'] })`
 * gives `paymentErrors.not_found()`, an AppError with the code `payment.not_found`.
 */
export const defineErrors = <Names extends Definitions>(area: string, definitions: Names) => {
  const constructors = Object.entries(definitions).map(([name, [status, detail]]) => {
    const code = `${area}.${name}`
    catalogue.set(code, { code, status, title: titleOf(status), detail })
    return [name, (extras?: ErrorExtras) => new AppError(code, status, detail, extras)] as const
  })
  return Object.fromEntries(constructors) as { [Name in keyof Names]: (extras?: ErrorExtras) => AppError }
}

/**
 * A code with another status, where what is wrong is no header but a field. Routes name it `<code> <status>`, and it is
 * documented beside the definition of the code.
 */
export const defineVariant = (code: string, status: number, detail: string) => {
  catalogue.set(`${code} ${status}`, { code, status, title: titleOf(status), detail })
  return (extras?: ErrorExtras) => new AppError(code, status, detail, extras)
}

export const authErrors = defineErrors('auth', {
  token_missing: [401, 'Send the access token in the header Authorization: Bearer <token>.'],
  token_invalid: [401, 'The access token is not valid. Log in again to get a new one.'],
  token_expired: [401, 'The access token has expired. Use the refresh token to get a new one.'],
  credentials_invalid: [401, 'These credentials do not match an account.'],
  password_expired: [
    401,
    'This password was made up and is not good any more. Run npm run admin:password on the server.',
  ],
  totp_required: [401, 'The password is right, and this account also asks for a code. Log in again with totpCode.'],
  totp_invalid: [401, 'The password is right, but this code is wrong, of another moment or used before.'],
  grant_unsupported: [400, 'The only grant is client_credentials.'],
  scope_invalid: [400, 'These credentials do not have all the scopes that were asked for.'],
  refresh_token_invalid: [401, 'The refresh token is unknown, expired or already used. Log in again.'],
  forbidden: [403, 'This account may not use this operation.'],
  step_up_required: [
    403,
    'Show your password or a code once more at POST /api/v1/auth/step-up, and repeat this within ten minutes.',
  ],
  step_up_failed: [403, 'This password or code is not right.'],
  second_factor_required: [
    403,
    'This needs an account with a second factor. Set one up at POST /api/v1/users/{id}/totp, and repeat this.',
  ],
  password_change_required: [
    403,
    'This password was made up. Choose one of your own at PUT /api/v1/users/{id}/password, and repeat this.',
  ],
  account_blocked: [403, 'This account is blocked. Ask the platform why, and what to do.'],
  scope_missing: [403, 'These API credentials lack the scope that this operation needs.'],
  address_not_allowed: [403, 'These API credentials may not be used from this address.'],
  account_locked: [429, 'Too many failed attempts from here. Wait until the time in Retry-After and try again.'],
})

export const requestErrors = defineErrors('validation', {
  failed: [400, 'The request has faults. Each is named in errors.'],
})

export const preconditionErrors = defineErrors('precondition', {
  failed: [412, 'This has changed since you read it. Read it again, and repeat the change with its new ETag.'],
})

export const routeErrors = defineErrors('route', {
  not_found: [404, 'No operation has this path.'],
  method_not_allowed: [405, 'This path does not have this method. The header Allow names those that it has.'],
})

export const serverErrors = defineErrors('server', {
  bad_request: [400, 'The request could not be read.'],
  request_timeout: [408, 'The request did not arrive completely in time.'],
  payload_too_large: [413, 'The body is larger than this operation accepts.'],
  unsupported_media_type: [415, 'This operation does not accept this content type.'],
  expectation_failed: [417, 'The only expectation that this server knows is 100-continue.'],
  too_many_requests: [429, 'Too many requests. Wait until the time in Retry-After and try again.'],
  headers_too_large: [431, 'The address and the headers of the request are larger than this server accepts.'],
  internal: [500, 'Something went wrong on our side. The requestId finds it in the log.'],
  unavailable: [503, 'The service cannot answer right now. Try again shortly.'],
})

export const idempotencyErrors = defineErrors('idempotency', {
  key_required: [400, 'This operation needs the header Idempotency-Key, so that a repeat cannot act twice.'],
  key_reused: [422, 'This Idempotency-Key was used with another body. Use a new key for a new request.'],
  in_progress: [409, 'The first request with this Idempotency-Key is still running. Try again in a second.'],
})
