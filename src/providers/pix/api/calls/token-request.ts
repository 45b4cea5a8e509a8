/** Asks a PSP for an access token: OAuth 2 client credentials (RFC 6749, section 4.4) in the way of the profile. */
import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import type { Clock } from '../../../../clock.ts'
import { type TokenTrouble, type Unavailable, unavailable } from '../outcome.ts'
import type { ClientAuthentication } from '../profiles.ts'
import { within } from '../transport/deadline.ts'
import type { Exchange, HttpRequest } from '../transport/exchange.ts'
import { retryAfterMs } from './retry-after.ts'
import type { FetchedToken } from './token-cache.ts'

export type TokenOptions = {
  tokenUrl: string
  clientId: string
  clientSecret: string
  clientAuthentication: ClientAuthentication
  tokenBody: 'form' | 'json'
  deadlineMs: number
  clock: Clock
  logger: Pick<FastifyBaseLogger, 'warn'>
}

type Send = (request: HttpRequest, signal: AbortSignal) => Promise<Exchange>

const SECOND_MS = 1_000
/** RFC 6749 leaves the lifetime optional. Banks that say one say five minutes to an hour. */
const LIFE_SECONDS_DEFAULT = 300
const LIFE_SECONDS_MAX = 86_400

const tokenAnswer = z.object({
  // It becomes a header: nothing that ends one may be in it.
  access_token: z
    .string()
    .min(1)
    .max(8_192)
    .regex(/^[\x21-\x7e]+$/),
  expires_in: z.coerce.number().min(1).catch(LIFE_SECONDS_DEFAULT),
  scope: z.string().max(4_096).nullish().catch(undefined),
})

// As every bank's own clients encode them: RFC 6749 would have both parts form-encoded first.
const basicOf = (id: string, secret: string): string => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

const credentialFields = (options: TokenOptions): Record<string, string> => {
  const { clientAuthentication: way, clientId, clientSecret } = options
  if (way === 'basic') return {}
  return way === 'id' ? { client_id: clientId } : { client_id: clientId, client_secret: clientSecret }
}

const requestOf = (options: TokenOptions, scopes: readonly string[]): HttpRequest => {
  const { tokenUrl: url, clientId, clientSecret, clientAuthentication, tokenBody } = options
  const scope = scopes.length === 0 ? {} : { scope: scopes.join(' ') }
  const fields = { grant_type: 'client_credentials', ...credentialFields(options), ...scope }
  const isJson = tokenBody === 'json'
  const contentType = isJson ? 'application/json' : 'application/x-www-form-urlencoded'
  const authorization = clientAuthentication === 'basic' ? { authorization: basicOf(clientId, clientSecret) } : {}
  return {
    ...{ url, method: 'POST', isRepeatable: true },
    headers: { 'content-type': contentType, accept: 'application/json', ...authorization },
    body: isJson ? JSON.stringify(fields) : new URLSearchParams(fields).toString(),
  }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Answer = Extract<Exchange, { kind: 'answer' }>

const readToken = ({ body }: Answer): { token: FetchedToken; granted: string | undefined } | undefined => {
  const parsed = tokenAnswer.safeParse(parseJson(body))
  if (!parsed.success) return undefined
  const { access_token: value, expires_in: seconds, scope } = parsed.data
  const lifeMs = Math.min(seconds, LIFE_SECONDS_MAX) * SECOND_MS
  return { token: { kind: 'token', value, lifeMs }, granted: scope ?? undefined }
}

/** Makes the function that fetches tokens. What goes wrong is an outcome, and one line in the log without a secret. */
export const createTokenRequest = (options: TokenOptions, send: Send) => {
  const { deadlineMs, clock, logger } = options

  const fail = (trouble: TokenTrouble, waitMs: number | null = null): Unavailable => {
    logger.warn({ reason: trouble }, 'no access token for the Pix API')
    return unavailable(`token_${trouble}`, waitMs)
  }

  // A bank may grant less than was asked for, and says so here alone: later there is only a 403.
  const warnOfMissing = (scopes: readonly string[], granted: string | undefined): void => {
    if (granted === undefined) return
    const has = new Set(granted.split(/\s+/))
    const missing = scopes.filter((scope) => !has.has(scope))
    if (missing.length > 0) logger.warn({ missing }, 'the Pix account does not grant all scopes: ask the PSP for them')
  }

  return async (scopes: readonly string[]): Promise<FetchedToken | Unavailable> => {
    const request = requestOf(options, scopes)
    const result = await within(deadlineMs, undefined, (signal) => send(request, signal))
    if (result.kind === 'broken') return fail(result.reason)
    if (result.kind === 'stream' || result.status !== 200) {
      return fail(`http_${result.status}`, retryAfterMs(result, clock.now()))
    }
    const read = readToken(result)
    if (read === undefined) return fail('unreadable')
    warnOfMissing(scopes, read.granted)
    return read.token
  }
}
