import { z } from 'zod'
import { PIX_KEY_TYPES } from '../../domain/contact.ts'
import { MAIL_STATUSES } from '../../domain/mail.ts'
import { PAYMENT_METHODS, PAYMENT_STATUSES } from '../../domain/payment.ts'
import { WEBHOOK_STATUSES } from '../../domain/webhook.ts'
import { WITHDRAWAL_STATUSES } from '../../domain/withdrawal.ts'
import { EVENT_TYPES } from '../../events/event-types.ts'
import {
  amountView,
  emailView,
  idSchema,
  metadataSchema,
  timestampView,
  urlView,
} from '../../http/primitives.schemas.ts'
import { auditResponse } from '../audit-log/audit-log.schemas.ts'
import { brandingSummary } from '../branding/branding.schemas.ts'
import { companyResponse } from '../companies/companies.schemas.ts'
import { customerResponse } from '../customers/customers.schemas.ts'
import { credentialsResponse } from '../integrations/integrations.schemas.ts'
import { savedCardResponse } from '../saved-cards/saved-cards.schemas.ts'
import { userResponse } from '../users/users.schemas.ts'

/** How many records of a kind one export holds: bounds its memory and its time. */
export const EXPORT_RECORDS_MAX = 5_000

const count = (description: string) =>
  z
    .number()
    .int()
    .min(0)
    .meta({ description, examples: [1] })

const shown = (max: number, description: string, example: string) =>
  z
    .string()
    .max(max)
    .meta({ description, examples: [example] })

const records = <Row extends z.ZodType>(row: Row, what: string) =>
  z
    .object({
      totalRecords: count(`How many ${what} are kept in all.`),
      data: z
        .array(row)
        .max(EXPORT_RECORDS_MAX)
        .meta({ description: `The newest ${what}.` }),
    })
    .meta({ description: `The ${what} that are kept.` })

const head = {
  exportedAt: timestampView.meta({ description: 'When this was read.' }),
  recordsMax: count('Of each kind of record at most this many are listed, the newest; totalRecords counts all.'),
}

const sessionView = z.object({
  id: idSchema,
  kind: z.enum(['password', 'credentials']).meta({ description: 'How the login was made.', examples: ['password'] }),
  scopes: z
    .array(shown(40, 'A scope.', 'payments:read'))
    .max(100)
    .nullable()
    .meta({ description: 'Null: everything.' }),
  createdAt: timestampView,
  expiresAt: timestampView,
  revokedAt: timestampView.nullable().meta({ description: 'When it was ended, if it was.', examples: [null] }),
})

const secondFactorView = z
  .object({
    createdAt: timestampView,
    enabledAt: timestampView.nullable().meta({ description: 'Since when logins need a code, if they do.' }),
    recoveryCodesLeft: count('How many recovery codes were not used.'),
  })
  .meta({ description: 'The authenticator app, without its secret.' })

const webhookView = z.object({
  id: idSchema,
  url: urlView.meta({ description: 'Where events are sent.', examples: ['https://example.com/hook'] }),
  description: shown(500, 'What the seller calls it.', 'Loja').nullable(),
  status: z.enum(WEBHOOK_STATUSES).meta({ description: 'Its state.', examples: ['enabled'] }),
  createdAt: timestampView,
  deletedAt: timestampView.nullable().meta({ description: 'When it was deleted, if it was.', examples: [null] }),
})

const withdrawalView = z.object({
  id: idSchema,
  amount: amountView,
  pixKeyType: z.enum(PIX_KEY_TYPES).meta({ description: 'What the key is.', examples: ['email'] }),
  pixKey: shown(100, 'Where the money went.', 'maria@example.com'),
  description: shown(500, 'What the seller wrote.', 'Outubro').nullable(),
  status: z.enum(WITHDRAWAL_STATUSES).meta({ description: 'Its state.', examples: ['completed'] }),
  endToEndId: shown(64, 'The Pix that paid it.', 'E12345678202611211305abcdefghijk').nullable(),
  requestedAt: timestampView,
  completedAt: timestampView.nullable().meta({ description: 'When it was paid.', examples: [null] }),
})

const paymentStatus = z.enum(PAYMENT_STATUSES).meta({ description: 'State of the payment.', examples: ['paid'] })

const paymentCount = z.object({ status: paymentStatus, count: count('How many payments are in it.') })

