import fastifyJwt from '@fastify/jwt'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import { type Actor, hasScope, type Scope } from '../../domain/actor.ts'
import { type AppError, authErrors } from '../../errors.ts'

type Role = Actor['role']

/** Who may call a route. Every route declares it; a route that does not stops the boot. */
export type Access = 'public' | readonly Role[]

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /**
     * What API credentials need to call a seller's route. `interactive`: only a person who logged in may.
     * Required on every route that sellers may call.
     */
    scope?: Scope | 'interactive'
  }
  interface FastifyRequest {
    /** Who calls, once the token has been verified. */
    actor: Actor | null
  }
  interface FastifyInstance {
    /** One line per route: method, path, who may call it and with which scope. */
    accessTable: string[]
  }
}

declare module '@fastify/jwt' {
  interface FastifyJWT {
    payload: AccessClaims
  }
}

/** What an access token says. The session is looked up, so that revoking it ends the token. */
export type AccessClaims = { sub: string; sid: string }

/** Answers who a live session belongs to, or undefined when it was revoked, has expired or its user was deleted. */
export type FindActor = (claims: AccessClaims, address: string) => Promise<Actor | undefined>

type Options = { jwtSecret: string; accessTokenSeconds: number; findActor: FindActor }

const ISSUER = 'payment-platform'
const CLAIMS = ['iss', 'sub', 'sid', 'iat', 'exp'] as const
const TOKENS_REMEMBERED_MAX = 10_000

const tokenError = (error: unknown): AppError => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'FST_JWT_NO_AUTHORIZATION_IN_HEADER' || code === 'FST_JWT_NO_AUTHORIZATION_IN_COOKIE') {
    return authErrors.token_missing()
  }
  return code === 'FST_JWT_AUTHORIZATION_TOKEN_EXPIRED' ? authErrors.token_expired() : authErrors.token_invalid()
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const isUuid = (claim: unknown): boolean => typeof claim === 'string' && UUID.test(claim)

type VerifiedClaims = AccessClaims & { exp: number }

/** What verified tokens say, by the whole header, so that none is found by a part of it. */
type VerifiedTokens = LRUCache<string, VerifiedClaims>

const verify = async (request: FastifyRequest, header: string, verified: VerifiedTokens): Promise<AccessClaims> => {
  const known = verified.get(header)
  if (known !== undefined && known.exp * 1_000 > Date.now()) return known
  const claims = await request.jwtVerify<VerifiedClaims>().catch((error: unknown) => {
    throw tokenError(error)
  })
  if (!isUuid(claims.sid) || !isUuid(claims.sub)) throw authErrors.token_invalid()
  verified.set(header, claims)
  return claims
}

const authenticate = async (
  request: FastifyRequest,
  findActor: FindActor,
  verified: VerifiedTokens,
): Promise<Actor> => {
  const { authorization } = request.headers
  if (authorization === undefined) throw authErrors.token_missing()
  const claims = await verify(request, authorization, verified)
  const actor = await findActor(claims, request.ip)
  if (actor === undefined) throw authErrors.token_invalid()
  return actor
}

const authorize = (actor: Actor, roles: readonly Role[], scope: Scope | 'interactive' | undefined): void => {
  if (!roles.includes(actor.role)) throw authErrors.forbidden()
  if (actor.scopes === 'all') return
  if (scope === undefined || scope === 'interactive' || !hasScope(actor, scope)) throw authErrors.scope_missing()
}

const faultsOf = ({ method, url, config }: RouteOptions): string[] => {
  const access = config?.access
  const name = `${[method].flat().join('|')} ${url}`
  if (access === undefined) return [`${name}: no access`]
  const needsScope = access !== 'public' && access.includes('seller') && config?.scope === undefined
  return needsScope ? [`${name}: no scope`] : []
}

const describe = ({ method, url, config }: RouteOptions): string => {
  const access = config?.access === 'public' ? 'public' : (config?.access ?? []).join('+')
  return `${[method].flat().join('|')} ${url} ${access}${config?.scope ? ` ${config.scope}` : ''}`
}

/** Verifies the token, then the role, before anything else of a request is looked at. */
export const accessPlugin = fastifyPlugin<Options>(async (app: FastifyInstance, options) => {
  await app.register(fastifyJwt, {
    secret: options.jwtSecret,
    sign: { algorithm: 'HS256', expiresIn: options.accessTokenSeconds, iss: ISSUER },
    // A claim that is absent is not checked, so each must be there: without exp a token would live for ever.
    verify: { algorithms: ['HS256'], allowedIss: ISSUER, requiredClaims: [...CLAIMS] },
  })
  const verified: VerifiedTokens = new LRUCache({ max: TOKENS_REMEMBERED_MAX })
  app.decorateRequest('actor', null)
  app.decorate('accessTable', [])

  app.addHook('onRequest', async (request) => {
    const { access } = request.routeOptions.config
    // An unknown path is a 404 for everybody, also for somebody without a token.
    if (request.is404 || access === 'public') return
    request.actor = await authenticate(request, options.findActor, verified)
    // The role is known here, so a stranger to the operation learns nothing of its body either.
    authorize(request.actor, access ?? [], request.routeOptions.config.scope)
  })

  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    routes.push(route)
  })
  app.addHook('onReady', async () => {
    const faults = routes.flatMap(faultsOf)
    if (faults.length > 0) throw new Error(`routes that do not say who may call them: ${faults.join(', ')}`)
    app.accessTable.push(
      ...routes
        .filter(({ method }) => method !== 'HEAD')
        .map(describe)
        .sort(),
    )
  })
})

/** The caller of a route that is not public. */
export const actorOf = (request: FastifyRequest): Actor => {
  if (request.actor === null) throw authErrors.token_missing()
  return request.actor
}
