/** One call of the API from end to end: room in the budget, a token, the exchange, its judgement. */
import type { Readable } from 'node:stream'
import { z } from 'zod'
import type { Clock } from '../../../../clock.ts'
import { invariant } from '../../../../domain/invariant.ts'
import { type Failure, type Outcome, ok } from '../outcome.ts'
import type { Capability, Profile } from '../profiles.ts'
import { within } from '../transport/deadline.ts'
import type { Exchange, HttpRequest } from '../transport/exchange.ts'
import { sendAuthorized } from './authorized.ts'
import type { Budget } from './budget.ts'
import { judgeBroken, judgeFailure, judgeSuccess } from './judge.ts'
import { retryAfterMs } from './retry-after.ts'
import type { Session } from './session.ts'

/** What a caller may say about a call. */
export type CallOptions = {
  /** Ends the call early: `unavailable` where nothing was sent, else `unknown`. */
  signal?: AbortSignal | undefined
  /** In place of the client's, from here to the last byte of the answer. */
  deadlineMs?: number | undefined
  /** For what nobody waits for, such as polling: it gets a small part of the budget, and pauses after any 429. */
  isBackground?: boolean | undefined
}

/** An operation of the API as a function of ours describes it. */
export type Operation<Value> = {
  /** How budgets tell it from others: `cob.put`. */
  name: string
  capability: Capability
  method: HttpRequest['method']
  /** Below the API's address, with its parts already encoded. */
  path: string
  query?: Readonly<Record<string, string | undefined>> | undefined
  headers?: Readonly<Record<string, string>> | undefined
  body?: unknown
  /** Whether the same again does no harm and is answered alike: reads, and charges under a txid of ours. */
  isRepeatable: boolean
  answer: z.ZodType<Value>
}

/** Of a success whose body does not matter: Efí has sentences there that are no JSON. */
export const nothing = z.unknown().transform(() => undefined)

export type Call = <Value>(operation: Operation<Value>, options?: CallOptions) => Promise<Outcome<Value>>

/** A body that is not kept in memory; read it to its end or destroy it, because it holds a connection. */
export type Download = (
  operation: Omit<Operation<unknown>, 'answer' | 'body'>,
  options?: CallOptions,
) => Promise<Outcome<Readable | undefined>>

export type CallerOptions = {
  profile: Profile
  apiUrl: string
  clientId: string
  accountNumber: string | undefined
  applicationKey: string | undefined
  deadlineMs: number
  session: () => Session
  budget: Budget
  clock: Clock
}

type Target = Omit<Operation<unknown>, 'answer'>

const urlOf = ({ path, query = {} }: Target, { apiUrl, profile, applicationKey }: CallerOptions): string => {
  const asked = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const { applicationKeyParameter } = profile
  if (applicationKeyParameter !== null && applicationKey !== undefined) {
    asked.push([applicationKeyParameter, applicationKey])
  }
  const search = new URLSearchParams(asked).toString()
  return `${apiUrl}${path}${search === '' ? '' : `?${search}`}`
}

const headersOf = ({ body, headers }: Target, options: CallerOptions): Record<string, string> => {
  const { profile, clientId, accountNumber } = options
  const { accountHeader, sendsClientId } = profile
  return {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'payment-platform',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(sendsClientId ? { client_id: clientId } : {}),
    ...(accountHeader !== null && accountNumber !== undefined ? { [accountHeader]: accountNumber } : {}),
    ...headers,
  }
}

type Answered = Exclude<Exchange, { kind: 'broken' }>

const isSuccess = (status: number): boolean => status >= 200 && status < 300

const isExchange = (result: Exchange | Failure): result is Exchange =>
  result.kind === 'answer' || result.kind === 'stream' || result.kind === 'broken'

export const createCaller = (options: CallerOptions): { call: Call; download: Download } => {
  const { profile, budget, clock } = options

  const perform = async (target: Target, isStreamed: boolean, asked: CallOptions): Promise<Exchange | Failure> => {
    const { signal: caller, deadlineMs = options.deadlineMs, isBackground = false } = asked
    const limited = budget.take(target.name, isBackground)
    if (limited !== undefined) return limited
    const scopes = profile.asksScopes ? (profile.scopes[target.capability] ?? []) : []
    const request: HttpRequest = {
      url: urlOf(target, options),
      method: target.method,
      headers: headersOf(target, options),
      body: target.body === undefined ? undefined : JSON.stringify(target.body),
      isRepeatable: target.isRepeatable,
      isStreamed,
    }
    return within(deadlineMs, caller, (signal) => sendAuthorized(options.session(), request, { scopes, signal }))
  }

  const judgeRest = (name: string, answer: Extract<Exchange, { kind: 'answer' }>): Failure => {
    const waitMs = retryAfterMs(answer, clock.now())
    if (answer.status !== 429) return judgeFailure(answer, waitMs)
    return { kind: 'rate_limited', by: 'psp', retryAfterMs: budget.pause(name, waitMs) }
  }

  const judge = <Value>(
    { name }: Target,
    result: Exchange | Failure,
    read: (success: Answered) => Outcome<Value>,
  ): Outcome<Value> => {
    if (!isExchange(result)) return result
    if (result.kind === 'broken') return judgeBroken(result)
    return result.kind === 'stream' || isSuccess(result.status) ? read(result) : judgeRest(name, result)
  }

  return {
    call: async (operation, asked = {}) =>
      judge(operation, await perform(operation, false, asked), (success) => {
        invariant(success.kind === 'answer', 'only downloads are streamed')
        return judgeSuccess(success, operation.answer)
      }),
    download: async (operation, asked = {}) =>
      judge(operation, await perform(operation, true, asked), (success) =>
        ok(success.kind === 'stream' ? success.stream : undefined),
      ),
  }
}
