import { z } from 'zod'
import { DISCOUNTS_MAX, type DueTerms, PAYABLE_DAYS_MAX } from '../../domain/due-terms.ts'
import { centavos, toBps } from '../../domain/money.ts'
import { amountSchema, dateSchema, percentageSchema } from '../../http/primitives.schemas.ts'

const rate = (description: string, example: number) =>
  percentageSchema.min(0.01).meta({ description: `${description} In percent.`, examples: [example] })

/** The fields of a new payment that depend on its due date. */
export const dueTermsFields = {
  dueDate: dateSchema.optional().meta({
    description:
      'São Paulo date on which it falls due. A boleto has one, three days ahead by default; a Pix with one needs its payer’s name and document.',
  }),
  payableDaysAfterDue: z
    .number()
    .int()
    .min(0)
    .max(PAYABLE_DAYS_MAX)
    .optional()
    .meta({
      description: 'For how many days it can be paid late: 30 by default where that costs something, else none.',
      examples: [30],
    }),
  fine: z
    .strictObject({ percentage: rate('Of the amount, once.', 2) })
    .optional()
    .meta({ description: 'Added once when it is paid after the due date (`multa`).' }),
  interest: z
    .strictObject({ monthlyPercentage: rate('Of the amount, a thirtieth of it for each late day.', 1) })
    .optional()
    .meta({ description: 'Added for each day after the due date (`juros`).' }),
  discounts: z
    .array(
      z.strictObject({
        until: dateSchema.meta({ description: 'Last São Paulo date of the discount, up to the due date.' }),
        percentage: rate('Taken off the amount.', 5).optional(),
        amount: amountSchema.optional().meta({ description: 'Centavos taken off the amount.', examples: [500] }),
      }),
    )
    .min(1)
    .max(DISCOUNTS_MAX)
    .optional()
    .meta({ description: 'Less to pay until up to three dates: all with `percentage`, or all with `amount`.' }),
}

const dueTermsObject = z.object(dueTermsFields)
export type DueTermsBody = z.output<typeof dueTermsObject>

type Fault = { path: (string | number)[]; message: string }

type Asked = DueTermsBody & { amount: number }
type AskedDiscount = NonNullable<DueTermsBody['discounts']>[number]

const shareFault = ({ amount, percentage }: AskedDiscount, [first]: readonly AskedDiscount[]): string | undefined => {
  if ((amount === undefined) === (percentage === undefined)) return 'has either percentage or amount'
  const isOfAmounts = first?.amount !== undefined
  return (amount !== undefined) === isOfAmounts
    ? undefined
    : 'must be of the same kind as the others: percentage or amount'
}

const dateFault = ({ until }: AskedDiscount, index: number, { dueDate, discounts = [] }: Asked): string | undefined => {
  if (dueDate !== undefined && until > dueDate) return 'must not be after dueDate'
  const isFirst = discounts.findIndex((one) => one.until === until) === index
  return isFirst ? undefined : 'must be of another date than the others'
}

const discountFaults = (asked: Asked): Fault[] =>
  (asked.discounts ?? []).flatMap((discount, index): Fault[] => {
    const { amount = 0, percentage } = discount
    const faults: [string[], string | undefined][] = [
      [[], shareFault(discount, asked.discounts ?? [])],
      [['amount'], amount >= asked.amount ? 'must be below the amount' : undefined],
      [['percentage'], percentage === 100 ? 'must be below 100' : undefined],
      [['until'], dateFault(discount, index, asked)],
    ]
    return faults.flatMap(([field, message]) =>
      message === undefined ? [] : [{ path: ['discounts', index, ...field], message }],
    )
  })

const TERMS = ['payableDaysAfterDue', 'fine', 'interest', 'discounts'] as const

/** What about the terms of a due date does not hold together. */
export const dueTermsFaults = (asked: Asked): Fault[] => {
  const given = TERMS.filter((field) => asked[field] !== undefined)
  if (asked.dueDate === undefined) return given.map((field) => ({ path: [field], message: 'needs a dueDate' }))
  return discountFaults(asked)
}

/** For how long a late payment is taken that costs something, where nothing is said: as the Central Bank has it. */
const PAYABLE_DAYS = 30

/** The terms that a request asks for; null: it has none beside a due date, which for a Pix is one. */
export const dueTermsOf = (body: DueTermsBody & { method: string }): DueTerms | null => {
  const { dueDate, fine, interest, discounts = [] } = body
  const hasTerms = TERMS.some((field) => body[field] !== undefined)
  if (dueDate === undefined || !(hasTerms || body.method === 'pix')) return null
  const costsMore = fine !== undefined || interest !== undefined
  return {
    dueDate,
    payableDaysAfterDue: body.payableDaysAfterDue ?? (costsMore ? PAYABLE_DAYS : 0),
    fine: fine === undefined ? null : toBps(fine.percentage),
    monthlyInterest: interest === undefined ? null : toBps(interest.monthlyPercentage),
    discounts: discounts.map(({ until, percentage, amount }) =>
      amount === undefined ? { until, percentage: toBps(percentage ?? 0) } : { until, amount: centavos(amount) },
    ),
  }
}
