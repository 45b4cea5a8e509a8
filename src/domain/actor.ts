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

/** Who acts. A seller's id is the id of their user. */
export type Actor = {
  userId: string
  role: 'admin' | 'seller'
  sessionId: string | null
  /** `all` for a person who logged in; a list for API credentials. */
  scopes: readonly Scope[] | 'all'
}

export const hasScope = (actor: Actor, scope: Scope): boolean => actor.scopes === 'all' || actor.scopes.includes(scope)
