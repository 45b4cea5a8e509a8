import { z } from 'zod'
import { DISCOUNTS_MAX, PAYABLE_DAYS_MAX } from '../../domain/due-terms.ts'
import { PAYMENT_METHODS, PAYMENT_STATUSES } from '../../domain/payment.ts'
import { describeStatusReasons } from '../../domain/status-reasons.ts'
import {
  amountView,
  dateSchema,
  emailView,
  idSchema,
  metadataSchema,
  percentageSchema,
  timestampView,
  urlView,
} from '../../http/primitives.schemas.ts'

const line = (max: number, description: string, example: string) =>
  z
    .string()
    .max(max)
    .meta({ description, examples: [example] })

const STATUS_REASON = `Why it stands there, as a code: ${describeStatusReasons()}. Any other that begins with \`pix_\` is a Pix provider’s own word for a refusal. [What to tell the payer](/docs/guides/cards#know-what-became-of-it).`

const amount = (description: string) => amountView.meta({ description: `${description} Centavos.` })

/** Who pays, as told when the payment was made. */
const payerView = z
  .object({
    name: line(120, 'Name.', 'Francisco da Silva'),
    document: line(14, 'CPF or CNPJ without its mask.', '52998224725').nullable(),
    email: emailView.nullable(),
    phone: line(20, 'Phone, digits.', '11912345678').nullable(),
  })
  .meta({ title: 'Payer', description: 'Who pays, as told when the payment was made.' })

export const pixView = z
  .object({
    txid: line(35, 'Transaction id of the charge.', '01939f3e7c1a7b1e9d6a3f5b8c2d1e00'),
    qrCode: line(512, 'BR Code: the text of the QR code, to copy and paste.', '00020101021226…6304ABCD'),
    endToEndId: line(32, 'End-to-end id, once paid.', 'E12345678202611211305abcdefghijk').nullable(),
    expiresAt: timestampView.nullable(),
  })
  .meta({ title: 'Pix', description: 'What a payer needs for a Pix.' })

export const boletoView = z
  .object({
    line: line(47, 'Digits to type (“linha digitável”).', '10490055390369870000600091449587555490000028531'),
    barcode: line(44, 'Digits of the barcode.', '10495554900000285310055303698700000009144958'),
    dueDate: dateSchema,
    pdfUrl: urlView.nullable().meta({
      description:
        'The boleto as a PDF, on A4; `?size=phone` is for a small screen. Whoever has this address may open it, so give it to the payer alone. The provider’s own where it prints one. Null in events.',
      examples: [
        'https://pay.example.com/pay/boletos/0190a3f2-8c1d-7a44-b6f0-5e2d9c7b1a33/3s9JxQ0mW4cV7tYb2nLkR8uHfE1aZpXo6dGiTqSvN5w',
      ],
    }),
  })
  .meta({ title: 'Boleto', description: 'What a payer needs for a boleto.' })

const CARD_ID = 'The saved card that paid. Null: a token did.'

export const cardView = z
  .object({
    cardId: idSchema.nullable().meta({ description: CARD_ID }),
    brand: line(30, 'Brand.', 'visa'),
    last4: line(4, 'Last four digits.', '0001'),
    expMonth: z
      .number()
      .int()
      .min(1)
      .max(12)
      .nullable()
      .meta({ description: 'Month of expiry.', examples: [12] }),
    expYear: z
      .number()
      .int()
      .min(2000)
      .max(2200)
      .nullable()
      .meta({ description: 'Year of expiry.', examples: [2030] }),
    authorizationCode: line(20, 'The issuer’s authorization.', 'A1B2C3').nullable(),
  })
  .meta({ title: 'Card', description: 'The card, as far as anybody may know it.' })

const percentage = (description: string, example: number) =>
  percentageSchema.meta({ description: `${description} In percent.`, examples: [example] })

const dueTermsView = z
  .object({
    dueDate: dateSchema.meta({ description: 'São Paulo date on which it falls due, or the next business day.' }),
    payableDaysAfterDue: z
      .number()
      .int()
      .min(0)
      .max(PAYABLE_DAYS_MAX)
      .meta({ description: 'For how many days it can be paid late.', examples: [30] }),
    fine: z
      .object({ percentage: percentage('Of the amount, once.', 2) })
      .nullable()
      .meta({ description: 'Added when it is late.' }),
    interest: z
      .object({ monthlyPercentage: percentage('Of the amount, a thirtieth of it each day.', 1) })
      .nullable()
      .meta({ description: 'Added for each late day.' }),
    discounts: z
      .array(
        z.object({
          until: dateSchema.meta({ description: 'Last São Paulo date of the discount.' }),
          percentage: percentage('Taken off the amount.', 5).nullable(),
          amount: amount('Taken off the amount.').nullable(),
        }),
      )
      .max(DISCOUNTS_MAX)
      .meta({ description: 'What is taken off when it is paid early.' }),
  })
  .meta({ title: 'DueTerms', description: 'What a payment with a due date costs by the day on which it is paid.' })

const amountsReceivedView = z
  .object({
    principal: amount('What of the amount was paid, the discount included.'),
    fine: amount('Fine for being late.'),
    interest: amount('Interest for being late.'),
    discount: amount('What was taken off.'),
  })
  .meta({
    title: 'AmountsReceived',
    description: 'Of what `paidAmount` is made: principal, fine and interest, less the discount.',
  })

