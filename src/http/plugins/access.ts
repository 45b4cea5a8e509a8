import fastifyJwt from '@fastify/jwt'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import type { SecondFactorRule } from '../../config/people.ts'
import { type AccessClaims, type Actor, hasProof, hasScope, type Scope } from '../../domain/actor.ts'
import { meetsAny, ROLES_THAT_MEET, type RoleNeeded, rolesMeeting } from '../../domain/roles.ts'
import { isUuid } from '../../domain/uuid.ts'
import { AppError, authErrors } from '../../errors.ts'

/** Who may call a route: whoever meets one of these. Every route declares it; a route that does not stops the boot. */
export type Access = 'public' | readonly RoleNeeded[]

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /**
     * What API credentials need to call a seller's route. `interactive`: only a person who logged in may.
     * Required on every route that sellers may call.
     */
    scope?: Scope | 'interactive'
    /** What could take an account over: a person needs to have shown password or code within the last ten minutes. */
    stepUp?: true
    /**
     * `withdrawals`: needs a second factor where the platform asks for one of those who withdraw. `none`: people may
     * call it before they have one, also where the platform asks them for it, and with a password that was made up.
     */
    secondFactor?: 'withdrawals' | 'none'
  }
  interface FastifyRequest {
    /** Who calls, once the token has been verified. */
    actor: Actor | null
  }
  interface FastifyInstance {
    /** One line per route: method, path, the roles that may call it, the scope that API credentials need, and `step-up`. */
    accessTable: string[]
  }
}

declare module '@fastify/jwt' {
  interface FastifyJWT {
    payload: AccessClaims
  }
}

/** Answers who a live session belongs to, or undefined when it was revoked, has expired or its user was deleted. */
export type FindActor = (claims: AccessClaims, address: string) => Promise<Actor | undefined>

type Options = {
  /** Signs tokens. */
  jwtSecret: string
  /** Tokens that one of these signed are good, too. */
  olderJwtSecrets: readonly string[]
  accessTokenSeconds: number
  findActor: FindActor
  secondFactor: SecondFactorRule
}

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

const isRefusedToken = (error: unknown): boolean => error instanceof AppError && error.status === 401

const isUuidClaim = (claim: unknown): boolean => typeof claim === 'string' && isUuid(claim)

type VerifiedClaims = AccessClaims & { exp: number }

/** What verified tokens say, by the whole header, so that none is found by a part of it. */
type VerifiedTokens = LRUCache<string, VerifiedClaims>

const verifyWith = async (request: FastifyRequest, [key, ...older]: readonly string[]): Promise<VerifiedClaims> => {
  try {
    return await request.jwtVerify<VerifiedClaims>(key === undefined ? {} : { key })
  } catch (cause) {
    const error = tokenError(cause)
    if (older.length === 0 || error.code !== 'auth.token_invalid') throw error
    return verifyWith(request, older)
  }
}

const verify = async (
  request: FastifyRequest,
  header: string,
  { verified, secrets }: { verified: VerifiedTokens; secrets: readonly string[] },
): Promise<AccessClaims> => {
  const known = verified.get(header)
  if (known !== undefined && known.exp * 1_000 > Date.now()) return known
  const claims = await verifyWith(request, secrets)
  if (![claims.sid, claims.sub].every(isUuidClaim)) throw authErrors.token_invalid()
  verified.set(header, claims)
  return claims
}

const authenticate = async (
  request: FastifyRequest,
  findActor: FindActor,
  tokens: { verified: VerifiedTokens; secrets: readonly string[] },
): Promise<Actor> => {
  const { authorization } = request.headers
  if (authorization === undefined) throw authErrors.token_missing()
  const claims = await verify(request, authorization, tokens)
  const actor = await findActor(claims, request.ip)
  if (actor === undefined) throw authErrors.token_invalid()
  return actor
}

const authorizeScope = (actor: Actor, scope: Scope | 'interactive' | undefined): void => {
  if (actor.scopes === 'all') return
  if (scope === undefined || scope === 'interactive' || !hasScope(actor, scope)) throw authErrors.scope_missing()
}

// What one may do with an account that is not yet as the platform asks is what makes it so.
const isForAnAccount = ({ secondFactor }: FastifyContextConfig): boolean => secondFactor !== 'none'

const lacksSecondFactor = (actor: Actor, config: FastifyContextConfig, rule: SecondFactorRule): boolean => {
  if (actor.hasSecondFactor || actor.scopes !== 'all') return false
  if (actor.role === 'admin' ? rule.admins : rule.sellers) return isForAnAccount(config)
  return rule.withdrawals && config.secondFactor === 'withdrawals'
}

const authorize = (actor: Actor, config: FastifyContextConfig, rule: SecondFactorRule): void => {
  const { access = [], scope, stepUp } = config
  if (access !== 'public' && !meetsAny(actor, access)) throw authErrors.forbidden()
  authorizeScope(actor, scope)
  if (actor.hasMadeUpPassword && isForAnAccount(config)) throw authErrors.password_change_required()
  if (lacksSecondFactor(actor, config, rule)) throw authErrors.second_factor_required()
  if (stepUp && !hasProof(actor, new Date())) throw authErrors.step_up_required()
}

const faultsOf = ({ method, url, config }: RouteOptions): string[] => {
  const access = config?.access
  const name = `${[method].flat().join('|')} ${url}`
  if (access === undefined) return [`${name}: no access`]
  if (access !== 'public' && !access.every((needed) => needed in ROLES_THAT_MEET)) return [`${name}: unknown role`]
  const needsScope = access !== 'public' && rolesMeeting('seller', access).length > 0 && config?.scope === undefined
  return needsScope ? [`${name}: no scope`] : []
}

const describeAccess = (access: Access): string =>
  access === 'public'
    ? 'public'
    : (['seller', 'admin'] as const)
        .map((side) => ({ side, roles: rolesMeeting(side, access) }))
        .filter(({ roles }) => roles.length > 0)
        .map(({ side, roles }) => `${side}:${roles.join(',')}`)
        .join('+')

const describe = ({ method, url, config }: RouteOptions): string => {
  const words = [
    [method].flat().join('|'),
    url,
    describeAccess(config?.access ?? []),
    config?.scope,
    config?.stepUp && 'step-up',
  ]
  return words.filter((word) => word !== undefined).join(' ')
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
  const tokens = { verified, secrets: [options.jwtSecret, ...options.olderJwtSecrets] }
  app.decorateRequest('actor', null)
  app.decorate('accessTable', [])

  app.addHook('onRequest', async (request, reply) => {
    const { access } = request.routeOptions.config
    // An unknown path is a 404 for everybody, also for somebody without a token.
    if (request.is404 || access === 'public') return
    // What one caller may see is kept by no cache, not even the browser's, unless the route says otherwise.
    void reply.header('cache-control', 'no-store')
    request.actor = await authenticate(request, options.findActor, tokens).catch((error: unknown) => {
      if (isRefusedToken(error)) app.countRefusedToken(request, reply)
      throw error
    })
    // The role is known here, so a stranger to the operation learns nothing of its body either.
    authorize(request.actor, request.routeOptions.config, options.secondFactor)
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
