import type { z } from 'zod'
import type { PaymentMethod } from '../../domain/payment.ts'
import { BOLETO_AMOUNT_MAX } from './payment-links.rules.ts'

/** The fields of a payer's request that depend on its method. */
type LinkPaymentFields = {
  method: PaymentMethod
  amount?: number | undefined
  customer?: { document?: unknown; email?: unknown } | undefined
  installments?: unknown
  cardToken?: unknown
}

type Fault = { path: string[]; message: string }

/** What the method needs of its payer beside the name. */
const NEEDED: Readonly<Record<PaymentMethod, readonly ('document' | 'email')[]>> = {
  pix: [],
  boleto: ['document'],
  credit_card: ['document', 'email'],
}

const NAMES: Readonly<Record<PaymentMethod, string>> = { pix: 'a Pix', boleto: 'a boleto', credit_card: 'a card' }

const customerFaults = ({ method, customer }: LinkPaymentFields): Fault[] => {
  const needed = NEEDED[method]
  const message = `is required for ${NAMES[method]}`
  if (customer === undefined) return needed.length === 0 ? [] : [{ path: ['customer'], message }]
  return needed.flatMap((field) => (customer[field] == null ? [{ path: ['customer', field], message }] : []))
}

const cardFaults = ({ method, installments, cardToken }: LinkPaymentFields): Fault[] => {
  if (method === 'credit_card') {
    return cardToken === undefined ? [{ path: ['cardToken'], message: 'is required for a card' }] : []
  }
  return Object.entries({ installments, cardToken }).flatMap(([field, value]) =>
    value === undefined ? [] : [{ path: [field], message: 'is only for the method credit_card' }],
  )
}

/** The rules between the fields of a payer's request, one fault per field that breaks one. */
export const checkPayRules = (asked: LinkPaymentFields, context: z.core.$RefinementCtx): void => {
  const faults = [...customerFaults(asked), ...cardFaults(asked)]
  if (asked.method === 'boleto' && asked.amount !== undefined && asked.amount > BOLETO_AMOUNT_MAX) {
    faults.push({ path: ['amount'], message: `is at most ${BOLETO_AMOUNT_MAX} for a boleto` })
  }
  for (const { path, message } of faults) context.addIssue({ code: 'custom', path, message })
}
