/** What a charge with a due date adds for being late and takes off for being early, in the kinds of the standard. */
import type { LocalDate } from '../../../domain/calendar.ts'
import type { Bps, Centavos } from '../../../domain/money.ts'
import { amountText, percentageText } from './forms/amounts.ts'

/** A fixed amount, or a percentage of the original amount. */
export type Share = { amount: Centavos } | { percentage: Bps }

/** Which days count: all of them, or those on which banks work. */
export type CountedDays = 'calendar' | 'business'

/** What each late day costs: an amount, or a percentage that is meant by the day, month or year. */
export type Interest = { days: CountedDays } & (
  | { amountPerDay: Centavos }
  | { percentage: Bps; per: 'day' | 'month' | 'year' }
)

/** Less until a date (up to three), or less for each day that is left until the due date. */
export type Discount =
  | { kind: 'amounts'; until: readonly { date: LocalDate; amount: Centavos }[] }
  | { kind: 'percentages'; until: readonly { date: LocalDate; percentage: Bps }[] }
  | { kind: 'per_day'; days: CountedDays; share: Share }

export type DueValue = {
  amount: Centavos
  /** Once, when it is late (`multa`). */
  fine?: Share | undefined
  /** For each day that it is late (`juros`). */
  interest?: Interest | undefined
  /** Taken off whenever it is paid (`abatimento`). */
  rebate?: Share | undefined
  discount?: Discount | undefined
}

const shareText = (share: Share): string =>
  'amount' in share ? amountText(share.amount) : percentageText(share.percentage)

const shareBody = (share: Share): Record<string, unknown> => ({
  modalidade: 'amount' in share ? 1 : 2,
  valorPerc: shareText(share),
})

const PERIOD_KINDS = { day: 2, month: 3, year: 4 } as const
/** Of interest: kinds 5 to 8 are 1 to 4 over business days. */
const BUSINESS_DAYS_OFFSET = 4

const interestBody = (interest: Interest): Record<string, unknown> => {
  const offset = interest.days === 'business' ? BUSINESS_DAYS_OFFSET : 0
  return 'amountPerDay' in interest
    ? { modalidade: 1 + offset, valorPerc: amountText(interest.amountPerDay) }
    : { modalidade: PERIOD_KINDS[interest.per] + offset, valorPerc: percentageText(interest.percentage) }
}

const discountBody = (discount: Discount): Record<string, unknown> => {
  if (discount.kind === 'amounts') {
    const dates = discount.until.map(({ date, amount }) => ({ data: date, valorPerc: amountText(amount) }))
    return { modalidade: 1, descontoDataFixa: dates }
  }
  if (discount.kind === 'percentages') {
    const dates = discount.until.map(({ date, percentage }) => ({ data: date, valorPerc: percentageText(percentage) }))
    return { modalidade: 2, descontoDataFixa: dates }
  }
  const first = 'amount' in discount.share ? 3 : 5
  return { modalidade: first + (discount.days === 'business' ? 1 : 0), valorPerc: shareText(discount.share) }
}

/** The `valor` of a request. */
export const dueValueBody = ({ amount, fine, interest, rebate, discount }: DueValue): Record<string, unknown> => ({
  original: amountText(amount),
  ...(fine === undefined ? {} : { multa: shareBody(fine) }),
  ...(interest === undefined ? {} : { juros: interestBody(interest) }),
  ...(rebate === undefined ? {} : { abatimento: shareBody(rebate) }),
  ...(discount === undefined ? {} : { desconto: discountBody(discount) }),
})
