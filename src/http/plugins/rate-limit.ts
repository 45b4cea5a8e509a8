import { isIPv4 } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import ipaddr from 'ipaddr.js'
import type { Actor } from '../../domain/actor.ts'
import { serverErrors } from '../../errors.ts'
import type { RateLimits, Verdict } from '../../rate-limits/rate-limits.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `tight`: guarded against guessing, counted exactly. `none`: for probes. Absent: the general limit. */
    rateLimit?: 'tight' | 'none'
  }
  interface FastifyInstance {
    /** Counts a request whose token was refused. Throws server.too_many_requests when its address sent too many. */
    countRefusedToken: (request: FastifyRequest, reply: FastifyReply) => void
  }
}

type Limits = { perCredential: number; perAddress: number; tight: number }
type Options = { rateLimits: RateLimits; limits: Limits }

const SYNCHRONISE_EVERY_MS = 1_000
/** What a network may do, as a multiple of what one address may: it is shared, and easily had whole. */
const NETWORK_SHARE = 16

const ipv6Network = (bytes: readonly number[], bits: number): string =>
  `${Buffer.from(bytes.slice(0, bits / 8)).toString('hex')}/${bits}`

const ipv6BytesOf = (address: string): number[] | undefined => {
  if (isIPv4(address) || !ipaddr.isValid(address)) return undefined
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? undefined : parsed.toByteArray()
}

/** What an address counts as: an IPv6 host has a whole /64 to itself, so that is what is counted. */
export const addressBucket = (address: string): string => {
  const bytes = ipv6BytesOf(address)
  if (bytes !== undefined) return ipv6Network(bytes, 64)
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address
}

/**
 * What guesses at an account are counted for: of IPv6 the /48 that a customer is commonly given, or each of its 65,536 /64s
 * would have guesses of its own.
 */
export const guesserBucket = (address: string): string => {
  const bytes = ipv6BytesOf(address)
  return bytes === undefined ? addressBucket(address) : ipv6Network(bytes, 48)
}

type Share = { bucket: string; limit: number }

/** What a request without a known caller counts for: its address, and the /48 that an IPv6 customer is commonly given. */
const sharesOf = (kind: string, address: string, limit: number): [Share, ...Share[]] => {
  const bytes = ipv6BytesOf(address)
  const own = { bucket: `${kind}:${addressBucket(address)}`, limit }
  if (bytes === undefined) return [own]
  return [own, { bucket: `${kind}:${ipv6Network(bytes, 48)}`, limit: limit * NETWORK_SHARE }]
}

// A person and their own server each have a budget: one cannot lock the other out.
const actorBucket = ({ userId, scopes }: Actor): string => `${scopes === 'all' ? 'user' : 'api'}:${userId}`

const append = (reply: FastifyReply, header: string, entry: string): void => {
  const before = reply.getHeader(header)
  void reply.header(header, before === undefined ? entry : `${before}, ${entry}`)
}

// https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/: q quota, w window, r remaining, t seconds left.
const enforce = (reply: FastifyReply, policy: string, verdict: Verdict): void => {
  const { allowed, limit, windowSeconds, remaining, resetSeconds } = verdict
  append(reply, 'ratelimit-policy', `"${policy}";q=${limit};w=${windowSeconds}`)
  append(reply, 'ratelimit', `"${policy}";r=${remaining};t=${resetSeconds}`)
  if (!allowed) throw serverErrors.too_many_requests({ headers: { 'retry-after': String(resetSeconds) } })
}

// Of an address and its network the refusal is told, else what the address has left.
const tighter = (verdicts: readonly [Verdict, ...Verdict[]]): Verdict =>
  verdicts.reduce((tight, one) => (one.allowed || !tight.allowed ? tight : one))

/**
 * Strangers are counted by address, and those whose tokens were refused on a count of their own: neither shuts out a
 * caller of the same address whose token is good, for whom the token is looked at first.
 */
export const addressLimitPlugin = fastifyPlugin<Options>(async (app: FastifyInstance, { rateLimits, limits }) => {
  const take = (kind: string, request: FastifyRequest): Verdict => {
    const [own, ...wider] = sharesOf(kind, request.ip, limits.perAddress)
    const count = ({ bucket, limit }: Share) => rateLimits.take(bucket, limit)
    return tighter([count(own), ...wider.map(count)])
  }

  app.addHook('onRequest', async (request, reply) => {
    const { access, rateLimit } = request.routeOptions.config
    if (rateLimit === 'none' || (!request.is404 && access !== 'public')) return
    enforce(reply, 'address', take('address', request))
  })

  app.decorate('countRefusedToken', (request, reply) => {
    const verdict = take('token', request)
    if (!verdict.allowed) enforce(reply, 'address', verdict)
  })

  const timer = setInterval(() => {
    rateLimits.synchronise().catch((error: unknown) => app.log.warn({ err: error }, 'the rate limits are not shared'))
  }, SYNCHRONISE_EVERY_MS).unref()
  app.addHook('onClose', async () => clearInterval(timer))
})

/** After the token was verified: callers are counted by credential, and guarded operations once more, exactly. */
export const callerLimitPlugin = fastifyPlugin<Options>(async (app: FastifyInstance, { rateLimits, limits }) => {
  const tightShares = ({ actor, ip }: FastifyRequest, operation: string): [Share, ...Share[]] =>
    actor === null
      ? sharesOf(`${operation}:address`, ip, limits.tight)
      : [{ bucket: `${operation}:${actorBucket(actor)}`, limit: limits.tight }]

  app.addHook('onRequest', async (request, reply) => {
    if (request.actor !== null) {
      enforce(reply, 'credential', rateLimits.take(actorBucket(request.actor), limits.perCredential))
    }
    if (request.routeOptions.config.rateLimit !== 'tight') return
    const operation = `tight:${request.method} ${request.routeOptions.url}`
    const [own, ...wider] = tightShares(request, operation)
    const count = ({ bucket, limit }: Share) => rateLimits.takeExactly(bucket, limit)
    enforce(reply, 'tight', tighter([await count(own), ...(await Promise.all(wider.map(count)))]))
  })
})
