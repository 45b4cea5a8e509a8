import { isUuid } from './uuid.ts'

// Crockford's base 32 has no letter that is taken for a digit.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const TIME_CHARACTERS = 8
const END_CHARACTERS = 4
/** Hexadecimal digits of an id that the code holds: all but the last two of its 48 bits of time, and its last 20 bits. */
const TIME_DIGITS = 10
const END_DIGITS = 5

const written = (hexadecimal: string, length: number): string => {
  let value = BigInt(`0x${hexadecimal}`)
  let text = ''
  for (let count = 0; count < length; count += 1) {
    text = `${ALPHABET[Number(value % 32n)]}${text}`
    value /= 32n
  }
  return text
}

const hexadecimalOf = (text: string, length: number): string =>
  [...text]
    .reduce((value, character) => value * 32n + BigInt(ALPHABET.indexOf(character)), 0n)
    .toString(16)
    .padStart(length, '0')

/**
 * What a payer can read out on the phone to name a payment: `0K9F-2MX7-Q4TZ`. It holds when the payment's id (a UUID of
 * version 7) was made and how it ends, so that the payment is found by its key. Throws a RangeError on what is no id.
 */
export const paymentCode = (id: string): string => {
  if (!isUuid(id)) throw new RangeError('not the id of a payment')
  const digits = id.replaceAll('-', '')
  const code =
    written(digits.slice(0, TIME_DIGITS), TIME_CHARACTERS) + written(digits.slice(-END_DIGITS), END_CHARACTERS)
  return code.replace(/(.{4})(.{4})/, '$1-$2-')
}

const asId = (digits: string): string => digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/** The ids that a code may name: from, to and their last digits. Undefined: it is no code. Read as people write it. */
export const idsOfPaymentCode = (text: string): { from: string; to: string; ending: string } | undefined => {
  const code = text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  if (code.length !== TIME_CHARACTERS + END_CHARACTERS || !/^[0-9A-HJKMNP-TV-Z]+$/.test(code)) return undefined
  const time = hexadecimalOf(code.slice(0, TIME_CHARACTERS), TIME_DIGITS)
  const ending = hexadecimalOf(code.slice(TIME_CHARACTERS), END_DIGITS)
  const rest = 32 - TIME_DIGITS
  return { from: asId(time + '0'.repeat(rest)), to: asId(time + 'f'.repeat(rest)), ending }
}
