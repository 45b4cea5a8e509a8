/**
 * What became of a call, decided from where in the exchange it broke. Whatever the PSP or the network does is one of
 * these: nothing of it is thrown.
 *
 * No text of an answer is in here, because errors of banks quote what they were sent: names, CPFs, keys. Reasons are
 * codes of ours, problems are the names of error types, fields are our own names.
 */

/** The value that an answer carried, or why there is none. */
export type Outcome<Value> = { kind: 'ok'; value: Value } | Failure

export type Failure = Refused | Missing | Conflict | RateLimited | Unavailable | Unknown

/**
 * The PSP understood and said no (4xx, in its own words): nothing happened, and the same request is refused again. A
 * PSP may refuse an id that it knows in words that are not recognised as a conflict, so that after an `unknown` a
 * refusal proves nothing: read back.
 */
export type Refused = {
  kind: 'refused'
  status: number
  /** The error's type as the PSP names it: `CobOperacaoInvalida`, or Efí's `chave_invalida`. */
  problem: string | null
  /** What that type means, where it is a known one. */
  title: string | null
  /** What of the request broke a rule, as far as the PSP named it. */
  fields: readonly Field[]
}

/** The PSP says, in its own words, that it knows no such thing. A 404 in other words is of a proxy: `unknown`. */
export type Missing = { kind: 'missing'; problem: string | null }

/**
 * The id is taken, or what it names is in a state that does not allow this: paid before it was removed, defended
 * before. Nothing happened by this call, but perhaps by one before it: read back what is there.
 */
export type Conflict = { kind: 'conflict'; status: number; problem: string | null }

/** Too many calls: nothing happened. `by` says whether the PSP refused or our own budget, which sent nothing. */
export type RateLimited = { kind: 'rate_limited'; by: 'psp' | 'budget'; retryAfterMs: number }

/** It broke before the request was sent, or the PSP let nobody in: nothing happened, and it is safe to repeat. */
export type Unavailable = { kind: 'unavailable'; reason: UnavailableReason; retryAfterMs: number | null }

/**
 * It broke after the request was sent: no answer, half of one, one that cannot be read, or a 5xx, which PSPs also send
 * for what they have done. It may have happened: ask, never treat it as failed, never repeat it under another id.
 */
export type Unknown = {
  kind: 'unknown'
  reason: UnknownReason
  /** Where an answer is not of its form: `valor.original`. */
  at: string | null
  retryAfterMs: number | null
}

/** How an exchange breaks. `busy` is a connection that did not come free in time. */
export type Breakage =
  | 'aborted'
  | 'busy'
  | 'closed'
  | 'deadline'
  | 'dns'
  | 'protocol'
  | 'refused'
  | 'tls'
  | 'too_large'
  | 'other'

/** What went wrong at the token endpoint. `rejected`: the API does not take the token that it gave. */
export type TokenTrouble = Breakage | `http_${number}` | 'unreadable' | 'rejected'

export type UnavailableReason = `connection_${Breakage}` | `token_${TokenTrouble}`

export type UnknownReason = `answer_${Breakage}` | 'answer_unreadable' | `http_${number}`

/** Our names of what a request says. */
export type Field =
  | 'amount'
  | 'date'
  | 'defence'
  | 'description'
  | 'details'
  | 'discount'
  | 'dueDate'
  | 'endToEndId'
  | 'expiry'
  | 'fine'
  | 'id'
  | 'interest'
  | 'key'
  | 'location'
  | 'message'
  | 'page'
  | 'payer'
  | 'payer.address'
  | 'payer.document'
  | 'payer.name'
  | 'period'
  | 'rebate'
  | 'recipient'
  | 'status'
  | 'url'

export const ok = <Value>(value: Value): Outcome<Value> => ({ kind: 'ok', value })

export const unavailable = (reason: UnavailableReason, retryAfterMs: number | null = null): Unavailable => ({
  kind: 'unavailable',
  reason,
  retryAfterMs,
})

export const unknown = (reason: UnknownReason, more: Partial<Pick<Unknown, 'at' | 'retryAfterMs'>> = {}): Unknown => ({
  kind: 'unknown',
  reason,
  at: null,
  retryAfterMs: null,
  ...more,
})
