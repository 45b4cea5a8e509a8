import type { Clock } from '../clock.ts'
import type { Outcome } from '../db/coalesce.ts'
import { idempotencyErrors } from '../errors.ts'
import {
  isExpired,
  isRepeatable,
  isSameRequest,
  refusalRecord,
  replay,
  runningRecord,
  successRecord,
} from './answers.ts'
import type { createIdempotencyRepository, IdempotencyKey, IdempotencyRecord } from './idempotency.repository.ts'

/** A request that names itself, so that a repeat of it cannot act twice. */
export type Idempotency = IdempotencyKey & {
  /** SHA-256 of the validated body: the same key with another body is a mistake, not a repeat. */
  requestHash: string
  /** What it may have been kept as before, where it is a hash under a key that has rotated. */
  olderRequestHashes?: readonly string[]
  requestId: string
  /** Set when the answer is a repeated one; the header `Idempotency-Replayed` follows it. */
  replayed: boolean
}

/** What a request came to. `running`: its work goes on outside the transaction under a lease, and is answered later. */
export type FirstAnswer = { state: 'done'; body: object } | { state: 'running'; resourceId: string; leasedUntil: Date }

type IdempotencyRepository = ReturnType<typeof createIdempotencyRepository>

/** `wallNow` is real time: leases outlive no process just because the platform's clock was moved. */
type Times = { now: Date; wallNow: Date }

const nameOf = ({ ownerId, operation, key }: IdempotencyKey): string => JSON.stringify([ownerId, operation, key])

const inProgress = () => idempotencyErrors.in_progress({ headers: { 'retry-after': '1' } })

const attempt = <Result>(work: () => Result): Outcome<Result> => {
  try {
    return { ok: true, value: work() }
  } catch (error) {
    return { ok: false, error }
  }
}

const recordOf = (request: Idempotency, outcome: Outcome<FirstAnswer>, now: Date): IdempotencyRecord | undefined => {
  if (!outcome.ok) return isRepeatable(outcome.error) ? refusalRecord(request, outcome.error, now) : undefined
  const { value } = outcome
  if (value.state === 'done') return successRecord(request, value.body, now)
  return runningRecord(request, value, now)
}

const isLeftBehind = ({ status, leasedUntil }: IdempotencyRecord, wallNow: Date): boolean =>
  status === null && leasedUntil !== null && leasedUntil <= wallNow

/** A request that is to be worked on. `resourceId`: what an earlier attempt, whose process has died, was making. */
export type Admitted = { place: number; resourceId: string | null }

type Known = {
  first: ReadonlyMap<string, Idempotency>
  free: ReadonlySet<string>
  records: ReadonlyMap<string, IdempotencyRecord>
}

// Sent together, and run in this order: what is read was committed before the locks were taken.
const lockAndRead = async (
  repository: IdempotencyRepository,
  requests: readonly (Idempotency | undefined)[],
): Promise<Known> => {
  const first = new Map<string, Idempotency>()
  for (const request of requests) if (request && !first.has(nameOf(request))) first.set(nameOf(request), request)
  const keys = [...first.values()]
  const [locked, records] = await Promise.all([repository.lockMany(keys), repository.findMany(keys)])
  return {
    first,
    free: new Set([...first.keys()].filter((_, index) => locked[index])),
    records: new Map(records.map((record) => [nameOf(record), record])),
  }
}

/**
 * Takes the keys of some requests until the transaction ends, and says which of them are to be worked on: each key once.
 * A request without a key always is. The others have their answer already: the first one again, or a refusal because the
 * key names another body, or because the first request still runs.
 */
