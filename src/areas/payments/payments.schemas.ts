import { z } from 'zod'
import { isPhone, stripPhone } from '../../domain/contact.ts'
import { INSTALLMENTS_MAX } from '../../domain/installments.ts'
import { AMOUNT_MAX, centavos } from '../../domain/money.ts'
import { PAYMENT_METHODS, PAYMENT_STATUSES } from '../../domain/payment.ts'
import { isCnpj, isCpf, stripTaxId } from '../../domain/tax-id.ts'
import { listQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import { refuseReversedPeriods, sideOfPeriod } from '../../http/period.schemas.ts'
import {
  amountSchema,
  emailSchema,
  idSchema,
  metadataSchema,
  queryNumber,
  repeatable,
  text,
} from '../../http/primitives.schemas.ts'
import { adminPaymentResponse, settledPaymentResponse } from './payment-responses.schemas.ts'
import { dueTermsFields } from './payments.due-terms.schemas.ts'
import { checkPaymentRules } from './payments.rules.ts'
import { PAYMENTS_SEARCHED_MAX } from './payments.search.ts'

const EXPIRES_IN_SECONDS_MIN = 60
const EXPIRES_IN_SECONDS_MAX = 30 * 86_400
const MASKED_MAX = 40

const documentSchema = z
  .string()
  .trim()
  .min(1)
  .max(MASKED_MAX)
  .transform(stripTaxId)
  .pipe(z.string().refine((document) => isCpf(document) || isCnpj(document), 'is neither a valid CPF nor a valid CNPJ'))
  .meta({ description: 'CPF or CNPJ, with or without its mask.', examples: ['529.982.247-25'] })

const phoneSchema = z
  .string()
  .trim()
  .min(1)
  .max(MASKED_MAX)
  .transform(stripPhone)
  .pipe(z.string().refine(isPhone, 'is not a Brazilian phone number'))
  .meta({ description: 'Brazilian phone with area code.', examples: ['(11) 91234-5678'] })

/** A payer told inline, without a customer record. */
export const payerBody = z
  .strictObject({
    name: text(120).meta({ description: 'Name of the payer.', examples: ['Francisco da Silva'] }),
    document: documentSchema.nullish(),
    email: emailSchema.nullish(),
    phone: phoneSchema.nullish(),
  })
  .meta({ description: 'Who pays. A boleto, and a Pix with a due date, need the document.' })

export const installmentsField = z
  .number()
  .int()
  .min(1)
  .max(INSTALLMENTS_MAX)
  .meta({ description: 'Number of installments. Only for cards.', examples: [1] })

// Tokens are opaque; the security plugin refuses whatever looks like a card number.
export const cardTokenField = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{4,255}$/, 'must be a token of the provider')
  .max(255)
  .meta({ description: 'The provider’s token of the card. Never a card number.', examples: ['tok_sandbox_0001'] })

export const methodField = z.enum(PAYMENT_METHODS).meta({ description: 'How it is paid.', examples: ['pix'] })

export const createPaymentBody = z
  .strictObject({
    method: methodField,
    amount: amountSchema,
    customerId: idSchema.optional().meta({ description: 'A customer of yours. Either this or `customer`.' }),
    customer: payerBody.optional(),
    installments: installmentsField.optional(),
    cardToken: cardTokenField.optional(),
    cardId: idSchema.optional().meta({ description: 'A saved card of `customerId`, in place of `cardToken`.' }),
    capture: z
      .boolean()
      .optional()
      .meta({ description: 'False only authorizes a card; capture it within five days.', examples: [true] }),
    description: text(140)
      .optional()
      .meta({ description: 'What it is for.', examples: ['Pedido 77'] }),
    externalReference: text(100)
      .optional()
      .meta({ description: 'Your own name for it. Lists can be filtered by it.', examples: ['order-77'] }),
    expiresInSeconds: z
      .number()
      .int()
      .min(EXPIRES_IN_SECONDS_MIN)
      .max(EXPIRES_IN_SECONDS_MAX)
      .optional()
      .meta({
        description: 'How long a Pix without a due date can be paid: a minute to 30 days, one day by default.',
        examples: [3600],
      }),
    ...dueTermsFields,
    metadata: metadataSchema.optional(),
  })
  .superRefine(checkPaymentRules)
  // Put together from its fields the example would be of no method at all.
  .meta({
    description: 'A new payment.',
    examples: [{ method: 'pix', amount: 10_000, description: 'Pedido 77', externalReference: 'order-77' }],
  })

