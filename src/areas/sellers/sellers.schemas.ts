import { z } from 'zod'
import { COMPANY_STATUSES } from '../../domain/company.ts'
import { listQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import { reportPeriodResponse } from '../../http/period.schemas.ts'
import { amountView, idSchema, text, timestampView } from '../../http/primitives.schemas.ts'
import { balanceResponse } from '../balance/balance.schemas.ts'
import { brandingSummary } from '../branding/branding.schemas.ts'
import { byMethodTotals, money, paymentTotals } from '../reports/payment-totals.schemas.ts'
import { reserveConfigResponse } from '../reserves/reserves.schemas.ts'
import { adminUserResponse } from '../users/users.schemas.ts'
import { withdrawalConfigResponse } from '../withdrawals/withdrawal-configs.schemas.ts'

/** The most that a seller may have. */
export const COMPANIES_MAX = 100
/** How many of each seller a list shows. */
export const COMPANIES_IN_LIST = 10
/** How many of a seller's events are shown beside it. */
export const EVENTS_SHOWN = 20

const name = (description: string, example: string) =>
  z
    .string()
    .max(200)
    .meta({ description, examples: [example] })

const company = z
  .object({
    id: idSchema,
    cnpj: z
      .string()
      .max(14)
      .meta({ description: 'CNPJ without its mask.', examples: ['12ABC34501DE35'] }),
    companyName: name('Registered name.', 'Padaria da Maria Ltda'),
    tradeName: name('Name that customers know.', 'Padaria da Maria'),
    status: z.enum(COMPANY_STATUSES).meta({ description: 'Where it stands.', examples: ['approved'] }),
    rejectionReason: z
      .string()
      .max(1_000)
      .nullable()
      .meta({ description: 'What its last reviewer said.', examples: [null] }),
    submittedAt: timestampView.nullable().meta({ description: 'When it last came to be reviewed.' }),
    approvedAt: timestampView.nullable().meta({ description: 'When it was approved, if it ever was.' }),
    approvedBy: idSchema.nullable().meta({ description: 'The administrator who approved it.' }),
  })
  .meta({ description: 'A company. `GET /admin/enterprises/{id}` has the rest of it.' })

const companies = z.array(company).max(COMPANIES_MAX).meta({ description: 'The seller’s companies, oldest first.' })
const firstCompanies = z
  .array(company)
  .max(COMPANIES_IN_LIST)
  .meta({ description: `The seller’s first ${COMPANIES_IN_LIST} companies. Alone, the seller is shown with all.` })

const id = idSchema.meta({ description: 'The seller: the id of the user who opened the account.' })
const user = adminUserResponse.meta({ description: 'Who opened the account.' })

export const sellerResponse = z
  .object({
    id,
    user,
    companies: firstCompanies,
    availableAmount: amountView.meta({ description: 'Can be withdrawn now, in centavos.', examples: [8_911] }),
  })
  .meta({ title: 'Seller', description: 'A seller.' })

export const sellersResponse = listResponse(sellerResponse, 'sellers')

const last30Days = z
  .object({
    period: reportPeriodResponse,
    payments: paymentTotals,
    byMethod: byMethodTotals,
    withdrawnAmount: money(
      'Withdrawals completed, fees included, less those that banks returned, in centavos.',
      100_000,
    ),
  })
  .meta({ description: 'Totals of the last 30 days of São Paulo, today included.' })

const lastEvents = z
  .array(
    z
      .object({
        id: idSchema,
        type: name('What happened.', 'payment.paid'),
        createdAt: timestampView.meta({ description: 'When it happened.' }),
        data: z
          .record(z.string(), z.unknown())
          .meta({ description: 'The thing it happened to, as it was then, documents masked.' }),
      })
      .meta({ description: 'Something that happened.' }),
  )
  .max(EVENTS_SHOWN)
  .meta({ description: `The newest ${EVENTS_SHOWN} events, newest first.` })

/** A seller alone: all that helps to look after them. */
export const sellerDetailResponse = z
  .object({
    id,
    user,
    companies,
    branding: brandingSummary,
    balance: balanceResponse.meta({ description: 'What the seller has now.' }),
    withdrawalConfig: withdrawalConfigResponse,
    reserveConfig: reserveConfigResponse,
    last30Days,
    lastEvents,
  })
  .meta({ title: 'SellerDetail', description: 'A seller, with what they have, may do and did of late.' })

const flag = (description: string) =>
  z
    .enum(['true', 'false'])
    .optional()
    .meta({ description, examples: ['true'] })

export const sellersQuery = listQuery(
  {
    isApproved: flag('Only sellers with an approved company, or only the others.'),
    isBlocked: flag('Only sellers who are blocked, or only the others.'),
    search: text(100)
      .optional()
      .meta({
        description: 'Part of a name or an e-mail address, of the person or a company; a CNPJ, masked or not; an id.',
        examples: ['padaria'],
      }),
  },
  { cursors: true },
)

export type SellersQuery = z.output<typeof sellersQuery>
