import type { z } from 'zod'
import type { PaymentMethod } from '../../domain/payment.ts'
import { type DueTermsBody, dueTermsFaults } from './payments.due-terms.schemas.ts'

/** The fields of a new payment that depend on its method. */
type PaymentFields = DueTermsBody & {
  method: PaymentMethod
  amount: number
  customerId?: unknown
  customer?: { document?: unknown } | undefined
  installments?: unknown
  cardToken?: unknown
  cardId?: unknown
  capture?: unknown
  expiresInSeconds?: unknown
}

const ONLY_FOR = {
  installments: ['credit_card'],
  cardToken: ['credit_card'],
  cardId: ['credit_card'],
  capture: ['credit_card'],
  expiresInSeconds: ['pix'],
  dueDate: ['pix', 'boleto'],
  payableDaysAfterDue: ['pix', 'boleto'],
  fine: ['pix', 'boleto'],
  interest: ['pix', 'boleto'],
  discounts: ['pix', 'boleto'],
} as const satisfies Partial<Record<keyof PaymentFields, readonly PaymentMethod[]>>

/** A boleto's barcode has ten digits for its amount. */
const BOLETO_AMOUNT_MAX = 9_999_999_999

type Fault = { path: (string | number)[]; message: string }

const misplaced = (asked: PaymentFields): Fault[] =>
  Object.entries(ONLY_FOR).flatMap(([field, methods]: [string, readonly PaymentMethod[]]) =>
    asked[field as keyof typeof ONLY_FOR] !== undefined && !methods.includes(asked.method)
      ? [{ path: [field], message: `is only for the method ${methods.join(' or ')}` }]
      : [],
  )

const payerFaults = ({ customerId, customer }: PaymentFields, what: string): Fault[] => {
  const message = `is required for ${what}`
  if (customerId !== undefined) return []
  if (customer === undefined) return [{ path: ['customer'], message }]
  return customer.document == null ? [{ path: ['customer', 'document'], message }] : []
}

const boletoFaults = (asked: PaymentFields): Fault[] => [
  ...(asked.amount > BOLETO_AMOUNT_MAX ? [{ path: ['amount'], message: `is at most ${BOLETO_AMOUNT_MAX}` }] : []),
  ...payerFaults(asked, 'a boleto'),
]

const pixFaults = (asked: PaymentFields): Fault[] => {
  if (asked.dueDate === undefined) return []
  const message = 'cannot be sent together with dueDate: payableDaysAfterDue says how long it can be paid'
  const faults = asked.expiresInSeconds === undefined ? [] : [{ path: ['expiresInSeconds'], message }]
  return [...faults, ...payerFaults(asked, 'a Pix with a due date')]
}

const cardFaults = ({ cardToken, cardId, customerId }: PaymentFields): Fault[] => {
  if (cardId === undefined) {
    const message = 'is required for a card, unless cardId names a saved one'
    return cardToken === undefined ? [{ path: ['cardToken'], message }] : []
  }
  if (cardToken !== undefined) return [{ path: ['cardId'], message: 'cannot be sent together with cardToken' }]
  return customerId === undefined ? [{ path: ['customerId'], message: 'is required for a saved card' }] : []
}

/** The rules between the fields of a new payment, one fault per field that breaks one. */
export const paymentFaults = (asked: PaymentFields): Fault[] => {
  const faults = misplaced(asked)
  if (asked.customerId !== undefined && asked.customer !== undefined) {
    faults.push({ path: ['customer'], message: 'cannot be sent together with customerId' })
  }
  if (asked.method === 'credit_card') return [...faults, ...cardFaults(asked)]
  return [...faults, ...dueTermsFaults(asked), ...(asked.method === 'pix' ? pixFaults(asked) : boletoFaults(asked))]
}

export const checkPaymentRules = (asked: PaymentFields, context: z.core.$RefinementCtx): void => {
  for (const { path, message } of paymentFaults(asked)) context.addIssue({ code: 'custom', path, message })
}
