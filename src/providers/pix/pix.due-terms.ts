import type { DueTerms } from '../../domain/due-terms.ts'
import type { Centavos } from '../../domain/money.ts'
import type { DueValue } from './api/due-value.ts'

const discountOf = (discounts: DueTerms['discounts']): DueValue['discount'] => {
  const amounts = discounts.flatMap(({ until: date, amount }) => (amount === undefined ? [] : [{ date, amount }]))
  const percentages = discounts.flatMap(({ until: date, percentage }) =>
    percentage === undefined ? [] : [{ date, percentage }],
  )
  if (amounts.length > 0) return { kind: 'amounts', until: amounts }
  return percentages.length > 0 ? { kind: 'percentages', until: percentages } : undefined
}

/** The terms of a payment as the standard has them: interest by calendar days of a month. */
export const dueValueOf = (amount: Centavos, { fine, monthlyInterest, discounts }: DueTerms): DueValue => ({
  amount,
  fine: fine === null ? undefined : { percentage: fine },
  interest: monthlyInterest === null ? undefined : { days: 'calendar', percentage: monthlyInterest, per: 'month' },
  discount: discountOf(discounts),
})