const DUE_TERMS = 'For a Pix with a due date, and a boleto with terms.'
const AMOUNTS_RECEIVED = 'Once one with terms is paid.'

/** A payment, as its seller sees it. */
export const paymentResponse = z
  .object({
    id: idSchema,
    sellerId: idSchema.meta({ description: 'Whose payment it is.' }),
    customerId: idSchema.nullable().meta({ description: 'The customer who pays.' }),
    paymentLinkId: idSchema.nullable().meta({ description: 'The payment link it was made through.' }),
    externalReference: line(100, 'Your own name for it.', 'order-77').nullable(),
    method: z.enum(PAYMENT_METHODS).meta({ description: 'How it is paid.', examples: ['pix'] }),
    amount: amount('What was asked for.'),
    paidAmount: amount(
      'What was paid. May be more than was asked for; less does not count as paid, but for a discount.',
    ),
    refundedAmount: amount('What went back to the payer.'),
    feeAmount: amount('The platform’s fee, once paid.'),
    netAmount: amount('What is left for the seller, once paid.'),
    reserveAmount: amount('What was held back of the net so far.'),
    currency: z.literal('BRL').meta({ description: 'Always Brazilian reais.', examples: ['BRL'] }),
    installments: z
      .number()
      .int()
      .min(1)
      .max(99)
      .meta({ description: 'Number of installments.', examples: [1] }),
    description: line(140, 'What it is for.', 'Pedido 77').nullable(),
    status: z.enum(PAYMENT_STATUSES).meta({ description: 'Where it stands.', examples: ['pending'] }),
    statusReason: line(200, STATUS_REASON, 'card_denied').nullable(),
    provider: line(40, 'Who processes it.', 'sandbox'),
    customer: payerView.nullable(),
    pix: pixView.nullable(),
    boleto: boletoView.nullable(),
    card: cardView.nullable(),
    dueTerms: dueTermsView.nullable().meta({ description: DUE_TERMS }),
    amountsReceived: amountsReceivedView.nullable().meta({ description: AMOUNTS_RECEIVED }),
    metadata: metadataSchema,
    expiresAt: timestampView.nullable().meta({ description: 'Until when it can be paid, or captured.' }),
    paidAt: timestampView.nullable().meta({ description: 'When it was paid.' }),
    canceledAt: timestampView.nullable().meta({ description: 'When it was canceled.' }),
    createdAt: timestampView,
    updatedAt: timestampView,
  })
  .meta({ title: 'Payment', description: 'A payment.' })

const settlementView = z
  .object({
    installment: z
      .number()
      .int()
      .min(1)
      .max(99)
      .meta({ description: 'Number of the installment, from 1.', examples: [1] }),
    amount: amount('The net of this part, less what refunds and disputes took of it while it waited.'),
    availableOn: dateSchema.meta({ description: 'The São Paulo date on which it becomes available.' }),
    settledAt: timestampView.nullable().meta({
      description: 'When it became available; null while it waits, and where nothing was left of it.',
    }),
  })
  .meta({ title: 'Settlement', description: 'A part of the net of a payment, and when it becomes available.' })

/** A payment with when its money becomes available. */
export const settledPaymentResponse = paymentResponse
  .extend({
    settlements: z
      .array(settlementView)
      .max(99)
      .meta({ description: 'The parts of its net, one per installment of a card. Empty until it is paid.' }),
  })
  .meta({ title: 'SettledPayment', description: 'A payment, and when its money becomes available.' })

/** A payment, as events carry it. Events are kept as they were written: those of earlier versions lack what came later. */
export const paymentEventResponse = paymentResponse
  .extend({
    card: cardView
      .extend({ cardId: idSchema.nullish().meta({ description: CARD_ID }) })
      .nullable()
      .meta({ description: 'The card, as far as anybody may know it.' }),
    dueTerms: z.object(dueTermsView.shape).nullish().meta({ description: DUE_TERMS }),
    amountsReceived: z.object(amountsReceivedView.shape).nullish().meta({ description: AMOUNTS_RECEIVED }),
    customer: payerView
      .extend({ document: line(18, 'CPF or CNPJ, masked.', '***.982.247-**').nullable() })
      .nullable()
      .meta({ description: 'Who pays, as told when the payment was made, the document masked.' }),
  })
  .meta({ description: 'A payment, as events carry it.' })

/** A payment, as administrators see it. */
export const adminPaymentResponse = settledPaymentResponse
  .extend({
    sellerName: line(200, 'Name of the seller.', 'Maria da Silva'),
    sellerEmail: emailView.meta({ description: 'E-mail address of the seller.' }),
  })
  .meta({ title: 'AdminPayment', description: 'A payment and whose it is.' })

/** A part of a payment that has become available, as `balance.settled` tells it. */
export const settlementEventResponse = z
  .object({
    id: idSchema.meta({ description: 'Identifier of the part.' }),
    sellerId: idSchema.meta({ description: 'Whose money it is.' }),
    paymentId: idSchema.meta({ description: 'The payment it is a part of.' }),
    installment: z
      .number()
      .int()
      .min(1)
      .max(99)
      .meta({ description: 'Number of the installment, from 1.', examples: [1] }),
    amount: amount('What has become available, the reserve included.'),
    reserveAmount: amount('What a reserve holds back of it.'),
    availableOn: dateSchema.meta({ description: 'The day it was due.' }),
    settledAt: timestampView.nullable().meta({ description: 'When it became available.' }),
  })
  .meta({ description: 'A part of a payment that has become available.' })
