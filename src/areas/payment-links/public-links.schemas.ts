import { z } from 'zod'
import { PAYMENT_METHODS } from '../../domain/payment.ts'
import { PAYMENT_LINK_STATUSES } from '../../domain/payment-link.ts'
import { amountSchema, amountView, idSchema, timestampView, urlView } from '../../http/primitives.schemas.ts'
import { shownLogoFields } from '../branding/branding.schemas.ts'
import { boletoView } from '../payments/payment-responses.schemas.ts'
import { cardTokenField, installmentsField, methodField, payerBody } from '../payments/payments.schemas.ts'
import { checkPayRules } from './public-links.rules.ts'
import { PUBLIC_PAYMENT_STATUSES } from './public-links.view.ts'

const hashField = z
  .string()
  .max(64)
  .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the end of a payment link’s URL')
  .meta({ description: 'The end of the link’s URL.', examples: ['7Hq2Vd9sKx0LmZ4tRb6NcY'] })

export const linkParams = z.strictObject({ hash: hashField })

/** Where the same path takes an id for sellers, payers give the hash. */
export const publicLinkParams = z.strictObject({ id: hashField })

export const linkPaymentParams = z.strictObject({ hash: hashField, id: idSchema })

export const payLinkBody = z
  .strictObject({
    method: methodField,
    amount: amountSchema.optional().meta({
      description:
        'Centavos. Required where the payer chooses it. Of a link with an amount send what the payer was shown: another one is refused.',
      examples: [10_000],
    }),
    customer: payerBody.optional().meta({
      description: 'Who pays. A boleto needs name and document, a card the e-mail address too, a Pix nothing.',
    }),
    installments: installmentsField.optional(),
    cardToken: cardTokenField.optional(),
  })
  .superRefine(checkPayRules)
  .meta({ description: 'How a payer pays.', examples: [{ method: 'pix', amount: 10_000 }] })

export type PayLinkBody = z.output<typeof payLinkBody>

const shown = (max: number, description: string, sample: string) =>
  z
    .string()
    .max(max)
    .meta({ description, examples: [sample] })

const amount = (description: string, sample = 10_000) =>
  amountView.meta({ description: `${description} Centavos.`, examples: [sample] })

const installmentCount = (description: string) =>
  z
    .number()
    .int()
    .min(1)
    .max(99)
    .meta({ description, examples: [3] })

const currencyField = z.literal('BRL').meta({ description: 'Always Brazilian reais.', examples: ['BRL'] })

const installmentOption = z
  .object({
    installments: installmentCount('In how many parts.'),
    firstAmount: amount('The first part, which holds what cannot be split evenly.', 3_334),
    eachAmount: amount('Each part after the first.', 3_333),
    totalAmount: amount('What the buyer pays in all: no interest is added.'),
  })
  .meta({ description: 'One way to pay the amount by card.' })

export const publicLinkResponse = z
  .object({
    hash: shown(64, 'The end of its URL.', '7Hq2Vd9sKx0LmZ4tRb6NcY'),
    url: urlView.meta({
      description: 'The page on which it is paid.',
      examples: ['https://pay.example.com/pay/7Hq2Vd9sKx0LmZ4tRb6NcY'],
    }),
    title: shown(120, 'What is paid for.', 'Camiseta azul'),
    description: shown(500, 'More about it. Plain text.', 'Tamanho M, 100 % algodão').nullable(),
    sellerName: shown(200, 'What the seller trades as.', 'Loja da Maria'),
    sellerColor: shown(7, 'The seller’s colour. Null: none was chosen.', '#7a1fa2').nullable(),
    sellerLogo: z.object(shownLogoFields).nullable().meta({ description: 'The seller’s logo. Null: there is none.' }),
    currency: currencyField,
    amount: amount('What is to be paid. Null: the payer chooses.').nullable(),
    minAmount: amount('The least a payer may choose.').nullable(),
    maxAmount: amount('The most a payer may choose.').nullable(),
    methods: z
      .array(z.enum(PAYMENT_METHODS))
      .max(PAYMENT_METHODS.length)
      .meta({ description: 'How it can be paid.', examples: [['pix', 'credit_card']] }),
    maxInstallments: installmentCount('In how many installments a card may pay.'),
    installmentOptions: z
      .array(installmentOption)
      .max(99)
      .meta({ description: 'What a card may choose, for the amount. None where the payer chooses the amount.' }),
    expiresAt: timestampView.nullable().meta({ description: 'Until when a payment can be begun.' }),
    status: z
      .enum(PAYMENT_LINK_STATUSES)
      .meta({ description: 'Only an active one can be paid.', examples: ['active'] }),
  })
  .meta({ title: 'PublicPaymentLink', description: 'A payment link, as payers see it.' })

const publicPix = z
  .object({
    qrCode: shown(512, 'BR Code: the text of the QR code, to copy and paste.', '00020101021226…6304ABCD'),
    endToEndId: shown(
      32,
      'Names the Pix at every bank, once it was paid.',
      'E9999901020261122140000000000001',
    ).nullable(),
    expiresAt: timestampView.nullable(),
  })
  .meta({ description: 'What a payer needs for a Pix.' })

const publicCard = z
  .object({ brand: shown(30, 'Brand.', 'visa'), last4: shown(4, 'Last four digits.', '0001') })
  .meta({ description: 'The card that pays.' })

export const publicPaymentResponse = z
  .object({
    id: idSchema,
    method: z.enum(PAYMENT_METHODS).meta({ description: 'How it is paid.', examples: ['pix'] }),
    amount: amount('What is to be paid.'),
    paidAmount: amount('What has arrived, which may be less than was asked for.'),
    currency: currencyField,
    installments: installmentCount('Number of installments.'),
    installmentAmounts: z
      .array(amountView)
      .max(99)
      .meta({
        description: 'What each installment comes to. They sum to the amount.',
        examples: [[3_334, 3_333, 3_333]],
      }),
    status: z.enum(PUBLIC_PAYMENT_STATUSES).meta({
      description:
        '`pending` waits for the payer, `processing` for the provider; `paid` is final, and so are the others.',
      examples: ['pending'],
    }),
    statusReason: z
      .enum(['card_declined', 'underpaid'])
      .nullable()
      .meta({ description: 'Why it stands there, where the payer can do something about it.', examples: [null] }),
    pix: publicPix.nullable(),
    boleto: boletoView.nullable(),
    card: publicCard.nullable(),
    successUrl: urlView.nullable().meta({
      description: 'Where to go on to. Only once it is paid.',
      examples: ['https://shop.example.com/obrigado'],
    }),
    expiresAt: timestampView.nullable().meta({ description: 'Until when it can be paid.' }),
    paidAt: timestampView.nullable().meta({ description: 'When it was paid.' }),
    createdAt: timestampView,
    updatedAt: timestampView,
  })
  .meta({ title: 'PublicPayment', description: 'A payment of a link, as its payer sees it.' })
