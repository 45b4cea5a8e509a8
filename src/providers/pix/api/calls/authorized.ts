/** Sends a request with a token, and once more with a new one where the API did not take it. */
import type { Failure } from '../outcome.ts'
import type { Exchange, HttpRequest } from '../transport/exchange.ts'
import type { Session } from './session.ts'
import type { Token } from './token-cache.ts'

type Attempt = { token: Token | undefined; result: Exchange | Failure }
type Unauthorized = { token: Token }

const isUnauthorized = (attempt: Attempt): attempt is Attempt & Unauthorized =>
  attempt.token !== undefined && attempt.result.kind === 'answer' && attempt.result.status === 401

/**
 * A 401 means that nothing happened, so that any request may be repeated after one. All of it stays in one session,
 * because a token may be bound to the certificate of its connections.
 */
export const sendAuthorized = async (
  session: Session,
  request: HttpRequest,
  { scopes, signal }: { scopes: readonly string[]; signal: AbortSignal },
): Promise<Exchange | Failure> => {
  const attempt = async (): Promise<Attempt> => {
    const token = await session.tokens.get(scopes, signal)
    if (token.kind !== 'token') return { token: undefined, result: token }
    const headers = { ...request.headers, authorization: `Bearer ${token.value}` }
    return { token, result: await session.send({ ...request, headers }, signal) }
  }

  const first = await attempt()
  if (!isUnauthorized(first)) return first.result
  session.tokens.drop(scopes, first.token)
  const second = await attempt()
  return isUnauthorized(second) ? session.tokens.reject(scopes, second.token) : second.result
}
