/** One request and its answer on one connection: how much of it happened, and a body up to a bound. */
import { Readable } from 'node:stream'
import type { Client, Dispatcher } from 'undici'
import { failureOf } from '../../../../outbound/failures.ts'
import type { Breakage } from '../outcome.ts'
import { abortReasonOf } from './deadline.ts'

export type HttpRequest = {
  /** An absolute address. Redirects are answers like any other: they are never followed. */
  url: string
  method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT'
  headers: Readonly<Record<string, string>>
  body?: string | undefined
  /** Sent once more by itself where a kept-alive connection was closed as we wrote: the same again does no harm. */
  isRepeatable: boolean
  /** Hands a body out as it arrives, instead of keeping it: for answers of 200 alone, which may be of any size. */
  isStreamed?: boolean | undefined
}

export type AnswerHead = { status: number; retryAfter: string | undefined; date: string | undefined }

export type Exchange =
  | ({ kind: 'answer'; body: string } & AnswerHead)
  /** The connection is taken until the stream has ended or was destroyed. */
  | ({ kind: 'stream'; stream: Readable } & AnswerHead)
  /** `isSent`: whether the PSP may have seen the request. `hasBegun`: whether a byte of an answer came. */
  | { kind: 'broken'; isSent: boolean; hasBegun: boolean; reason: Breakage }

const INTERIM_ANSWERS_MAX = 20

/** How long a streamed body may stand still. */
const STREAM_IDLE_MS = 30_000

const NAME_LOOKUP = new Set(['ENOTFOUND', 'EAI_AGAIN'])

const BREAKAGES: Readonly<Record<string, Breakage>> = {
  dns: 'dns',
  protocol: 'protocol',
  refused: 'refused',
  reset: 'closed',
  timeout: 'deadline',
  tls: 'tls',
  too_large: 'too_large',
}

const breakageOf = (error: unknown): Breakage => {
  if (error instanceof Error && 'code' in error && NAME_LOOKUP.has(String(error.code))) return 'dns'
  return BREAKAGES[failureOf(error).reason] ?? 'other'
}

const firstOf = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)

// What is said of a cut stream is ours, not the PSP's.
const cutOff = (): Error => new Error('the answer was cut off')

type Limits = { bytesMax: number; isStreamed: boolean }
type Reader = Dispatcher.DispatchHandler & { fail(reason: Breakage): void }

/** Collects one answer and settles once; what comes after that is ignored. */
const createReader = (settle: (exchange: Exchange) => void, { bytesMax, isStreamed }: Limits): Reader => {
  const progress = { isSent: false, hasBegun: false, interims: 0, bytes: 0 }
  const chunks: Buffer[] = []
  let head: AnswerHead = { status: 0, retryAfter: undefined, date: undefined }
  let stream: Readable | undefined

  const fail = (reason: Breakage): void => {
    const { isSent, hasBegun } = progress
    settle({ kind: 'broken', isSent, hasBegun, reason })
    stream?.destroy(cutOff())
  }

  const keep = (chunk: Buffer): void => {
    progress.bytes += chunk.length
    if (progress.bytes > bytesMax) fail('too_large')
    // Copied, because the chunk is a window on a buffer of the parser's.
    else chunks.push(Buffer.from(chunk))
  }

  return {
    fail,
    onRequestStart: () => {
      progress.isSent = true
    },
    onResponseStarted: () => {
      progress.hasBegun = true
    },
    onResponseStart: (controller, status, headers) => {
      if (status < 200) {
        progress.interims += 1
        if (progress.interims > INTERIM_ANSWERS_MAX) fail('protocol')
        return
      }
      head = { status, retryAfter: firstOf(headers['retry-after']), date: firstOf(headers.date) }
      if (!isStreamed || status !== 200) return
      stream = new Readable({ read: () => controller.resume() })
      settle({ kind: 'stream', stream, ...head })
    },
    onResponseData: (controller, chunk) => {
      if (stream === undefined) keep(chunk)
      else if (!stream.push(Buffer.from(chunk))) controller.pause()
    },
    onResponseEnd: () => {
      stream?.push(null)
      settle({ kind: 'answer', body: Buffer.concat(chunks).toString('utf8'), ...head })
    },
    onResponseError: (_controller, error) => fail(breakageOf(error)),
  }
}

/**
 * Sends a request on a client. When the signal aborts it settles at once, also while the client is still connecting:
 * the caller closes the client. A stream that was handed out goes on beyond the signal.
 */
export const exchange = (
  client: Client,
  { url, method, headers, body, isStreamed = false }: HttpRequest,
  { signal, bytesMax }: { signal: AbortSignal; bytesMax: number },
): Promise<Exchange> =>
  new Promise((resolve) => {
    const settle = (result: Exchange): void => {
      signal.removeEventListener('abort', expire)
      resolve(result)
    }
    const reader = createReader(settle, { bytesMax, isStreamed })
    const expire = (): void => reader.fail(abortReasonOf(signal))
    if (signal.aborted) {
      expire()
      return
    }
    signal.addEventListener('abort', expire, { once: true })
    const { pathname, search } = new URL(url)
    const bodyTimeout = isStreamed ? STREAM_IDLE_MS : 0
    client.dispatch({ path: pathname + search, method, headers, body: body ?? null, bodyTimeout }, reader)
  })
