import { randomBytes } from 'node:crypto'
import { termsOf } from '../accounts.ts'
import type { Bank } from '../bank.ts'

/** What a token allows. */
export type Grant = { merchantId: string; scopes: ReadonlySet<string> }

type IssuedToken = { access_token: string; token_type: 'Bearer'; expires_in: number; scope: string }

/**
 * A token for those of the scopes that the merchant has: banks grant what they can and say so. Without any, for all.
 * Undefined when none is left.
 */
export const issueToken = (bank: Bank, merchantId: string, asked: readonly string[]): IssuedToken | undefined => {
  const { scopes } = termsOf(bank, merchantId)
  const granted = asked.length === 0 ? scopes : scopes.filter((scope) => asked.includes(scope))
  if (granted.length === 0) return undefined
  const token = randomBytes(32).toString('base64url')
  const seconds = bank.settings.get().tokenSeconds
  const scope = granted.join(' ')
  bank.store.run(
    'INSERT INTO tokens (token, merchant_id, scopes, expires_at) VALUES (?, ?, ?, ?)',
    ...[token, merchantId, scope, bank.clock.now() + seconds * 1_000],
  )
  return { access_token: token, token_type: 'Bearer', expires_in: seconds, scope }
}

/** What a token grants, while it lives, which it does on the PSP's clock. */
export const checkToken = ({ store, clock }: Bank, token: string): Grant | undefined => {
  const row = store.one<{ merchant_id: string; scopes: string }>(
    'SELECT merchant_id, scopes FROM tokens WHERE token = ? AND expires_at > ?',
    ...[token, clock.now()],
  )
  return row && { merchantId: row.merchant_id, scopes: new Set(row.scopes.split(' ')) }
}

/** Ends all tokens at once. */
export const revokeTokens = ({ store }: Bank): number => store.run('DELETE FROM tokens')
