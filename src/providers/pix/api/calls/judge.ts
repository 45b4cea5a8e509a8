/** What an exchange with the API comes to. Each rule says why it may be believed. */
import type { z } from 'zod'
import { type Failure, type Outcome, ok, unavailable, unknown } from '../outcome.ts'
import type { Exchange } from '../transport/exchange.ts'
import { type Problem, readProblem, titleOf } from './problem.ts'

type Answer = Extract<Exchange, { kind: 'answer' }>
type Broken = Extract<Exchange, { kind: 'broken' }>

/** Nothing that was not sent can have happened; whatever was sent may have. */
export const judgeBroken = ({ isSent, reason }: Broken): Failure =>
  isSent ? unknown(`answer_${reason}`) : unavailable(`connection_${reason}`)

const refusalOf = (status: number, problem: Problem): Failure => {
  const { name, fields } = problem
  // Efí answers 400 for what it does not find, with a name that says so.
  if (problem.saysMissing) return { kind: 'missing', problem: name }
  // The standard answers 400 for an id that is taken, some PSPs 409.
  if (status === 409 || problem.saysConflict) return { kind: 'conflict', status, problem: name }
  return { kind: 'refused', status, problem: name, title: titleOf(name), fields }
}

const isRefusal = (status: number): boolean => status >= 400 && status < 500 && status !== 408

/**
 * An answer that is no success. 4xx are believed in the PSP's own words alone: gateways in front of it answer 400, 403
 * and 404 too, with pages, and have nothing to say about a charge. A 404 must even say that it means the thing, because
 * that of a wrong address looks the same. 5xx are sent for what was done, too. 408 is of who waited for the request.
 */
export const judgeFailure = ({ status, body }: Answer, retryAfterMs: number | null): Failure => {
  const problem = isRefusal(status) ? readProblem(body) : undefined
  const isBelieved = problem !== undefined && (status !== 404 || problem.saysMissing)
  return isBelieved ? refusalOf(status, problem) : unknown(`http_${status}`, { retryAfterMs })
}

const parseJson = (text: string): unknown => {
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Where an answer is not of its form. Paths have names of the schema and positions in lists, never values. */
export const placeOf = ({ issues }: z.ZodError): string => issues[0]?.path.join('.') || 'body'

/** A success: its value, or `unknown` where it cannot be read, because it has happened all the same. */
export const judgeSuccess = <Value>({ body }: Answer, schema: z.ZodType<Value>): Outcome<Value> => {
  const parsed = schema.safeParse(parseJson(body))
  return parsed.success ? ok(parsed.data) : unknown('answer_unreadable', { at: placeOf(parsed.error) })
}
