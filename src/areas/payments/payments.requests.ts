import { centavos } from '../../domain/money.ts'
import { periodOf } from '../../http/period.ts'
import type { NewPayment } from './payments.draft.ts'
import type { PaymentFilter } from './payments.filter.ts'
import type { CreatePaymentBody, ListPaymentsQuery } from './payments.schemas.ts'

type PayerBody = NonNullable<CreatePaymentBody['customer']>

/** A payer as a payment keeps them. */
export const payerOf = ({ name, document, email, phone }: PayerBody) => ({
  name,
  document: document ?? null,
  email: email ?? null,
  phone: phone ?? null,
})

/** A seller's request as a new payment. */
export const newPaymentOf = (body: CreatePaymentBody): NewPayment => ({
  method: body.method,
  amount: centavos(body.amount),
  installments: body.installments ?? 1,
  capture: body.capture ?? true,
  cardToken: body.cardToken ?? null,
  expiresInSeconds: body.expiresInSeconds ?? null,
  dueDate: body.dueDate ?? null,
  customerId: body.customerId ?? null,
  customer: body.customer ? payerOf(body.customer) : null,
  description: body.description ?? null,
  externalReference: body.externalReference ?? null,
  paymentLinkId: null,
  metadata: body.metadata ?? {},
})

/** The filters of a list, with its period as instants. Throws validation.failed for a period that cannot be. */
export const paymentFilterOf = (query: ListPaymentsQuery & { sellerId?: string | undefined }): PaymentFilter => {
  const { page: _page, perPage: _perPage, cursor: _cursor, from, to, minAmount, maxAmount, ...rest } = query
  return {
    ...rest,
    ...periodOf({ from, to }),
    minAmount: minAmount === undefined ? undefined : centavos(minAmount),
    maxAmount: maxAmount === undefined ? undefined : centavos(maxAmount),
  }
}
