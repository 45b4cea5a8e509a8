import { z } from 'zod'
import { payLinkBody } from '../areas/payment-links/public-links.schemas.ts'
import type { PublicLink } from '../areas/payment-links/public-links.view.ts'
import { type InputFault, requestErrors } from '../errors.ts'
import { typedAmount } from './formats.ts'

/** What a payer typed, as they typed it: it is shown again when something is wrong with it. */
export type FormValues = {
  method: string
  amount: string
  name: string
  document: string
  email: string
  installments: string
  cardToken: string
}

const typed = (max: number) => z.string().max(max).default('')

/** The fields that a page of ours sends. Their bounds are far beyond what anybody types. */
export const sentFormSchema = z.object({
  method: typed(20),
  amount: typed(30),
  name: typed(200),
  document: typed(40),
  email: typed(300),
  installments: typed(3),
  cardToken: typed(255),
  nonce: typed(36),
  after: typed(36),
  replaces: typed(36),
})

export type SentForm = z.output<typeof sentFormSchema>

export const EMPTY_VALUES: FormValues = {
  method: '',
  amount: '',
  name: '',
  document: '',
  email: '',
  installments: '',
  cardToken: '',
}

const given = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim())

// Only what the method needs is passed on: what is left over in fields that the payer no longer sees is none of ours.
const payerOf = ({ method, name, document, email }: FormValues) => {
  if (method === 'boleto') return { customer: { name, document: given(document) } }
  return method === 'credit_card' ? { customer: { name, document: given(document), email: given(email) } } : {}
}

const cardOf = ({ method, installments, cardToken }: FormValues) =>
  method === 'credit_card' ? { installments: Number(installments || '1'), cardToken: given(cardToken) } : {}

const requestOf = (values: FormValues, { amount }: Pick<PublicLink, 'amount'>) => ({
  method: values.method,
  // What is no amount becomes zero, which no link takes.
  amount: typedAmount(values.amount) ?? (values.amount === '' && amount !== null ? amount : 0),
  ...payerOf(values),
  ...cardOf(values),
})

const NEEDED: Readonly<Record<string, readonly (keyof FormValues)[]>> = {
  boleto: ['name', 'document'],
  credit_card: ['name', 'document', 'email', 'cardToken'],
}

// The schema stops at the first kind of fault; people want the whole list.
const missing = (values: FormValues): InputFault[] =>
  (NEEDED[values.method] ?? [])
    .filter((field) => values[field].trim() === '')
    .map((path) => ({ in: 'body', path, code: 'required', message: 'This field is required.' }))

/**
 * A form as a payment to be made. The amount that the payer saw always goes with it, so that nobody pays another one.
 * Throws validation.failed with every fault at once.
 */
export const paymentInputOf = (values: FormValues, link: Pick<PublicLink, 'amount'>) => {
  const parsed = payLinkBody.safeParse(requestOf(values, link))
  const faults = (parsed.error?.issues ?? []).map(
    ({ path, code, message }): InputFault => ({ in: 'body', path: path.join('.'), code, message }),
  )
  const errors = [...missing(values), ...faults]
  if (errors.length > 0 || !parsed.success) throw requestErrors.failed({ errors })
  return parsed.data
}
