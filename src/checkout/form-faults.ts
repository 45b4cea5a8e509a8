import type { PublicLink } from '../areas/payment-links/public-links.view.ts'
import type { InputFault } from '../errors.ts'
import { amountBounds, FORM_FIELDS, type FormField } from './form.page.ts'
import type { Locale } from './formats.ts'
import type { FormValues } from './payment-form.ts'

const FIELD_OF: Readonly<Record<string, FormField>> = {
  amount: 'amount',
  method: 'method',
  installments: 'installments',
  cardToken: 'card',
  name: 'name',
  document: 'document',
  email: 'email',
  customer: 'name',
  'customer.name': 'name',
  'customer.document': 'document',
  'customer.email': 'email',
}

type Said = { locale: Locale; link: PublicLink; values: FormValues }

const sentences = ({ locale, link, values }: Said): Readonly<Record<FormField, string>> => {
  const { errors } = locale.texts
  const isOpen = link.amount === null
  const amount = isOpen ? errors.amountBounds(amountBounds(locale, link)) : errors.amountInvalid
  return {
    amount: isOpen && values.amount.trim() === '' ? errors.amountRequired : amount,
    method: errors.method,
    name: errors.name,
    document: values.document.trim() === '' ? errors.documentRequired : errors.document,
    email: errors.email,
    card: errors.cardRequired,
    installments: errors.installments,
  }
}

const fieldOf = ({ path }: InputFault): FormField => FIELD_OF[path] ?? 'method'

/** Faults of the input as sentences for the payer, by the field beside which each stands and in the fields' order. */
export const formFaults = (said: Said, faults: readonly InputFault[]): ReadonlyMap<FormField, string> => {
  const known = sentences(said)
  const found = new Map<FormField, string>()
  for (const fault of faults) {
    const field = fieldOf(fault)
    const text = fault.code === 'card_number' ? said.locale.texts.errors.cardNumber : known[field]
    if (!found.has(field)) found.set(field, text)
  }
  return new Map(FORM_FIELDS.flatMap((field) => (found.has(field) ? [[field, found.get(field) ?? '']] : [])))
}

/** What was typed, without what must not be shown or kept: card numbers. */
export const withoutCardNumbers = (values: FormValues, faults: readonly InputFault[]): FormValues => {
  const refused = faults.filter(({ code }) => code === 'card_number').map(({ path }) => [path, ''])
  return { ...values, ...Object.fromEntries(refused) }
}
