import { type Centavos, centavos } from '../../domain/money.ts'
import type { NewPayment } from './payments.create.ts'
import { dueTermsOf } from './payments.due-terms.schemas.ts'
import type { CapturePaymentBody, CreatePaymentBody } from './payments.schemas.ts'

type PayerBody = NonNullable<CreatePaymentBody['customer']>

/** A payer as a payment keeps them. */
export const payerOf = ({ name, document, email, phone }: PayerBody) => ({
  name,
  document: document ?? null,
  email: email ?? null,
  phone: phone ?? null,
})

/** How much of a card is captured; null: all of it. */
export const captureAmountOf = (body: CapturePaymentBody): Centavos | null =>
  body?.amount === undefined ? null : centavos(body.amount)

const cardOf = ({ installments = 1, capture = true, cardToken, cardId }: CreatePaymentBody) => ({
  installments,
  capture,
  cardToken: cardToken ?? null,
  cardId: cardId ?? null,
})

/** A seller's request as a new payment. */
export const newPaymentOf = (body: CreatePaymentBody): NewPayment => ({
  method: body.method,
  amount: centavos(body.amount),
  ...cardOf(body),
  expiresInSeconds: body.expiresInSeconds ?? null,
  dueDate: body.dueDate ?? null,
  dueTerms: dueTermsOf(body),
  customerId: body.customerId ?? null,
  customer: body.customer ? payerOf(body.customer) : null,
  description: body.description ?? null,
  externalReference: body.externalReference ?? null,
  paymentLinkId: null,
  metadata: body.metadata ?? {},
})