export type CreatePaymentBody = z.output<typeof createPaymentBody>

/** Absent: all that was authorized. */
export const capturePaymentBody = z
  .strictObject({
    amount: amountSchema.optional().meta({ description: 'Centavos to capture. All by default.', examples: [10_000] }),
  })
  .nullish()
  .meta({ description: 'How much is captured.', examples: [{ amount: 10_000 }] })

export type CapturePaymentBody = z.output<typeof capturePaymentBody>

const amountFilter = queryNumber(0, AMOUNT_MAX).transform(centavos).optional()

const PERIODS = { paidFrom: 'paidTo', settledFrom: 'settledTo' } as const

const filterFields = {
  status: repeatable(PAYMENT_STATUSES),
  method: repeatable(PAYMENT_METHODS),
  customerId: idSchema.optional(),
  paymentLinkId: idSchema.optional(),
  externalReference: text(100).optional().meta({ description: 'Exactly this reference.' }),
  minAmount: amountFilter.meta({ description: 'Of at least this many centavos.', examples: [1_000] }),
  maxAmount: amountFilter.meta({ description: 'Of at most this many centavos.', examples: [100_000] }),
  paidFrom: sideOfPeriod('Paid at or after this instant or São Paulo date.', '2026-11-20'),
  paidTo: sideOfPeriod('Paid before this instant or São Paulo date.', '2026-11-21'),
  settledFrom: sideOfPeriod('A part became available at or after this instant or São Paulo date.', '2026-11-20'),
  settledTo: sideOfPeriod('A part became available before this instant or São Paulo date.', '2026-11-21'),
  search: text(100)
    .optional()
    .meta({
      description: `A whole id, end-to-end id, payer’s document or, for sellers, reference finds its payments wherever they are. Any other text is looked for in the description, reference, payer’s name and e-mail of the newest ${PAYMENTS_SEARCHED_MAX} payments that the other filters leave; \`Search-Complete: false\` says that there are older ones, and \`next\` of the Link header goes on to the ${PAYMENTS_SEARCHED_MAX} behind them, until all were looked at. Totals are of what an answer looked at.`,
      examples: ['order-77'],
    }),
}

const refuseReversedAmounts = (
  { minAmount, maxAmount }: { minAmount?: number | undefined; maxAmount?: number | undefined },
  context: z.RefinementCtx,
): void => {
  if (minAmount === undefined || maxAmount === undefined || minAmount <= maxAmount) return
  const params = { code: 'invalid_range' }
  context.addIssue({ code: 'custom', path: ['minAmount'], message: 'must not be above `maxAmount`', params })
}

export const listPaymentsQuery = listQuery(filterFields, {
  cursors: true,
  sorts: { amount: 'number', paidAt: 'instant' },
})
  .superRefine(refuseReversedAmounts)
  .superRefine(refuseReversedPeriods(PERIODS))

export type ListPaymentsQuery = z.output<typeof listPaymentsQuery>

export const listAllPaymentsQuery = listQuery({ ...filterFields, sellerId: idSchema.optional() }, { cursors: true })
  .superRefine(refuseReversedAmounts)
  .superRefine(refuseReversedPeriods(PERIODS))

export type ListAllPaymentsQuery = z.output<typeof listAllPaymentsQuery>

export const paymentListResponse = listResponse(settledPaymentResponse, 'payments')
export const adminPaymentListResponse = listResponse(adminPaymentResponse, 'payments')