export const userDataResponse = z
  .object({
    ...head,
    user: userResponse.meta({ description: 'The account.' }),
    companies: records(companyResponse, 'companies, deleted ones included, with what is known of their documents'),
    branding: brandingSummary,
    secondFactor: secondFactorView.nullable(),
    sessions: records(sessionView, 'logins'),
    credentials: credentialsResponse.nullable().meta({ description: 'API credentials, without their secrets.' }),
    webhooks: records(webhookView, 'webhooks, deleted ones included, without their secrets'),
    withdrawals: records(withdrawalView, 'withdrawals'),
    auditLog: records(auditResponse, 'acts of the user or concerning them'),
    paymentCounts: z
      .array(paymentCount)
      .max(PAYMENT_STATUSES.length)
      .meta({ description: 'How many payments the seller has received, by state. Payments are about their payers.' }),
    paymentLinksCount: count('How many payment links the seller has made.'),
    customersCount: count('How many customers the seller has. Each of them is exported on their own.'),
  })
  .meta({ title: 'UserData', description: 'Everything that is kept about a user.' })

const payerView = z
  .object({
    name: shown(120, 'Name of the payer.', 'Francisco da Silva'),
    document: shown(14, 'CPF or CNPJ.', '52998224725').nullable(),
    email: emailView.nullable(),
    phone: shown(20, 'National digits.', '11912345678').nullable(),
  })
  .meta({ description: 'The payer, as known when the payment was made.' })

const cardView = z
  .object({
    brand: shown(40, 'Brand of the card.', 'visa').nullable(),
    last4: shown(4, 'Its last four digits.', '4242'),
    expMonth: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Month of expiry.', examples: [12] }),
    expYear: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Year of expiry.', examples: [2030] }),
  })
  .meta({ description: 'The card that paid.' })

const payerPaymentView = z.object({
  id: idSchema,
  method: z.enum(PAYMENT_METHODS).meta({ description: 'How it is paid.', examples: ['pix'] }),
  status: paymentStatus,
  amount: amountView,
  customer: payerView.nullable(),
  card: cardView.nullable(),
  endToEndId: shown(64, 'The Pix that paid it.', 'E12345678202611211305abcdefghijk').nullable(),
  description: shown(500, 'What it is for.', 'Pedido 77').nullable(),
  externalReference: shown(200, 'The seller’s own name for it.', 'order-77').nullable(),
  metadata: metadataSchema,
  createdAt: timestampView,
})

const address = urlView.meta({ description: 'Address of a webhook.', examples: ['https://example.com/hook'] })

const toldEventView = z.object({
  id: idSchema,
  type: z.enum(EVENT_TYPES).meta({ description: 'What happened.', examples: ['payment.paid'] }),
  createdAt: timestampView,
  sentTo: z.array(address).max(100).meta({ description: 'Webhooks that were told, the seller’s own.' }),
  repeatedBy: z
    .array(address)
    .max(100)
    .meta({ description: 'Those whose answer, of which the beginning is kept, said anything.' }),
})

const toldAnswerView = z.object({
  operation: shown(300, 'The operation that was answered.', 'POST /api/v1/payments'),
  createdAt: timestampView,
})

const receiptView = z.object({
  status: z.enum(MAIL_STATUSES).meta({ description: 'What became of it.', examples: ['sent'] }),
  createdAt: timestampView,
})

/** Where what payments tell of a payer stands besides. */
const copies = {
  events: records(toldEventView, 'events that tell of the payments, for 30 days'),
  answers: records(toldAnswerView, 'first answers under an Idempotency-Key that tell of them, for up to two days'),
  receipts: records(receiptView, 'receipts that were mailed, for 30 days'),
}

export const customerDataResponse = z
  .object({
    ...head,
    customer: customerResponse,
    cards: records(savedCardResponse, 'saved cards of the customer'),
    payments: records(payerPaymentView, 'payments of the customer'),
    ...copies,
    auditLog: records(auditResponse, 'acts concerning the customer'),
  })
  .meta({ title: 'CustomerData', description: 'Everything that is kept about a seller’s customer.' })

export const payerDataResponse = z
  .object({
    ...head,
    customers: records(customerResponse, 'customers who are meant, deleted ones left out'),
    cards: records(savedCardResponse, 'saved cards of the customers'),
    payments: records(payerPaymentView, 'payments'),
    ...copies,
  })
  .meta({ title: 'PayerData', description: 'Everything that is kept about somebody who paid a seller.' })

export const customerParams = z.strictObject({
  sellerId: idSchema.meta({ description: 'The seller whose customer it is.' }),
  id: idSchema.meta({ description: 'The customer.' }),
})
