import { z } from 'zod'
import { isPixKey, normalizePixKey, PIX_KEY_TYPES } from '../../domain/contact.ts'
import { LEDGER_ACCOUNTS } from '../../domain/ledger.ts'
import { TREASURY_PAYOUT_STATUSES } from '../../domain/treasury.ts'
import { pageQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import { amountSchema, amountView, idSchema, text, timestampView } from '../../http/primitives.schemas.ts'

const PIX_KEY_MAX = 100
const REASON_MAX = 500

const ASKED_STATUSES = ['told', 'untold', 'away'] as const
const PROVIDERS_MAX = 10

const pixKeyType = z.enum(PIX_KEY_TYPES).meta({ description: 'What kind of key it is.', examples: ['cnpj'] })

export const treasuryPayoutBody = z
  .strictObject({
    amount: amountSchema.meta({ description: 'Centavos to pay out, at most `payableAmount`.', examples: [250_000] }),
    pixKeyType,
    pixKey: text(PIX_KEY_MAX).meta({ description: 'Pix key of the platform.', examples: ['11.222.333/0001-81'] }),
    reason: text(REASON_MAX).meta({ description: 'Why, for the audit log.', examples: ['Fees of October.'] }),
  })
  .transform((body) => ({ ...body, pixKey: normalizePixKey(body.pixKeyType, body.pixKey) }))
  .superRefine(({ pixKeyType: type, pixKey }, context) => {
    if (isPixKey(type, pixKey)) return
    const message = `must be a valid key of the type ${type}`
    context.addIssue({ code: 'custom', path: ['pixKey'], message, params: { code: 'invalid_pix_key' } })
  })
  .meta({ description: 'A payout of what the platform earned.' })

export type TreasuryPayoutBody = z.output<typeof treasuryPayoutBody>

const amountOf = (description: string, example: number) => amountView.meta({ description, examples: [example] })

const askedProvider = z.object({
  provider: z
    .string()
    .max(40)
    .meta({ description: 'Name of the provider.', examples: ['efi'] }),
  status: z.enum(ASKED_STATUSES).meta({
    description:
      '`told`: it said what it holds. `untold`: it has no such answer, or not for this account. `away`: it did not answer.',
    examples: ['told'],
  }),
  availableAmount: amountOf('What could be paid out from its account. Null: it did not say.', 9_480_000).nullable(),
  disputedAmount: amountOf('What it holds back for claims that are not decided. Null: it did not say.', 0).nullable(),
  askedAt: timestampView.meta({ description: 'When it answered.' }),
})

export const treasuryResponse = z
  .object({
    earnedAmount: amountOf('Fees less costs, losses and what was paid out.', 480_000),
    cashAmount: amountOf('What lies at the provider by the books.', 9_480_000),
    inTransitAmount: amountOf(
      'What left the books and may still lie at the provider: refunds, payouts of the platform.',
      0,
    ),
    heldAmount: amountOf(
      'What lies there as the providers say. Null: not all of them tell, or one is away.',
      9_480_000,
    ).nullable(),
    differenceAmount: amountOf(
      'What they hold more than the books say (`cashAmount` and `inTransitAmount`), negative for less. Null: they do not tell.',
      0,
    ).nullable(),
    payableAmount: amountOf(
      'How much of what was earned could be paid out now, by the books and by what the providers say.',
      480_000,
    ),
    owedToSellersAmount: amountOf('What sellers are owed, whatever others owe.', 9_000_000),
    cardsPendingAmount: amountOf('The part of it that the acquirer of cards has yet to pay over.', 0),
    providers: z
      .array(askedProvider)
      .max(PROVIDERS_MAX)
      .meta({ description: 'What each provider answered when it was asked for this.' }),
    accounts: z
      .array(
        z.object({
          account: z.enum(LEDGER_ACCOUNTS).meta({ description: 'Account of the ledger.', examples: ['fee_revenue'] }),
          amount: amountOf(
            'Its balance over all books: positive is owed or earned, negative is had or spent.',
            500_000,
          ),
        }),
      )
      .max(LEDGER_ACCOUNTS.length)
      .meta({ description: 'Every account over all books. They sum to zero.' }),
    asOf: timestampView.meta({ description: 'When it was read.' }),
  })
  .meta({ title: 'Treasury', description: 'What is the platform’s own.' })

export const treasuryPayoutResponse = z
  .object({
    id: idSchema,
    amount: amountOf('Centavos that are paid out.', 250_000),
    pixKeyType,
    pixKey: z
      .string()
      .max(PIX_KEY_MAX)
      .meta({ description: 'Pix key of the platform, masked.', examples: ['**.222.333/0001-**'] }),
    reason: z
      .string()
      .max(REASON_MAX)
      .meta({ description: 'Why.', examples: ['Fees of October.'] }),
    status: z.enum(TREASURY_PAYOUT_STATUSES).meta({
      description: 'Where it stands. A payout whose outcome is not known yet is `processing`.',
      examples: ['completed'],
    }),
    statusReason: z
      .string()
      .max(REASON_MAX)
      .nullable()
      .meta({ description: 'Why it failed or came back.', examples: [null] }),
    endToEndId: z
      .string()
      .max(64)
      .nullable()
      .meta({ description: 'The Pix system’s id.', examples: ['E12345678202611211305abcDEF12345'] }),
    proposedBy: idSchema.meta({ description: 'The administrator who made or proposed it.' }),
    approvedBy: idSchema.nullable().meta({ description: 'The second administrator; null where none was asked.' }),
    completedAt: timestampView.nullable().meta({ description: 'When the money arrived.' }),
    createdAt: timestampView,
    updatedAt: timestampView,
  })
  .meta({ title: 'TreasuryPayout', description: 'A payout of what the platform earned.' })

export const treasuryPayoutsResponse = listResponse(treasuryPayoutResponse, 'payouts of the platform')
export const treasuryPayoutsQuery = pageQuery({})
export type TreasuryPayoutsQuery = z.output<typeof treasuryPayoutsQuery>
