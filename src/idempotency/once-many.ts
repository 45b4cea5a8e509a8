import type { Outcome } from '../db/coalesce.ts'
import { idempotencyErrors } from '../errors.ts'
import type { createIdempotencyRepository, IdempotencyKey, IdempotencyRecord } from './idempotency.repository.ts'
import { type Idempotency, isExpired, isRepeatable, refusalRecord, replay, successRecord } from './once.ts'

/** A call of a batch that may name itself. */
type Call = { idempotency: Idempotency | undefined }

/**
 * What a call of a batch came to. `running`: its work goes on outside the transaction under a lease, and the answer is
 * kept later.
 */
export type FirstAnswer<Result> =
  | { state: 'done'; result: Result; body: object }
  | { state: 'running'; result: Result; resourceId: string; leasedUntil: Date }

/** A call to be done, with what an earlier attempt whose lease has ended was making. */
export type Admitted<C extends Call> = { call: C; resourceId: string | null }

/** What the calls of a batch came to, in their order, and how that is written. */
export type Decided<Result> = { outcomes: readonly Outcome<FirstAnswer<Result>>[]; write: () => Promise<unknown> }

type Options<C extends Call, Result> = {
  idempotency: Pick<ReturnType<typeof createIdempotencyRepository>, 'lockMany' | 'findMany' | 'insertMany' | 'putMany'>
  now: Date
  /** Real time: leases outlive no process just because the platform's clock was moved. */
  wallNow: Date
  /** Decides on the calls. What it writes travels together with the answers that are kept. */
  decide: (admitted: readonly Admitted<C>[]) => Promise<Decided<Result>>
  /** A first answer that is given again. */
  replayed: (body: object) => Result
}

type Verdict<C extends Call, Result> =
  | { admitted: Admitted<C> }
  | { follows: Idempotency }
  | { outcome: Outcome<Result> }

const nameOf = ({ ownerId, operation, key }: IdempotencyKey): string => JSON.stringify([ownerId, operation, key])

const attempt = <Result>(work: () => Result): Outcome<Result> => {
  try {
    return { ok: true, value: work() }
  } catch (error) {
    return { ok: false, error }
  }
}

const NOTHING = { outcomes: [], write: async () => undefined }

const inProgress = () => idempotencyErrors.in_progress({ headers: { 'retry-after': '1' } })

const runningRecord = (idempotency: Idempotency, resourceId: string, leasedUntil: Date, now: Date) => ({
  ...successRecord(idempotency, {}, now),
  status: null,
  body: null,
  resourceId,
  leasedUntil,
})

const recordOf = <Result>(
  idempotency: Idempotency,
  outcome: Outcome<FirstAnswer<Result>>,
  now: Date,
): IdempotencyRecord | undefined => {
  if (!outcome.ok) return isRepeatable(outcome.error) ? refusalRecord(idempotency, outcome.error, now) : undefined
  const { value } = outcome
  return value.state === 'done'
    ? successRecord(idempotency, value.body, now)
    : runningRecord(idempotency, value.resourceId, value.leasedUntil, now)
}

const isTakenOver = ({ status, leasedUntil }: IdempotencyRecord, wallNow: Date): boolean =>
  status === null && leasedUntil !== null && leasedUntil <= wallNow

type Known = {
  /** The first call of each key in this batch. */
  leaders: ReadonlyMap<string, Idempotency>
  free: ReadonlySet<Idempotency>
  records: ReadonlyMap<string, IdempotencyRecord>
}

const recall = async <C extends Call, Result>(
  calls: readonly C[],
  { idempotency }: Options<C, Result>,
): Promise<Known> => {
  const leaders = new Map<string, Idempotency>()
  for (const { idempotency: own } of calls) {
    if (own && !leaders.has(nameOf(own))) leaders.set(nameOf(own), own)
  }
  const keys = [...leaders.values()]
  // Sent together, and run in this order: what is read was committed before the locks were taken.
  const [locked, records] = await Promise.all([idempotency.lockMany(keys), idempotency.findMany(keys)])
  const free = keys.filter((_, index) => locked[index])
  return { leaders, free: new Set(free), records: new Map(records.map((record) => [nameOf(record), record])) }
}

const judgeRecord = <C extends Call, Result>(
  call: C,
  { own, isLeader, record }: { own: Idempotency; isLeader: boolean; record: IdempotencyRecord },
  { wallNow, replayed }: Options<C, Result>,
): Verdict<C, Result> => {
  const isSame = record.requestHash === own.requestHash
  if (isLeader && isSame && isTakenOver(record, wallNow)) return { admitted: { call, resourceId: record.resourceId } }
  return { outcome: attempt(() => replayed(replay<object>(record, own))) }
}

const judge = <C extends Call, Result>(
  call: C,
  { leaders, free, records }: Known,
  options: Options<C, Result>,
): Verdict<C, Result> => {
  const own = call.idempotency
  if (own === undefined) return { admitted: { call, resourceId: null } }
  const leader = leaders.get(nameOf(own))
  if (leader === undefined || !free.has(leader)) return { outcome: { ok: false, error: inProgress() } }
  const record = records.get(nameOf(own))
  const isLeader = leader === own
  if (record && !isExpired(record, options.now)) return judgeRecord(call, { own, isLeader, record }, options)
  return isLeader ? { admitted: { call, resourceId: null } } : { follows: own }
}

/**
 * The promise of `once` for a batch in one transaction: each key acts once, a repeat gets the first answer, a key that
 * is being worked on elsewhere is refused, and the second of two equal keys in one batch gets what the first one got.
 */
export const onceMany = async <C extends Call, Result>(
  calls: readonly C[],
  options: Options<C, Result>,
): Promise<Outcome<Result>[]> => {
  const known = await recall(calls, options)
  const verdicts = calls.map((call) => judge(call, known, options))
  const admitted = verdicts.flatMap((verdict) => ('admitted' in verdict ? [verdict.admitted] : []))
  const { outcomes, write } = admitted.length === 0 ? NOTHING : await options.decide(admitted)
  const answers = new Map(admitted.map(({ call }, index) => [call, outcomes[index]]))
  const records = new Map<string, IdempotencyRecord>()
  for (const [{ idempotency }, outcome] of answers) {
    const record = idempotency && outcome && recordOf(idempotency, outcome, options.now)
    if (record && idempotency) records.set(nameOf(idempotency), record)
  }
  const [renewed, fresh] = [true, false].map((isKnown) =>
    [...records].flatMap(([name, record]) => (known.records.has(name) === isKnown ? [record] : [])),
  )
  await Promise.all([write(), options.idempotency.putMany(renewed ?? []), options.idempotency.insertMany(fresh ?? [])])
  return verdicts.map((verdict): Outcome<Result> => {
    if ('outcome' in verdict) return verdict.outcome
    if ('follows' in verdict) {
      const record = records.get(nameOf(verdict.follows))
      if (record === undefined) return { ok: false, error: inProgress() }
      return attempt(() => options.replayed(replay<object>(record, verdict.follows)))
    }
    const outcome = answers.get(verdict.admitted.call)
    if (outcome?.ok) return { ok: true, value: outcome.value.result }
    return { ok: false, error: outcome?.error ?? new Error('a call of the batch was not answered') }
  })
}
