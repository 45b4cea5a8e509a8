import type { Clock } from '../clock.ts'
import { AppError, idempotencyErrors } from '../errors.ts'
import type { createIdempotencyRepository, IdempotencyKey, IdempotencyRecord } from './idempotency.repository.ts'

/** How long a first answer is repeated. */
export const IDEMPOTENCY_TTL_MS = 24 * 3_600_000

/** A request that names itself, so that a repeat of it cannot act twice. */
export type Idempotency = IdempotencyKey & {
  /** SHA-256 of the validated body: the same key with another body is a mistake, not a repeat. */
  requestHash: string
  requestId: string
  /** Set when the answer is a repeated one; the header `Idempotency-Replayed` follows it. */
  replayed: boolean
}

type IdempotencyRepository = ReturnType<typeof createIdempotencyRepository>
type WithIdempotency = { idempotency: IdempotencyRepository }
type Transact<Tx> = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>

type StoredError = { code: string; detail: string; errors?: AppError['extras']['errors']; requestId: string }

const SUCCESS = 200

const stored = (idempotency: Idempotency, status: number, body: object, now: Date) => ({
  ownerId: idempotency.ownerId,
  operation: idempotency.operation,
  key: idempotency.key,
  requestHash: idempotency.requestHash,
  status,
  body: JSON.stringify(body),
  resourceId: null,
  leasedUntil: null,
  createdAt: now,
})

/** The record to keep for a successful answer. */
export const successRecord = (idempotency: Idempotency, answer: object, now: Date) =>
  stored(idempotency, SUCCESS, answer, now)

/** The record to keep for a refusal by a business rule. */
export const refusalRecord = (idempotency: Idempotency, error: AppError, now: Date) => {
  const body: StoredError = { code: error.code, detail: error.message, requestId: idempotency.requestId }
  if (error.extras.errors) body.errors = error.extras.errors
  return stored(idempotency, error.status, body, now)
}

/** Whether a refusal is an answer worth repeating: a business rule, not a passing condition. */
export const isRepeatable = (error: unknown): error is AppError =>
  error instanceof AppError &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 401 &&
  error.status !== 429 &&
  !error.code.startsWith('idempotency.')

/**
 * The first answer of a finished record: returned, or thrown where it was a refusal.
 * Throws idempotency.key_reused for another body.
 */
export const replay = <Result>(record: IdempotencyRecord, idempotency: Idempotency): Result => {
  if (record.requestHash !== idempotency.requestHash) throw idempotencyErrors.key_reused()
  if (record.status === null || record.body === null) {
    throw idempotencyErrors.in_progress({ headers: { 'retry-after': '1' } })
  }
  idempotency.replayed = true
  const body: unknown = JSON.parse(record.body)
  if (record.status === SUCCESS) return body as Result
  const { code, detail, errors, requestId } = body as StoredError
  throw new AppError(code, record.status, detail, { ...(errors ? { errors } : {}), requestId })
}

export const isExpired = (record: IdempotencyRecord, now: Date): boolean =>
  record.createdAt.getTime() <= now.getTime() - IDEMPOTENCY_TTL_MS

/**
 * Runs work at most once per key. The answer is kept in the transaction of the work; a repeat gets it again, byte for
 * byte, also where it was a refusal by a business rule. Without a key it is a plain transaction.
 *
 * Throws idempotency.key_reused (422) for another body and idempotency.in_progress (409) while the first still runs.
 */
export const createOnce = <Tx extends WithIdempotency>(transact: Transact<Tx>, clock: Clock) => {
  const attempt = async <Result extends object>(idempotency: Idempotency, work: (tx: Tx) => Promise<Result>) =>
    transact(async (tx) => {
      if (!(await tx.idempotency.lock(idempotency))) {
        throw idempotencyErrors.in_progress({ headers: { 'retry-after': '1' } })
      }
      const now = clock.now()
      const record = await tx.idempotency.find(idempotency)
      if (record && !isExpired(record, now)) return replay<Result>(record, idempotency)
      const result = await work(tx)
      await tx.idempotency.put(successRecord(idempotency, result, now))
      return result
    })

  // The work was rolled back, so its refusal is kept by itself. A repeat may have gone through in between: its answer
  // then stands, and is given back instead.
  const refuse = async <Result>(idempotency: Idempotency, refusal: AppError): Promise<Result> => {
    const overtaking = await transact(async (tx) => {
      if (!(await tx.idempotency.lock(idempotency))) return undefined
      const now = clock.now()
      const record = await tx.idempotency.find(idempotency)
      if (record && !isExpired(record, now)) return record
      await tx.idempotency.put(refusalRecord(idempotency, refusal, now))
      return undefined
    })
    if (overtaking === undefined) throw refusal
    return replay<Result>(overtaking, idempotency)
  }

  return async <Result extends object>(
    idempotency: Idempotency | undefined,
    work: (tx: Tx) => Promise<Result>,
  ): Promise<Result> => {
    if (idempotency === undefined) return transact(work)
    try {
      return await attempt(idempotency, work)
    } catch (error) {
      if (!isRepeatable(error) || idempotency.replayed) throw error
      return refuse<Result>(idempotency, error)
    }
  }
}

export type Once<Tx extends WithIdempotency> = ReturnType<typeof createOnce<Tx>>
