import { SCOPES, type Scope } from '../../domain/actor.ts'
import { toTimestamp, toTimestampOrNull } from '../../http/primitives.schemas.ts'
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
