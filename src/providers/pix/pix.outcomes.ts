/** What a call of the Pix API came to, in the words of the port. */
import type { Refused, Unavailable, Unknown } from '../provider.port.ts'
import type { Conflict, Failure, Missing, Outcome, Refused as RefusedByPsp, UnavailableReason } from './api/outcome.ts'

/** The PSP said no, or that there is no such thing, or that it knows the id: nothing happened by this call. */
type Denied = RefusedByPsp | Missing | Conflict

const snakeCase = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase()

/** A reason as a code: `pix_cob_operacao_invalida`. */
const reasonOf = ({ problem, kind }: Denied): string => `pix_${problem === null ? kind : snakeCase(problem)}`

export const refusedOf = (failure: Denied): Refused => ({ outcome: 'refused', reason: reasonOf(failure) })

/** That all our connections were taken says nothing of who is at their other end: the calls on them will. */
const BUSY: readonly string[] = ['connection_busy', 'token_busy'] satisfies readonly UnavailableReason[]

const unavailableOf = (failure: Exclude<Failure, Denied | { kind: 'unknown' }>): Unavailable => ({
  outcome: 'unavailable',
  reason: failure.kind === 'rate_limited' || BUSY.includes(failure.reason) ? 'provider_busy' : failure.reason,
  isAway: failure.kind !== 'rate_limited' && !BUSY.includes(failure.reason),
  retryAfterMs: failure.retryAfterMs,
})

export const unknownOf = (reason: string): Unknown => ({ outcome: 'unknown', reason })

/** What the PSP answers is an answer, also where it makes no sense; what a proxy answers for it, or nobody, is none. */
const unansweredOf = (reason: string): Unknown => ({
  ...unknownOf(reason),
  isAway: reason !== 'answer_unreadable' && !reason.startsWith('http_4'),
})

const isDenied = (failure: Failure): failure is Denied =>
  failure.kind === 'refused' || failure.kind === 'missing' || failure.kind === 'conflict'

const unreadOf = (failure: Exclude<Failure, Denied>): Unknown =>
  failure.kind === 'rate_limited' ? unknownOf('provider_busy') : unansweredOf(failure.reason)

/** A read that gave nothing: only the PSP's own word for it makes a thing `missing`. */
export const lookupFailure = (failure: Failure): { outcome: 'missing' } | Unknown => {
  if (failure.kind === 'missing') return { outcome: 'missing' }
  return isDenied(failure) ? unknownOf(reasonOf(failure)) : unreadOf(failure)
}

/** A read of something that is always there: where the PSP says no, it lets us not. */
export const readFailure = (failure: Failure): Refused | Unknown =>
  isDenied(failure) ? refusedOf(failure) : unreadOf(failure)

/** The PSP did not tell what a statement needs. Its reason is a code, and says nothing of anybody. */
export class StatementUnread extends Error {
  override readonly name = 'StatementUnread'
  constructor(failure: { kind: string; reason?: string }) {
    super(`the PSP does not tell what happened: ${failure.kind} ${failure.reason ?? ''}`.trimEnd())
  }
}

/**
 * The end of a write under an id of ours that did not succeed. A PSP refuses an id that it knows, in words that differ, and an
 * earlier attempt may have had an effect, so that a refusal is believed only when the thing is not there.
 */
export const settleWrite = async <Value, Accepted extends { outcome: string }>(
  failure: Failure,
  read: () => Promise<Outcome<Value>>,
  found: (value: Value) => Accepted,
): Promise<Accepted | Refused | Unavailable | Unknown> => {
  if (failure.kind === 'unknown') return unansweredOf(failure.reason)
  if (!isDenied(failure)) return unavailableOf(failure)
  const there = await read()
  if (there.kind === 'ok') return found(there.value)
  return there.kind === 'missing' ? refusedOf(failure) : unknownOf(`${reasonOf(failure)}_unread`)
}
