import { addDays, daysBetween, isBusinessDay, type LocalDate, onBusinessDay } from '../../../src/domain/calendar.ts'
import { add, type Centavos, centavos, fromDecimal, smaller, subtract, ZERO } from '../../../src/domain/money.ts'
import type { DueValue } from './charge-schemas.ts'

/** What a charge with a due date comes to on one day, and of what. */
export type DueAmounts = {
  original: Centavos
  fine: Centavos
  interest: Centavos
  rebate: Centavos
  discount: Centavos
  final: Centavos
}

/**
 * Days that a monthly or yearly rate is spread over: the manual has 1, 21 and 252 for business days and 30 for a month
 * of calendar days; 365 for a year of them is the simulator's reading.
 */
const INTEREST_DAYS: Readonly<Record<number, number>> = { 2: 1, 3: 30, 4: 365, 6: 1, 7: 21, 8: 252 }

/** Of how many business days a half-open period after `from` consists, `to` included. */
const businessDaysBetween = (from: LocalDate, to: LocalDate): number => {
  let days = 0
  for (let day = addDays(from, 1); day <= to; day = addDays(day, 1)) if (isBusinessDay(day)) days += 1
  return days
}

/** `amount × percentage / 100 × days / spread`, half a centavo up. `percentage` has two decimals: `2.00`. */
const share = (amount: Centavos, percentage: string, days = 1, spread = 1): Centavos => {
  const dividend = BigInt(amount) * BigInt(fromDecimal(percentage)) * BigInt(days)
  const divisor = 10_000n * BigInt(spread)
  return centavos(Number((2n * dividend + divisor) / (2n * divisor)))
}

const times = (amount: Centavos, days: number): Centavos => centavos(amount * days)

/** The due date, moved on where banks are closed: everything counts from there. */
const effectiveDueDate = (dueDate: LocalDate): LocalDate => onBusinessDay(dueDate)

/** The last day on which payers' banks accept the charge. */
export const lastPayableDate = (dueDate: LocalDate, validDays: number): LocalDate =>
  onBusinessDay(addDays(effectiveDueDate(dueDate), validDays))

const rebateOf = ({ abatimento }: DueValue, original: Centavos): Centavos => {
  if (abatimento === undefined) return ZERO
  return abatimento.modalidade === 1 ? fromDecimal(abatimento.valorPerc) : share(original, abatimento.valorPerc)
}

const fineOf = ({ multa }: DueValue, base: Centavos): Centavos => {
  if (multa === undefined) return ZERO
  return multa.modalidade === 1 ? fromDecimal(multa.valorPerc) : share(base, multa.valorPerc)
}

const interestOf = ({ juros }: DueValue, base: Centavos, from: LocalDate, to: LocalDate): Centavos => {
  if (juros === undefined) return ZERO
  const { modalidade, valorPerc } = juros
  const days = modalidade <= 4 ? daysBetween(from, to) : businessDaysBetween(from, to)
  const spread = INTEREST_DAYS[modalidade]
  return spread === undefined ? times(fromDecimal(valorPerc), days) : share(base, valorPerc, days, spread)
}

const discountOf = ({ desconto }: DueValue, base: Centavos, payDate: LocalDate, dueDate: LocalDate): Centavos => {
  if (desconto === undefined) return ZERO
  if ('descontoDataFixa' in desconto) {
    const still = desconto.descontoDataFixa.filter(({ data }) => onBusinessDay(data) >= payDate)
    const best = still.toSorted((one, other) => one.data.localeCompare(other.data))[0]
    if (best === undefined) return ZERO
    return desconto.modalidade === 1 ? fromDecimal(best.valorPerc) : share(base, best.valorPerc)
  }
  const { modalidade, valorPerc } = desconto
  const isCalendar = modalidade === 3 || modalidade === 5
  const days = isCalendar ? daysBetween(payDate, dueDate) : businessDaysBetween(payDate, dueDate)
  return modalidade <= 4 ? times(fromDecimal(valorPerc), days) : share(base, valorPerc, days)
}

/**
 * What is to be paid on a date, by the equations of the Central Bank's manual: fine and interest on the original less its
 * rebate, counted from the due date moved on to a business day; discounts up to it.
 */
export const dueAmountsOn = (value: DueValue, dueDate: LocalDate, payDate: LocalDate): DueAmounts => {
  const original = fromDecimal(value.original)
  const rebate = smaller(rebateOf(value, original), original)
  const base = subtract(original, rebate)
  const effective = effectiveDueDate(dueDate)
  const isLate = payDate > effective
  const fine = isLate ? fineOf(value, base) : ZERO
  const interest = isLate ? interestOf(value, base, effective, payDate) : ZERO
  const discount = isLate ? ZERO : smaller(discountOf(value, base, payDate, effective), base)
  return { original, fine, interest, rebate, discount, final: subtract(add(base, fine, interest), discount) }
}
