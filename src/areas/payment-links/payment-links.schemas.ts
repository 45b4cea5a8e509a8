import { z } from 'zod'
import { INSTALLMENTS_MAX } from '../../domain/installments.ts'
import { PAYMENT_METHODS } from '../../domain/payment.ts'
import { PAYMENT_LINK_STATUSES } from '../../domain/payment-link.ts'
import { listQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import { instantSchema } from '../../http/period.schemas.ts'
import {
  amountSchema,
  amountView,
  idSchema,
  metadataSchema,
  repeatable,
  text,
  timestampView,
  urlView,
} from '../../http/primitives.schemas.ts'
import { checkLinkRules } from './payment-links.rules.ts'

const TITLE_MAX = 120
const DESCRIPTION_MAX = 500
const REFERENCE_MAX = 100
const URL_MAX = 2_048
const PAYMENTS_MAX = 1_000_000
const METHODS_EXAMPLE = ['pix', 'boleto', 'credit_card']

const methodsDescription = 'How it can be paid.'

const linkFields = {
  title: text(TITLE_MAX).meta({ description: 'What is paid for, as payers read it.', examples: ['Camiseta azul'] }),
  description: text(DESCRIPTION_MAX)
    .nullish()
    .meta({ description: 'More about it, for payers. Plain text.', examples: ['Tamanho M, 100 % algodão'] }),
  amount: amountSchema.nullish().meta({
    description: 'Centavos. Left out: the payer chooses, within minAmount and maxAmount.',
    examples: [10_000],
  }),
  minAmount: amountSchema
    .nullish()
    .meta({ description: 'The least a payer may choose, in centavos. Only without an amount.', examples: [500] }),
  maxAmount: amountSchema
    .nullish()
    .meta({ description: 'The most a payer may choose, in centavos. Only without an amount.', examples: [50_000] }),
  methods: z
    .array(z.enum(PAYMENT_METHODS))
    .min(1)
    .max(PAYMENT_METHODS.length)
    .optional()
    .meta({ description: `${methodsDescription} All methods unless said otherwise.`, examples: [METHODS_EXAMPLE] }),
  maxInstallments: z
    .number()
    .int()
    .min(1)
    .max(INSTALLMENTS_MAX)
    .optional()
    .meta({ description: 'In how many installments a card may pay, 1 unless said otherwise.', examples: [3] }),
  maxPayments: z
    .number()
    .int()
    .min(1)
    .max(PAYMENTS_MAX)
    .nullish()
    .meta({ description: 'How many payments it takes. Left out: any number.', examples: [1] }),
  successUrl: z
    .string()
    .trim()
    .min(1)
    .max(URL_MAX)
    .meta({ format: 'uri' })
    .nullish()
    .meta({
      description:
        'Where payers go on to once they have paid: an https URL without credentials. No request can name another one.',
      examples: ['https://shop.example.com/obrigado'],
    }),
  expiresAt: instantSchema.nullish().meta({
    description: 'Until when payments can be begun; it must lie ahead. A payment begun before can still be paid.',
    examples: ['2099-12-31T23:59:59-03:00'],
  }),
  externalReference: text(REFERENCE_MAX)
    .nullish()
    .meta({ description: 'Your own name for it. Its payments carry it too.', examples: ['order-77'] }),
  metadata: metadataSchema.optional(),
}

const example = {
  title: 'Camiseta azul',
  description: 'Tamanho M, 100 % algodão',
  amount: 10_000,
  methods: METHODS_EXAMPLE,
  maxInstallments: 3,
  successUrl: 'https://shop.example.com/obrigado',
  externalReference: 'order-77',
}

export const createPaymentLinkBody = z
  .strictObject(linkFields)
  .superRefine(checkLinkRules)
  .meta({ description: 'A new payment link.', examples: [example] })

export const updatePaymentLinkBody = z
  .strictObject({
    ...linkFields,
    status: z
      .enum(['active', 'inactive'])
      .optional()
      .meta({
        description: 'Inactive takes no payments until it is active again. Left out: as it is.',
        examples: ['active'],
      }),
  })
  .superRefine(checkLinkRules)
  .meta({ description: 'A payment link: the whole of one.', examples: [{ ...example, status: 'active' }] })

export type PaymentLinkBody = z.output<typeof createPaymentLinkBody>
export type UpdatePaymentLinkBody = z.output<typeof updatePaymentLinkBody>

const shown = (max: number, description: string, sample: string) =>
  z
    .string()
    .max(max)
    .meta({ description, examples: [sample] })

const count = (description: string, sample: number) =>
  z
    .number()
    .int()
    .min(0)
    .meta({ description, examples: [sample] })

const amountOrNull = (description: string, sample: number | null) =>
  amountView.nullable().meta({ description: `${description} Centavos.`, examples: [sample] })

export const paymentLinkResponse = z
  .object({
    id: idSchema,
    sellerId: idSchema.meta({ description: 'Whose link it is.' }),
    hash: shown(64, 'The end of its URL.', '7Hq2Vd9sKx0LmZ4tRb6NcY'),
    url: urlView.meta({
      description: 'The page on which it is paid: what you share.',
      examples: ['https://pay.example.com/pay/7Hq2Vd9sKx0LmZ4tRb6NcY'],
    }),
    title: shown(TITLE_MAX, 'What is paid for, as payers read it.', 'Camiseta azul'),
    description: shown(DESCRIPTION_MAX, 'More about it, for payers.', 'Tamanho M, 100 % algodão').nullable(),
    amount: amountOrNull('Null: the payer chooses.', 10_000),
    minAmount: amountOrNull('The least a payer may choose.', null),
    maxAmount: amountOrNull('The most a payer may choose.', null),
    methods: z
      .array(z.enum(PAYMENT_METHODS))
      .max(PAYMENT_METHODS.length)
      .meta({ description: methodsDescription, examples: [METHODS_EXAMPLE] }),
    maxInstallments: count('In how many installments a card may pay.', 3),
    maxPayments: count('How many payments it takes. Null: any number.', 1).nullable(),
    paymentsCount: count(
      'How many payments were paid. May pass maxPayments: a payment that is confirmed late still counts.',
      0,
    ),
    paidAmount: amountView.meta({ description: 'What was paid, before refunds. Centavos.', examples: [0] }),
    successUrl: urlView
      .nullable()
      .meta({ description: 'Where payers go on to.', examples: ['https://shop.example.com/obrigado'] }),
    expiresAt: timestampView.nullable().meta({ description: 'Until when payments can be begun.' }),
    externalReference: shown(REFERENCE_MAX, 'Your own name for it.', 'order-77').nullable(),
    metadata: metadataSchema,
    status: z.enum(PAYMENT_LINK_STATUSES).meta({
      description: 'Expired from its last moment on; completed when as many payments were paid as it takes.',
      examples: ['active'],
    }),
    createdAt: timestampView,
    updatedAt: timestampView,
  })
  .meta({ title: 'PaymentLink', description: 'A payment link.' })

export const paymentLinksResponse = listResponse(paymentLinkResponse, 'payment links')

export const paymentLinksQuery = listQuery({
  status: repeatable(PAYMENT_LINK_STATUSES),
  search: text(100)
    .optional()
    .meta({ description: 'Part of the title, the description or your reference.', examples: ['camiseta'] }),
})

export type PaymentLinksQuery = z.output<typeof paymentLinksQuery>
