import { SCOPES, type Scope } from '../../domain/actor.ts'
import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import type { Credentials } from './integrations.repository.ts'

/** The scopes of stored credentials that exist today, in their usual order. */
export const scopesOf = ({ scopes }: Pick<Credentials, 'scopes'>): Scope[] =>
  SCOPES.filter((scope) => scopes.includes(scope))

/** Until when the secret before this one works, while it does. */
export const previousSecretEnd = ({ previousSecretValidUntil }: Credentials, now: Date): Date | null =>
  previousSecretValidUntil && previousSecretValidUntil > now ? previousSecretValidUntil : null

/** Credentials as the API shows them: never with a secret. */
export const credentialsView = (credentials: Credentials, now: Date) => ({
  clientId: credentials.clientId,
  clientSecretLast4: credentials.secretLast4,
  scopes: scopesOf(credentials),
  allowedIps: credentials.allowedIps,
  createdAt: toTimestamp(credentials.createdAt),
  lastUsedAt: toTimestampOrNull(credentials.lastUsedAt),
  previousSecretValidUntil: toTimestampOrNull(previousSecretEnd(credentials, now)),
})

/** A token as RFC 6749, 5.1 shows it. */
export const tokenView = (accessToken: string, scopes: readonly Scope[], expiresIn: number) => ({
  access_token: accessToken,
  token_type: 'Bearer' as const,
  expires_in: expiresIn,
  scope: scopes.join(' '),
})

export type TokenView = ReturnType<typeof tokenView>

/** The same under the names in camel case too, which stay for one version more. */
export const oldTokenView = (token: TokenView) => ({
  ...token,
  accessToken: token.access_token,
  tokenType: token.token_type,
  expiresIn: token.expires_in,
})
