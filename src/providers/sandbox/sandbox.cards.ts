import { createHash } from 'node:crypto'
import { saoPauloDate } from '../../domain/calendar.ts'
import { isCardExpired } from '../../domain/saved-card.ts'
import type { StatusReasonCode } from '../../domain/status-reasons.ts'
import type { ChargeCard } from '../provider.port.ts'

/** What the simulated acquirer does with a card: it approves, declines, or its answer never reaches us. */
export type CardOutcome = { outcome: 'approved' } | { outcome: 'declined'; reason: string } | { outcome: 'lost' }

const approved: CardOutcome = { outcome: 'approved' }
const declined = (reason: StatusReasonCode): CardOutcome => ({ outcome: 'declined', reason })

// The scheme of Cielo's simulator, read from the token instead of from a card number.
const BY_LAST_DIGIT: Readonly<Record<string, CardOutcome>> = {
  0: approved,
  1: approved,
  2: declined('card_denied'),
  3: declined('card_expired'),
  4: approved,
  5: declined('card_blocked'),
  6: { outcome: 'lost' },
  7: declined('card_canceled'),
  8: declined('card_problem'),
}

const CENTURY = 2_000

const firstByte = (text: string): number => createHash('sha256').update(text).digest()[0] ?? 0

/** Whether a text can be the token of a card at all. */
export const isCardToken = (token: string): boolean => /^tok_.*\d$/.test(token)

const EXPIRY = /_(0[1-9]|1[0-2])(\d\d)_\d{4}$/

// The card fields say in the token when the card expires; tokens that testers make up need not.
const expiryIn = (token: string): { expMonth: number; expYear: number } | undefined => {
  const [, month, year] = EXPIRY.exec(token) ?? []
  return month === undefined ? undefined : { expMonth: Number(month), expYear: CENTURY + Number(year) }
}

/**
 * The outcome of a token `tok_…` by its last digit: 0, 1 and 4 are approved, 2 denied, 3 expired, 5 blocked,
 * 6 approved but with the answer lost on the way, 7 canceled, 8 a problem, 9 either, always the same for one token. One that says that the card has expired is expired.
 */
export const cardOutcome = (token: string, chargedAt: Date): CardOutcome => {
  const digit = token.at(-1) ?? ''
  if (!isCardToken(token)) return declined('card_token_unknown')
  const expiry = expiryIn(token)
  if (expiry !== undefined && isCardExpired(expiry, saoPauloDate(chargedAt))) return declined('card_expired')
  if (digit === '9') return firstByte(token) % 2 === 0 ? approved : declined('card_denied')
  return BY_LAST_DIGIT[digit] ?? declined('card_token_unknown')
}

const BRANDS = ['visa', 'mastercard', 'elo', 'hipercard', 'amex'] as const
const VALID_YEARS = 4

// The card fields name the brand in the token; tokens that testers make up need not.
const brandOf = (token: string): string =>
  BRANDS.find((brand) => token.startsWith(`tok_${brand}_`)) ?? BRANDS[firstByte(token) % BRANDS.length] ?? 'visa'

/** The card behind a token: always the same one for the same token. */
export const cardBehind = (token: string, chargedAt: Date): ChargeCard => {
  const digits = token.replace(/\D/g, '')
  return {
    brand: brandOf(token),
    last4: digits.slice(-4).padStart(4, '0'),
    ...(expiryIn(token) ?? {
      expMonth: (firstByte(token) % 12) + 1,
      expYear: chargedAt.getUTCFullYear() + VALID_YEARS,
    }),
    authorizationCode: null,
  }
}