export const openRequests = async (
  repository: IdempotencyRepository,
  requests: readonly (Idempotency | undefined)[],
  { now, wallNow }: Times,
) => {
  const { first, free, records } = await lockAndRead(repository, requests)
  const valid = (request: Idempotency): IdempotencyRecord | undefined => {
    const record = records.get(nameOf(request))
    return record && !isExpired(record, now) ? record : undefined
  }

  const admit = (request: Idempotency | undefined, place: number): Admitted[] => {
    if (request === undefined) return [{ place, resourceId: null }]
    if (first.get(nameOf(request)) !== request || !free.has(nameOf(request))) return []
    const record = valid(request)
    if (record === undefined) return [{ place, resourceId: null }]
    const goesOn = isSameRequest(record, request) && isLeftBehind(record, wallNow)
    return goesOn ? [{ place, resourceId: record.resourceId }] : []
  }
  const admitted = requests.flatMap(admit)
  const kept = new Map<string, IdempotencyRecord>()

  return {
    admitted,

    /** Keeps what the admitted requests came to, in the order of `admitted`. A refusal that will pass is not kept. */
    async keep(outcomes: readonly Outcome<FirstAnswer>[]): Promise<void> {
      for (const [index, { place }] of admitted.entries()) {
        const [request, outcome] = [requests[place], outcomes[index]]
        const record = request && outcome && recordOf(request, outcome, now)
        if (request && record) kept.set(nameOf(request), record)
      }
      const all = [...kept.values()]
      const isKnown = (record: IdempotencyRecord): boolean => records.has(nameOf(record))
      await Promise.all([
        repository.putMany(all.filter(isKnown)),
        repository.insertMany(all.filter((record) => !isKnown(record))),
      ])
    },

    /** The answer of a request that was not admitted. Throws where it was refused. */
    answerOf<Body extends object>(place: number): Body {
      const request = requests[place]
      if (request === undefined || !free.has(nameOf(request))) throw inProgress()
      const record = kept.get(nameOf(request)) ?? valid(request)
      if (record === undefined) throw inProgress()
      return replay<Body>(record, request)
    },
  }
}

export type OpenRequests = Awaited<ReturnType<typeof openRequests>>

/** Every request's outcome, in order: of those that were worked on, and of those that had their answer. */
export const outcomesOf = <Result>(
  requests: OpenRequests,
  count: number,
  { worked, repeated }: { worked: readonly Outcome<Result>[]; repeated: (body: object) => Result },
): Outcome<Result>[] => {
  const byPlace = new Map(requests.admitted.map(({ place }, index) => [place, worked[index]]))
  return Array.from(
    { length: count },
    (_, place) => byPlace.get(place) ?? attempt(() => repeated(requests.answerOf(place))),
  )
}

type WithIdempotency = { idempotency: IdempotencyRepository }
type Transact<Tx> = <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>

/**
 * Runs work at most once per key. The answer is kept in the transaction of the work; a repeat gets it again, byte for
 * byte, also where it was a refusal by a business rule. Without a key it is a plain transaction.
 *
 * Throws idempotency.key_reused (422) for another body and idempotency.in_progress (409) while the first still runs.
 */
export const createOnce = <Tx extends WithIdempotency>(transact: Transact<Tx>, clock: Clock) => {
  const openOne = (tx: Tx, request: Idempotency) => {
    const now = clock.now()
    return openRequests(tx.idempotency, [request], { now, wallNow: now })
  }

  const workOnce = <Result extends object>(request: Idempotency, work: (tx: Tx) => Promise<Result>): Promise<Result> =>
    transact(async (tx) => {
      const requests = await openOne(tx, request)
      if (requests.admitted.length === 0) return requests.answerOf<Result>(0)
      const result = await work(tx)
      await requests.keep([{ ok: true, value: { state: 'done', body: result } }])
      return result
    })

  // The work was rolled back, so its refusal is kept by itself. A repeat may have gone through in between: its answer
  // then stands, and is given back instead. One that runs right now will keep its own.
  const refuse = async <Result extends object>(request: Idempotency, refusal: unknown): Promise<Result> => {
    const overtaking = await transact(async (tx) => {
      const requests = await openOne(tx, request)
      if (requests.admitted.length === 0) return attempt(() => requests.answerOf<Result>(0))
      await requests.keep([{ ok: false, error: refusal }])
      return undefined
    })
    if (overtaking?.ok) return overtaking.value
    throw overtaking !== undefined && request.replayed ? overtaking.error : refusal
  }

  return async <Result extends object>(
    request: Idempotency | undefined,
    work: (tx: Tx) => Promise<Result>,
  ): Promise<Result> => {
    if (request === undefined) return transact(work)
    try {
      return await workOnce(request, work)
    } catch (error) {
      if (!isRepeatable(error) || request.replayed) throw error
      return refuse<Result>(request, error)
    }
  }
}

export type Once<Tx extends WithIdempotency> = ReturnType<typeof createOnce<Tx>>
