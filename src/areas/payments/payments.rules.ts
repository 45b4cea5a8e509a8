import type { z } from 'zod'
import type { PaymentMethod } from '../../domain/payment.ts'

/** The fields of a new payment that depend on its method. */
type PaymentFields = {
  method: PaymentMethod
  amount: number
  customerId?: unknown
  customer?: { document?: unknown } | undefined
  installments?: unknown
  cardToken?: unknown
  capture?: unknown
  expiresInSeconds?: unknown
  dueDate?: unknown
}

const ONLY_FOR = {
  installments: 'credit_card',
  cardToken: 'credit_card',
  capture: 'credit_card',
  expiresInSeconds: 'pix',
  dueDate: 'boleto',
} as const satisfies Partial<Record<keyof PaymentFields, PaymentMethod>>

/** A boleto's barcode has ten digits for its amount. */
const BOLETO_AMOUNT_MAX = 9_999_999_999

type Fault = { path: string[]; message: string }

const misplaced = (asked: PaymentFields): Fault[] =>
  Object.entries(ONLY_FOR).flatMap(([field, method]) =>
    asked[field as keyof typeof ONLY_FOR] !== undefined && asked.method !== method
      ? [{ path: [field], message: `is only for the method ${method}` }]
      : [],
  )

const boletoFaults = ({ amount, customerId, customer }: PaymentFields): Fault[] => {
  const faults: Fault[] = []
  if (amount > BOLETO_AMOUNT_MAX) faults.push({ path: ['amount'], message: `is at most ${BOLETO_AMOUNT_MAX}` })
  if (customerId !== undefined) return faults
  if (customer === undefined) return [...faults, { path: ['customer'], message: 'is required for a boleto' }]
  if (customer.document == null) faults.push({ path: ['customer', 'document'], message: 'is required for a boleto' })
  return faults
}

/** The rules between the fields of a new payment, one fault per field that breaks one. */
export const paymentFaults = (asked: PaymentFields): Fault[] => {
  const faults = misplaced(asked)
  if (asked.customerId !== undefined && asked.customer !== undefined) {
    faults.push({ path: ['customer'], message: 'cannot be sent together with customerId' })
  }
  if (asked.method === 'credit_card' && asked.cardToken === undefined) {
    faults.push({ path: ['cardToken'], message: 'is required for a card' })
  }
  return asked.method === 'boleto' ? [...faults, ...boletoFaults(asked)] : faults
}

export const checkPaymentRules = (asked: PaymentFields, context: z.core.$RefinementCtx): void => {
  for (const { path, message } of paymentFaults(asked)) context.addIssue({ code: 'custom', path, message })
}
