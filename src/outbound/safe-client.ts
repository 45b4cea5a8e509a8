import { type AddressOptions, createAddressRules } from './address-rules.ts'
import { createSafeConnector } from './connector.ts'
import { type Call, type Exchange, exchange } from './exchange.ts'
import {
  BlockedAddressError,
  DeadlineError,
  type Failure,
  type FailureReason,
  failureOf,
  isClosedByPeer,
} from './failures.ts'
import { createDnsResolver, createSystemResolver, type Resolver } from './resolver.ts'
import { createSocketPool, type Slot } from './socket-pool.ts'
import { inspectUrl, type UrlRefusal } from './url-rules.ts'

export type OutboundRequest = {
  url: string
  headers: Readonly<Record<string, string>>
  /** Sent byte for byte; a string as UTF-8. */
  body: Buffer | string
  /** Replaces the client's. */
  deadlineMs?: number
}

export type OutboundResult =
  | {
      kind: 'response'
      status: number
      /** `retryAfter` as the host wrote it. */
      headers: { retryAfter?: string }
      /** Up to the first KiB of the body as text: never NUL, never half a character. */
      bodySnippet: string
      durationMs: number
    }
  | { kind: 'failure'; reason: FailureReason; detail: string; durationMs: number }

export type SafeClientOptions = AddressOptions & {
  /** Whether plain `http:` is called beside `https:`. True unless said otherwise. */
  allowHttp?: boolean
  /** By default the name servers, or the operating system where `allowedNetworks` opens some network. */
  resolver?: Resolver
  /** From the call to the last byte of the answer, waiting for a socket included. */
  deadlineMs?: number
  connectTimeoutMs?: number
  idleTimeoutMs?: number
  socketsPerOriginMax?: number
  socketsMax?: number
  userAgent?: string
  /** PEM certificates to trust in place of the well-known authorities. */
  trustedCertificates?: readonly string[]
}

const DEADLINE_MS = 15_000
const CONNECT_TIMEOUT_MS = 10_000
const IDLE_TIMEOUT_MS = 30_000
const SOCKETS_PER_ORIGIN_MAX = 10
const SOCKETS_MAX = 2_000

const snippetOf = (head: Buffer): string =>
  // In streaming mode the decoder keeps back a character that the cut has split.
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(head, { stream: true }).replaceAll('\0', '\uFFFD')

const refused = (reason: UrlRefusal): Failure =>
  reason === 'blocked_address'
    ? failureOf(new BlockedAddressError('the literal address is blocked'))
    : { reason: 'other', detail: `The URL may not be called (${reason}).` }

const resultOf = (outcome: Exchange, startedAt: number): OutboundResult => {
  const durationMs = Math.round(performance.now() - startedAt)
  if (outcome.kind === 'error') return { kind: 'failure', ...failureOf(outcome.error), durationMs }
  const { status, retryAfter, head } = outcome
  const headers = retryAfter === undefined ? {} : { retryAfter }
  return { kind: 'response', status, headers, bodySnippet: snippetOf(head), durationMs }
}

/** The peer may close a kept-alive socket at any time. If it did so as we wrote, it has not read the call. */
const metClosingSocket = (slot: Slot, outcome: Exchange): boolean =>
  outcome.kind === 'error' && slot.answers > 0 && !outcome.answerBegan && isClosedByPeer(outcome.error)

const timedOut: Exchange = { kind: 'error', error: new DeadlineError('the time is up'), answerBegan: false }

/**
 * The only HTTP client for URLs that a user gave. It reaches public addresses only, judged anew for every connection;
 * follows no redirect; reads no proxy from the environment; verifies TLS; and bounds time, headers and body.
 * What goes wrong on the network is a result, never a throw.
 */
export const createSafeClient = (options: SafeClientOptions) => {
  const addresses = createAddressRules(options)
  const { allowHttp = true, deadlineMs = DEADLINE_MS, userAgent = 'payment-platform' } = options
  const resolver =
    options.resolver ?? (options.allowedNetworks.length > 0 ? createSystemResolver() : createDnsResolver())
  const pool = createSocketPool({
    connect: createSafeConnector({
      addresses,
      resolver,
      connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      trustedCertificates: options.trustedCertificates,
    }),
    socketsPerOriginMax: options.socketsPerOriginMax ?? SOCKETS_PER_ORIGIN_MAX,
    socketsMax: options.socketsMax ?? SOCKETS_MAX,
    idleTimeoutMs: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
  })
  const inFlight = new Set<Promise<Exchange>>()
  let closed = false

  const send = async (origin: string, call: Call, signal: AbortSignal): Promise<Exchange> => {
    const slot = await pool.acquire(origin, signal)
    if (slot === undefined) return timedOut
    const first = await exchange(slot.client, call, signal)
    // The same client again: it has lost its socket and makes a new one, so that the second try cannot meet the same.
    const outcome = metClosingSocket(slot, first) ? await exchange(slot.client, call, signal) : first
    if (outcome.kind === 'answer' && outcome.complete) {
      slot.answers += 1
      pool.release(slot)
    } else {
      pool.discard(slot)
    }
    return outcome
  }

  const sendWithin = async (limitMs: number, origin: string, call: Call): Promise<Exchange> => {
    // A timer of its own and not AbortSignal.timeout, which could not be cleared: thousands a second would pile up.
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(), limitMs)
    const sending = send(origin, call, controller.signal)
    inFlight.add(sending)
    try {
      return await sending
    } finally {
      clearTimeout(timer)
      inFlight.delete(sending)
    }
  }

  return {
    post: async (request: OutboundRequest): Promise<OutboundResult> => {
      const startedAt = performance.now()
      const target = inspectUrl(request.url, addresses, allowHttp)
      if (!target.ok) return { kind: 'failure', ...refused(target.reason), durationMs: 0 }
      if (closed) return { kind: 'failure', reason: 'other', detail: 'The client is closed.', durationMs: 0 }
      const { origin, pathname, search } = target.url
      const headers = { 'user-agent': userAgent, 'accept-encoding': 'identity', ...request.headers }
      const call = { path: pathname + search, headers, body: request.body }
      return resultOf(await sendWithin(request.deadlineMs ?? deadlineMs, origin, call), startedAt)
    },
    /** Sockets that are open or being opened, for the metrics. */
    socketsCount: pool.socketsCount,
    /** Takes no more calls, lets those under way end within their deadlines, and closes all sockets. */
    close: async (): Promise<void> => {
      closed = true
      await Promise.all(inFlight)
      await pool.close()
    },
  }
}

export type SafeClient = ReturnType<typeof createSafeClient>
