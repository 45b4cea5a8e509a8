import type { Client, Dispatcher } from 'undici'
import { DeadlineError, InterimFloodError } from './failures.ts'

export type Call = { path: string; headers: Readonly<Record<string, string>>; body: Buffer | string }

export type Exchange =
  /** `complete` is false when the answer was cut off for its size, after which its socket cannot be used again. */
  | { kind: 'answer'; status: number; retryAfter: string | undefined; head: Buffer; complete: boolean }
  | { kind: 'error'; error: unknown; answerBegan: boolean }

/** What is read of an answer's body, as it comes over the wire: nothing is decompressed. */
const BODY_BYTES_MAX = 64 * 1024

/** What is kept of it. */
export const BODY_HEAD_BYTES = 1024

const INTERIM_ANSWERS_MAX = 20

const firstOf = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

/** Collects one answer and finishes once; what comes after that is ignored. */
const createAnswerReader = (
  finish: (exchange: Exchange) => void,
): Dispatcher.DispatchHandler & { fail(e: Error): void } => {
  let answerBegan = false
  let interimCount = 0
  let status = 0
  let retryAfter: string | undefined
  let bodyBytes = 0
  let headBytes = 0
  const headChunks: Buffer[] = []

  const answer = (complete: boolean): void =>
    finish({ kind: 'answer', status, retryAfter, head: Buffer.concat(headChunks), complete })
  const fail = (error: unknown): void => finish({ kind: 'error', error, answerBegan })

  return {
    fail,
    onRequestStart: () => undefined,
    onResponseStarted: () => {
      answerBegan = true
    },
    onResponseStart: (_controller, statusCode, headers) => {
      if (statusCode >= 200) {
        status = statusCode
        retryAfter = firstOf(headers['retry-after'])
        return
      }
      interimCount += 1
      if (interimCount > INTERIM_ANSWERS_MAX) fail(new InterimFloodError('too many interim answers'))
    },
    onResponseData: (_controller, chunk) => {
      bodyBytes += chunk.length
      if (headBytes < BODY_HEAD_BYTES) {
        // Copied, because the chunk is a window on a buffer of the parser's size.
        const part = Buffer.from(chunk.subarray(0, BODY_HEAD_BYTES - headBytes))
        headChunks.push(part)
        headBytes += part.length
      }
      if (bodyBytes > BODY_BYTES_MAX) answer(false)
    },
    onResponseEnd: () => answer(true),
    onResponseError: (_controller, error) => fail(error),
  }
}

/**
 * Sends one POST on a client and reads its answer up to a bound. Redirects are answers like any other.
 * When the signal aborts it finishes at once, also while the client is still connecting: the caller closes the client.
 */
export const exchange = (client: Client, { path, headers, body }: Call, signal: AbortSignal): Promise<Exchange> =>
  new Promise((resolve) => {
    const finish = (outcome: Exchange) => {
      signal.removeEventListener('abort', expire)
      resolve(outcome)
    }
    const reader = createAnswerReader(finish)
    const expire = () => reader.fail(new DeadlineError('the time is up'))
    if (signal.aborted) {
      expire()
      return
    }
    signal.addEventListener('abort', expire, { once: true })
    client.dispatch({ path, method: 'POST', headers, body }, reader)
  })
