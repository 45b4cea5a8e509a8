import { isCnpj } from './tax-id.ts'

/** Whether a text is digits that pass the Luhn check (ISO/IEC 7812-1). */
export const isLuhn = (text: string): boolean => {
  if (!/^\d+$/.test(text)) return false
  let sum = 0
  for (let index = 0; index < text.length; index += 1) {
    const digit = Number(text[text.length - 1 - index])
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

// The issuers' prefixes with the lengths that they use: without them one long number in ten would look like a card.
const CARD_SHAPES = [
  /^4(?:\d{12}|\d{15}|\d{18})$/, // Visa, and the Elo cards among its prefixes
  /^5[1-5]\d{14}$/, // Mastercard
  /^2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}$/, // Mastercard since 2017
  /^3[47]\d{13}$/, // American Express
  /^3(?:0[0-59]|[689]\d)(?:\d{11}|\d{13})$/, // Diners Club, Hipercard
  /^35(?:2[89]|[3-8]\d)\d{12,15}$/, // JCB
  /^50\d{14,17}$/, // Elo, Aura, Mastercard debit
  /^(?:5[68]\d\d|67\d\d|6304)\d{9,15}$/, // Maestro
  /^(?:6011|64[4-9]\d|65\d\d)\d{12,15}$/, // Discover, Elo
  /^(?:606282|627780|636297|636368|636369)\d{10}$/, // Hipercard, Elo
  /^62\d{14,17}$/, // UnionPay
] as const

const isCardNumber = (digits: string): boolean =>
  isLuhn(digits) && CARD_SHAPES.some((shape) => shape.test(digits)) && !isCnpj(digits)

const DIGITS_MIN = 13
const ZERO = 48
const NINE = 57

// Nearly every text of every request has fewer digits, and needs no closer look.
const hasDigitsOfACard = (text: string): boolean => {
  let digits = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code >= ZERO && code <= NINE) digits += 1
  }
  return digits >= DIGITS_MIN
}

/** Access keys of invoices and lines of boletos: too long for a card, but their groups may look like one. */
const LONG_NUMBERS = /\d(?:[ .-]?\d){43,}/g

/**
 * How cards are written inside other text: unbroken, in fours (19 digits end in three), or as American Express and
 * Diners Club print them. No group of a UUID fits. Lookaheads, so that a number before the card hides nothing.
 */
const CARDS_IN_TEXT = [
  /(?<![0-9A-Za-z])(?=(\d{13,19})(?![0-9A-Za-z]))/g,
  /(?<![0-9A-Za-z])(?=(\d{4}([ .-])\d{4}\2\d{4}\2(?:\d{4}|\d{1,2}))(?![0-9A-Za-z]))/g,
  /(?<![0-9A-Za-z])(?=(\d{4}([ .-])\d{4}\2\d{4}\2\d{4}\2\d{3})(?![0-9A-Za-z]))/g,
  /(?<![0-9A-Za-z])(?=(\d{4}([ .-])\d{6}\2\d{4,5})(?![0-9A-Za-z]))/g,
] as const

/**
 * Whether a text is a card number, however it is separated, or holds one as cards are written: 13 to 19 digits with a
 * known issuer's prefix that pass the Luhn check and are no CNPJ. For refusing them: card numbers are never taken in.
 */
export const looksLikeCardNumber = (text: string): boolean => {
  if (!hasDigitsOfACard(text)) return false
  if (isCardNumber(text.replace(/[\s./_-]/g, ''))) return true
  const rest = text.replace(LONG_NUMBERS, ' ')
  return CARDS_IN_TEXT.some((pattern) =>
    [...rest.matchAll(pattern)].some(([, number = '']) => isCardNumber(number.replace(/\D/g, ''))),
  )
}
