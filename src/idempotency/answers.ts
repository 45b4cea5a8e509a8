import { AppError, idempotencyErrors } from '../errors.ts'
import type { IdempotencyRecord } from './idempotency.repository.ts'
import type { Idempotency } from './once.ts'

/** How long a first answer is repeated. */
export const IDEMPOTENCY_TTL_MS = 24 * 3_600_000

type StoredError = { code: string; detail: string; errors?: AppError['extras']['errors']; requestId: string }

const SUCCESS = 200

const recordOf = ({ ownerId, operation, key, requestHash }: Idempotency, createdAt: Date) => ({
  ownerId,
  operation,
  key,
  requestHash,
  resourceId: null,
  leasedUntil: null,
  createdAt,
})

/** The record to keep for a successful answer. */
export const successRecord = (request: Idempotency, answer: object, now: Date): IdempotencyRecord => ({
  ...recordOf(request, now),
  status: SUCCESS,
  body: JSON.stringify(answer),
})

/** The record to keep for a refusal by a business rule. */
export const refusalRecord = (request: Idempotency, error: AppError, now: Date): IdempotencyRecord => {
  const body: StoredError = { code: error.code, detail: error.message, requestId: request.requestId }
  if (error.extras.errors) body.errors = error.extras.errors
  return { ...recordOf(request, now), status: error.status, body: JSON.stringify(body) }
}

/** The record to keep while a request goes on outside the transaction. */
export const runningRecord = (
  request: Idempotency,
  { resourceId, leasedUntil }: { resourceId: string; leasedUntil: Date },
  now: Date,
): IdempotencyRecord => ({ ...recordOf(request, now), status: null, body: null, resourceId, leasedUntil })

/** Whether a refusal is an answer worth repeating: a business rule, not a passing condition. */
export const isRepeatable = (error: unknown): error is AppError =>
  error instanceof AppError &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 401 &&
  error.status !== 429 &&
  !error.code.startsWith('idempotency.')

export const isExpired = (record: IdempotencyRecord, now: Date): boolean =>
  record.createdAt.getTime() <= now.getTime() - IDEMPOTENCY_TTL_MS

/** Whether a request says what the one before it with its key said. */
export const isSameRequest = (
  record: IdempotencyRecord,
  { requestHash, olderRequestHashes = [] }: Idempotency,
): boolean => record.requestHash === requestHash || olderRequestHashes.includes(record.requestHash)

/**
 * The first answer of a record: returned, or thrown where it was a refusal. Throws idempotency.key_reused for another body,
 * and idempotency.in_progress while there is none.
 */
export const replay = <Body>(record: IdempotencyRecord, request: Idempotency): Body => {
  if (!isSameRequest(record, request)) throw idempotencyErrors.key_reused()
  if (record.status === null || record.body === null) {
    throw idempotencyErrors.in_progress({ headers: { 'retry-after': '1' } })
  }
  request.replayed = true
  const body: unknown = JSON.parse(record.body)
  if (record.status === SUCCESS) return body as Body
  const { code, detail, errors, requestId } = body as StoredError
  throw new AppError(code, record.status, detail, { ...(errors ? { errors } : {}), requestId })
}
