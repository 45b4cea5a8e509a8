import { addDays, daysBetween, type LocalDate } from './calendar.ts'
import { type Centavos, centavos } from './money.ts'

const FACTOR_EPOCH = '1997-10-07'
const FACTOR_FIRST = 1_000
const FACTOR_CYCLE = 9_000
/** How far back of today a factor may point before it means the next cycle (FEBRABAN). */
const WINDOW_BACK_DAYS = 3_000

/**
 * The four digits of a due date: days since 1997-10-07, which began again at 1000 after 9999 (2025-02-21).
 * Throws a RangeError on dates before 2000-07-03, the first with a factor.
 */
export const dueFactor = (date: LocalDate): string => {
  const days = daysBetween(FACTOR_EPOCH, date)
  if (days < FACTOR_FIRST) throw new RangeError(`no boleto fell due on ${date}`)
  return String(((days - FACTOR_FIRST) % FACTOR_CYCLE) + FACTOR_FIRST)
}

/**
 * The due date that a factor means today: of the dates 9,000 days apart, the first that is not more than 3,000 days
 * ago. Null for a boleto without due date (0000) and for factors that were never given out (below 1000).
 */
export const dueDateOf = (factor: string, today: LocalDate): LocalDate | null => {
  if (!/^[1-9]\d{3}$/.test(factor)) return null
  let date = addDays(FACTOR_EPOCH, Number(factor))
  while (daysBetween(date, today) > WINDOW_BACK_DAYS) date = addDays(date, FACTOR_CYCLE)
  return date
}

const mod10 = (digits: string): string => {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const product = Number(digits[digits.length - 1 - index]) * (index % 2 === 0 ? 2 : 1)
    sum += product > 9 ? product - 9 : product
  }
  return String((10 - (sum % 10)) % 10)
}

const mod11 = (digits: string): string => {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    sum += Number(digits[digits.length - 1 - index]) * (2 + (index % 8))
  }
  const digit = 11 - (sum % 11)
  return String(digit > 9 ? 1 : digit)
}

export type BoletoParts = {
  /** COMPE code of the bank, three digits. */
  bankCode: string
  dueDate: LocalDate
  /** At most 99,999,999.99 reais; 0 leaves it to the payer. */
  amount: Centavos
  /** The bank's own 25 digits. */
  freeField: string
}

/** The 44 digits of a boleto's barcode, with the general check digit. Throws a RangeError on parts that do not fit. */
export const boletoBarcode = ({ bankCode, dueDate, amount, freeField }: BoletoParts): string => {
  const head = `${bankCode}9`
  const rest = `${dueFactor(dueDate)}${String(amount).padStart(10, '0')}${freeField}`
  const fits = /^\d{3}$/.test(bankCode) && /^\d{25}$/.test(freeField) && /^\d{39}$/.test(rest)
  if (!fits) throw new RangeError('not the parts of a boleto')
  return head + mod11(head + rest) + rest
}

/** Whether 44 digits are a boleto's barcode, in reais and with a right check digit. Bills, which begin with 8, are not. */
export const isBoletoBarcode = (barcode: string): boolean =>
  /^[0-79]\d{2}9\d{40}$/.test(barcode) && barcode[4] === mod11(barcode.slice(0, 4) + barcode.slice(5))

/** What a barcode says, its due date as it is to be read today. Undefined when it is no boleto's barcode. */
export const readBoletoBarcode = (
  barcode: string,
  today: LocalDate,
): (Omit<BoletoParts, 'dueDate'> & { dueDate: LocalDate | null }) | undefined => {
  if (!isBoletoBarcode(barcode)) return undefined
  return {
    bankCode: barcode.slice(0, 3),
    dueDate: dueDateOf(barcode.slice(5, 9), today),
    amount: centavos(Number(barcode.slice(9, 19))),
    freeField: barcode.slice(19),
  }
}

/** The "linha digitável" of a barcode: 47 digits that people can type. Throws a RangeError on no boleto's barcode. */
export const boletoLine = (barcode: string): string => {
  if (!isBoletoBarcode(barcode)) throw new RangeError('not the barcode of a boleto')
  const fields = [barcode.slice(0, 4) + barcode.slice(19, 24), barcode.slice(24, 34), barcode.slice(34, 44)]
  return fields.map((part) => part + mod10(part)).join('') + barcode.slice(4, 19)
}

/** The barcode behind a line of 47 digits, or undefined when one of its four check digits is wrong. */
export const boletoBarcodeOf = (line: string): string | undefined => {
  if (!/^\d{47}$/.test(line)) return undefined
  const free = line.slice(4, 9) + line.slice(10, 20) + line.slice(21, 31)
  const barcode = line.slice(0, 4) + line.slice(32, 47) + free
  return isBoletoBarcode(barcode) && boletoLine(barcode) === line ? barcode : undefined
}

/** Whether 47 digits are a boleto's line with all four check digits right. */
export const isBoletoLine = (line: string): boolean => boletoBarcodeOf(line) !== undefined
