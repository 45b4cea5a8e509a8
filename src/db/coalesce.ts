import { currentSpan, type Span, tracedTogether } from '../tracing.ts'
import { isSilence, isUnavailable } from './errors.ts'

/** Refused before anything was done: more calls wait than the queue holds. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError'
}

/** Some tenths of a second of work: whoever comes later is better told to come again than kept waiting. */
const WAITING_MAX = 2_000
/** How long few calls wait for the end of a batch before they begin their own beside it. */
const PATIENCE_MS = 20

type Waiting<Item, Result> = {
  item: Item
  span: Span | undefined
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/** What became of one item of a batch. */
export type Outcome<Result> = { ok: true; value: Result } | { ok: false; error: unknown }

export type CoalesceOptions = {
  /** What a batch is called in traces. Left out: it is in none. */
  name?: string
  maxBatch: number
  maxWaiting?: number
  concurrency?: number
  besideMin?: number
}

/** A function that has `work` run later, once for all calls until then. */
const merged = (later: (run: () => void) => unknown, work: () => void) => {
  let isComing = false
  return (): void => {
    if (isComing) return
    isComing = true
    later(() => {
      isComing = false
      work()
    })
  }
}

/**
 * A data loader, for writes above all: calls of one turn of the event loop, or that arrive while a batch is being
 * written, form the next one. No added latency when idle; a caller's promise settles after its batch is durable.
 *
 * `writeBatch` answers one outcome per item, in order. When it throws, each item of that batch is tried once more
 * alone, so that one bad item fails by itself; it must therefore leave nothing behind when it throws. A connection that
 * broke leaves open whether the batch was committed: then nothing is tried again, and every caller hears of it. Where the
 * database gave no answer at all, those who still wait for their batch hear of it too, or they would wait as long again.
 *
 * `concurrency` batches are written at a time. Beside another a batch begins with `besideMin` calls or more, because a
 * batch has its price however few are in it: those few wait for the other's end, and for a moment at most.
 *
 * Throws QueueFullError, before anything was done, while `maxWaiting` calls wait for their batch.
 */
export const coalesce = <Item, Result>(
  writeBatch: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>,
  { name, maxBatch, maxWaiting = WAITING_MAX, concurrency = 1, besideMin = 1 }: CoalesceOptions,
): ((item: Item) => Promise<Result>) => {
  let waiting: Waiting<Item, Result>[] = []
  let running = 0

  const answer = (calls: readonly Waiting<Item, Result>[], outcomes: readonly Outcome<Result>[]) => {
    calls.forEach((call, index) => {
      const outcome = outcomes[index]
      if (outcome?.ok) call.resolve(outcome.value)
      else call.reject(outcome?.error ?? new Error('the batch answered fewer outcomes than items'))
    })
  }

  const refuse = (calls: readonly Waiting<Item, Result>[], error: unknown) => {
    for (const { reject } of calls) reject(error)
  }

  const write = async (calls: readonly Waiting<Item, Result>[]): Promise<void> => {
    const batch = () => writeBatch(calls.map(({ item }) => item))
    const callers = () => calls.map(({ span }) => span)
    const outcomes = await tracedTogether(name, callers, batch).catch((error: unknown) => ({ error }))
    if (!('error' in outcomes)) return answer(calls, outcomes)
    if (isSilence(outcomes.error)) refuse(waiting.splice(0), outcomes.error)
    if (calls.length === 1 || isUnavailable(outcomes.error)) return refuse(calls, outcomes.error)
    for (const call of calls) await write([call])
  }

  const isFree = (): boolean => running < concurrency && waiting.length > 0
  const isWorthIt = (): boolean => running === 0 || waiting.length >= Math.min(besideMin, maxBatch)

  const pump = async (): Promise<void> => {
    const calls = waiting.slice(0, maxBatch)
    waiting = waiting.slice(maxBatch)
    running += 1
    await write(calls)
    running -= 1
    beginWorthy()
  }

  // The batch beside which too few wait may itself be waiting, for a lock that somebody holds.
  const beginLate = merged(
    (run) => setTimeout(run, PATIENCE_MS),
    () => {
      if (isFree()) void pump()
    },
  )

  const beginWorthy = (): void => {
    while (isFree() && isWorthIt()) void pump()
    if (isFree()) beginLate()
  }

  // Requests that came in together are read from their sockets one after the other, with all promises settled between
  // them: only at the end of the turn is it known who they are.
  const begin = merged(setImmediate, beginWorthy)

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      if (waiting.length >= maxWaiting) return reject(new QueueFullError('too many writes are waiting'))
      waiting.push({ item, span: currentSpan(), resolve, reject })
      if (isFree()) begin()
    })
}
