import type { AccessRole } from './roles.ts'

export const SCOPES = [
  'payments:read',
  'payments:write',
  'refunds:write',
  'payment_links:read',
  'payment_links:write',
  'customers:read',
  'customers:write',
  'balance:read',
  'transactions:read',
  'withdrawals:read',
  'withdrawals:write',
  'webhooks:read',
  'webhooks:write',
  'company:read',
  'company:write',
  'fees:read',
  'dashboard:read',
] as const

/** What API credentials may be allowed to do. */
export type Scope = (typeof SCOPES)[number]

/**
 * What new API credentials may do: what takes payments needs. What gives money away, tells others of it or changes the company
 * is added by name (least privilege; OWASP ASVS 5.0, 10.4.11).
 */
export const FIRST_SCOPES = [
  'payments:read',
  'payments:write',
  'payment_links:read',
  'payment_links:write',
  'customers:read',
  'customers:write',
  'balance:read',
  'transactions:read',
  'fees:read',
] as const satisfies readonly Scope[]

/** Who acts, and for whom. */
export type Actor = {
  userId: string
  role: 'admin' | 'seller'
  /** The role in the seller's account or among administrators, as it is now. API credentials have their owner's. */
  accessRole: AccessRole
  /** The seller's account. An administrator acts for none: their own id, under which no account is. */
  sellerId: string
  sessionId: string | null
  /** When the session last showed a password or a code: at the log-in, or by a step-up since. Real time. */
  provedAt: Date
  /** Whether log-ins of this person need a second factor. */
  hasSecondFactor: boolean
  /** Whether the password was made up by the platform: another has to be chosen before anything else. */
  hasMadeUpPassword: boolean
  /** `all` for a person who logged in; a list for API credentials. */
  scopes: readonly Scope[] | 'all'
}

/** What an access token says. The session is looked up, so that revoking it ends the token. */
export type AccessClaims = { sub: string; sid: string }

export const hasScope = (actor: Actor, scope: Scope): boolean => actor.scopes === 'all' || actor.scopes.includes(scope)

/** For how long a proof allows what could take an account over. */
const PROOF_MS = 10 * 60_000

/** Whether a person has shown who they are within the last ten minutes. API credentials have: their scopes bound them. */
export const hasProof = ({ scopes, provedAt }: Pick<Actor, 'scopes' | 'provedAt'>, now: Date): boolean =>
  scopes !== 'all' || now.getTime() - provedAt.getTime() < PROOF_MS
