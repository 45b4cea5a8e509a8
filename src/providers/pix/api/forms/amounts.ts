/** The one place where centavos become the API's decimal strings (`37.00`) and back. No number of reais in between. */
import { z } from 'zod'
import { type Bps, type Centavos, centavos, fromDecimal, negate, toDecimal } from '../../../../domain/money.ts'

/** The API's strings have ten digits before the point. */
const AMOUNT_TEXT_MAX = 999_999_999_999

const WRITTEN = /^\d{1,13}(?:\.\d{1,2})?$/

const parse = (text: string): Centavos => {
  // Standard amounts have two decimals. Efí writes those of infractions without.
  const [reais = '', cents = ''] = text.split('.')
  return fromDecimal(`${reais}.${cents.padEnd(2, '0')}`)
}

/** Writes an amount. Throws a RangeError where the API has no form for it: below zero, 10 billion reais and more. */
export const amountText = (amount: Centavos): string => {
  if (amount > AMOUNT_TEXT_MAX) throw new RangeError(`too large an amount for the Pix API: ${amount}`)
  return toDecimal(amount)
}

/** Writes a percentage, which has two decimals in the API too: 250 basis points are `2.50`. */
export const percentageText = (rate: Bps): string => toDecimal(centavos(rate))

/** Reads an amount of an answer. */
export const amountSchema = z.string().regex(WRITTEN).transform(parse)

/** Reads a balance, which may be below zero. */
export const balanceSchema = z
  .string()
  .regex(/^-?\d{1,13}(?:\.\d{1,2})?$/)
  .transform((text) => (text.startsWith('-') ? negate(parse(text.slice(1))) : parse(text)))
