import { isIPv4 } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import ipaddr from 'ipaddr.js'
import type { Actor } from '../../domain/actor.ts'
import { serverErrors } from '../../errors.ts'
import type { RateLimits, Verdict } from '../rate-limits.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `tight`: guarded against guessing, counted exactly. `none`: for probes. Absent: the general limit. */
    rateLimit?: 'tight' | 'none'
  }
}

type Limits = { perCredential: number; perAddress: number; tight: number }
type Options = { rateLimits: RateLimits; limits: Limits }

const SYNCHRONISE_EVERY_MS = 1_000
const NETWORK_BYTES = 8

/** What an address counts as: an IPv6 host has a whole /64 to itself, so that is what is counted. */
export const addressBucket = (address: string): string => {
  if (isIPv4(address) || !ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  return `${Buffer.from(parsed.toByteArray().slice(0, NETWORK_BYTES)).toString('hex')}/64`
}

// A person and their own server each have a budget: one cannot lock the other out.
const actorBucket = ({ userId, scopes }: Actor): string => `${scopes === 'all' ? 'user' : 'api'}:${userId}`

const bucketOf = (request: FastifyRequest): string =>
  request.actor === null ? `address:${addressBucket(request.ip)}` : actorBucket(request.actor)

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

/** Before the token is looked at: strangers are counted by address, and so are those whose tokens were refused. */
export const addressLimitPlugin = fastifyPlugin<Options>(async (app: FastifyInstance, { rateLimits, limits }) => {
  const bucket = (request: FastifyRequest) => `address:${addressBucket(request.ip)}`

  app.addHook('onRequest', async (request, reply) => {
    const { access, rateLimit } = request.routeOptions.config
    if (rateLimit === 'none') return
    if (request.is404 || access === 'public') {
      return enforce(reply, 'address', rateLimits.take(bucket(request), limits.perAddress))
    }
    const verdict = rateLimits.peek(bucket(request), limits.perAddress)
    if (!verdict.allowed) enforce(reply, 'address', verdict)
  })

  app.addHook('onResponse', (request, reply, done) => {
    const refused = reply.statusCode === 401 && request.actor === null
    if (refused && request.routeOptions.config.access !== 'public') rateLimits.take(bucket(request), limits.perAddress)
    done()
  })

  const timer = setInterval(() => {
    rateLimits.synchronise().catch((error: unknown) => app.log.warn({ err: error }, 'the rate limits are not shared'))
  }, SYNCHRONISE_EVERY_MS).unref()
  app.addHook('onClose', async () => clearInterval(timer))
})

/** After the token was verified: callers are counted by credential, and guarded operations once more, exactly. */
export const callerLimitPlugin = fastifyPlugin<Options>(async (app: FastifyInstance, { rateLimits, limits }) => {
  app.addHook('onRequest', async (request, reply) => {
    if (request.actor !== null) {
      enforce(reply, 'credential', rateLimits.take(actorBucket(request.actor), limits.perCredential))
    }
    if (request.routeOptions.config.rateLimit !== 'tight') return
    const bucket = `tight:${request.method} ${request.routeOptions.url}:${bucketOf(request)}`
    enforce(reply, 'tight', await rateLimits.takeExactly(bucket, limits.tight))
  })
})
