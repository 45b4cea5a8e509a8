import { addDays, daysBetween, type HolidayOverrides, type LocalDate, onBusinessDay } from './calendar.ts'
import { add, type Bps, type Centavos, percentOf, percentOverDays, smaller, subtract, ZERO } from './money.ts'

/** The standard has up to three. */
export const DISCOUNTS_MAX = 3
export const PAYABLE_DAYS_MAX = 365

/** Less to pay until a date: a part of the amount, or so much. */
export type DueDiscount = { until: LocalDate } & (
  | { percentage: Bps; amount?: undefined }
  | { amount: Centavos; percentage?: undefined }
)

/** What a payment with a due date costs by the day on which it is paid. Dates are São Paulo's. */
export type DueTerms = {
  dueDate: LocalDate
  /** For how many days it can be paid late. */
  payableDaysAfterDue: number
  /** Added once when it is late (`multa`). */
  fine: Bps | null
  /** Added for each late day, a thirtieth of a month (`juros`). */
  monthlyInterest: Bps | null
  /** All percentages, or all amounts. */
  discounts: readonly DueDiscount[]
}

/** Of what a paid amount is made beside the principal: the principal is what was paid, less fine and interest, plus the discount. */
export type PaidParts = { fine: Centavos; interest: Centavos; discount: Centavos }

const MONTH_DAYS = 30

/** The last day on which banks take it. Where banks are closed on a day, the next business day counts for it. */
export const lastPayableDate = (
  { dueDate, payableDaysAfterDue }: Pick<DueTerms, 'dueDate' | 'payableDaysAfterDue'>,
  holidays?: HolidayOverrides,
): LocalDate => onBusinessDay(addDays(onBusinessDay(dueDate, holidays), payableDaysAfterDue), holidays)

const discountOn = (
  amount: Centavos,
  { discounts }: DueTerms,
  date: LocalDate,
  holidays?: HolidayOverrides,
): Centavos => {
  const still = discounts.filter(({ until }) => onBusinessDay(until, holidays) >= date)
  const [next] = still.toSorted((one, other) => (one.until < other.until ? -1 : 1))
  if (next === undefined) return ZERO
  return smaller(next.amount ?? percentOf(amount, next.percentage), amount)
}

/**
 * What is added and taken off on a day, as the Central Bank's manual has it: fine and interest of the amount once the due date,
 * moved on to a business day, has passed; before that, the discount whose date comes next.
 */
export const partsOn = (amount: Centavos, terms: DueTerms, date: LocalDate, holidays?: HolidayOverrides): PaidParts => {
  const dueDate = onBusinessDay(terms.dueDate, holidays)
  if (date <= dueDate) return { fine: ZERO, interest: ZERO, discount: discountOn(amount, terms, date, holidays) }
  const { fine, monthlyInterest } = terms
  const lateDays = daysBetween(dueDate, date)
  return {
    fine: fine === null ? ZERO : percentOf(amount, fine),
    interest: monthlyInterest === null ? ZERO : percentOverDays(amount, monthlyInterest, lateDays, MONTH_DAYS),
    discount: ZERO,
  }
}

/** What is to be paid of an amount with these parts. */
export const amountWith = (amount: Centavos, { fine, interest, discount }: PaidParts): Centavos =>
  subtract(add(amount, fine, interest), discount)

/** How much of what was asked for a paid amount settles. Below zero where the parts are more than was paid. */
export const principalOf = (paidAmount: Centavos, { fine, interest, discount }: PaidParts): Centavos =>
  subtract(add(paidAmount, discount), fine, interest)

export const NO_PARTS: PaidParts = { fine: ZERO, interest: ZERO, discount: ZERO }
