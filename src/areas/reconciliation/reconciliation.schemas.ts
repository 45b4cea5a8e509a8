import { z } from 'zod'
import { DISPUTE_STATUSES } from '../../domain/dispute.ts'
import { LEDGER_ACCOUNTS } from '../../domain/ledger.ts'
import { PAYMENT_STATUSES } from '../../domain/payment.ts'
import {
  EXCEPTION_KINDS,
  EXCEPTION_STATUSES,
  PAYER_REFUND_STATUSES,
  RECONCILIATION_STATUSES,
  RESOLUTIONS,
  RUN_CAUSES,
  STATEMENT_LINE_KINDS,
} from '../../domain/reconciliation.ts'
import { REFUND_STATUSES } from '../../domain/refund.ts'
import { TREASURY_PAYOUT_STATUSES } from '../../domain/treasury.ts'
import { WITHDRAWAL_STATUSES } from '../../domain/withdrawal.ts'
import { listQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import { amountView, dateSchema, idSchema, repeatable, text, timestampView } from '../../http/primitives.schemas.ts'

const REASON_MAX = 500
const PROVIDER_MAX = 40
const YEAR_MIN = 2000

export const providerName = z
  .string()
  .regex(/^[a-z0-9_-]+$/)
  .max(PROVIDER_MAX)
  .meta({ description: 'Name of the provider.', examples: ['sandbox'] })
const providerView = z
  .string()
  .max(PROVIDER_MAX)
  .meta({ description: 'Name of the provider.', examples: ['sandbox'] })
const day = dateSchema.meta({ description: 'Day of São Paulo.', examples: ['2026-11-20'] })

export const reconcileBody = z
  .strictObject({
    provider: providerName,
    date: day.refine((date) => Number(date.slice(0, 4)) >= YEAR_MIN, {
      message: `must not be before the year ${YEAR_MIN}`,
    }),
  })
  .meta({ description: 'Which day at which provider.' })

export type ReconcileBody = z.output<typeof reconcileBody>

const countOf = (description: string) =>
  z
    .number()
    .int()
    .min(0)
    .meta({ description, examples: [0] })

export const reconciliationResponse = z
  .object({
    id: idSchema,
    provider: providerView,
    date: day,
    status: z.enum(RECONCILIATION_STATUSES).meta({ description: 'Where it stands.', examples: ['balanced'] }),
    providerAmount: amountView.meta({ description: 'What came in less what went out, by the provider.' }),
    platformAmount: amountView.meta({ description: 'The same by the books.' }),
    matchedCount: countOf('Lines of the statement that agree.'),
    exceptionCount: countOf('Differences that this run found, open or resolved before.'),
    startedAt: timestampView.meta({ description: 'When it was begun.' }),
    finishedAt: timestampView.nullable().meta({ description: 'When it ended.' }),
  })
  .meta({ title: 'Reconciliation', description: 'One day at one provider, compared with the books.' })

const runView = z.object({
  run: countOf('Number of the run.'),
  cause: z.enum(RUN_CAUSES).meta({ description: 'Why the day was compared.', examples: ['nightly'] }),
  requestedBy: idSchema.nullable().meta({ description: 'Who asked for it, or handed the file in. Null: the night.' }),
  statementId: idSchema
    .nullable()
    .meta({ description: 'The file that it was compared with. Null: the provider’s list.' }),
  providerAmount: amountView.meta({ description: 'What came in less what went out, by the provider.' }),
  platformAmount: amountView.meta({ description: 'The same by the books.' }),
  matchedCount: countOf('Lines that agreed.'),
  exceptionCount: countOf('Differences that it found.'),
  correctedCount: countOf('Exceptions of runs before it that it found to agree.'),
  correctedBy: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'The next run that came to another result. Null: this is what holds.', examples: [null] }),
  startedAt: timestampView.meta({ description: 'When it was begun.' }),
  finishedAt: timestampView
    .nullable()
    .meta({ description: 'When it ended. Null: it runs, or a later one took its place.' }),
})

export const reconciliationDetail = reconciliationResponse
  .extend({
    runs: z
      .array(runView)
      .max(50)
      .meta({ description: 'Each time that the day was compared, newest first, at most 50.' }),
  })
  .meta({ title: 'ReconciliationDetail', description: 'One day at one provider, and each time that it was compared.' })

export const reconciliationsResponse = listResponse(reconciliationResponse, 'reconciliations')
export const reconciliationsQuery = listQuery({ status: repeatable(RECONCILIATION_STATUSES) }, { cursors: true })
export type ReconciliationsQuery = z.output<typeof reconciliationsQuery>

const resolution = z.enum(RESOLUTIONS).meta({
  description:
    '`match`: it agrees after all. `refund_payer`: the money that came in beyond the books goes back by the provider’s refund. `adjust`: the difference is the seller’s, or a cost where it is a fee. `write_off`: it is the platform’s loss. `explain`: nothing is posted.',
  examples: ['explain'],
})

const toldFields = {
  id: idSchema,
  kind: z.enum(EXCEPTION_KINDS).meta({ description: 'What does not agree.', examples: ['missing_here'] }),
  lineKind: z.enum(STATEMENT_LINE_KINDS).meta({ description: 'What it is about.', examples: ['charge'] }),
  provider: providerView,
  date: day,
  subjectId: idSchema.nullable().meta({ description: 'The payment, refund or withdrawal, where it is known.' }),
  endToEndId: z
    .string()
    .max(64)
    .nullable()
    .meta({ description: 'The Pix system’s id.', examples: ['E12345678202611211305abcDEF12345'] }),
  providerAmount: amountView.meta({ description: 'Centavos by the provider; 0 where it has nothing.' }),
  platformAmount: amountView.meta({ description: 'Centavos by the books; 0 where they have nothing.' }),
  status: z.enum(EXCEPTION_STATUSES).meta({ description: 'Where it stands.', examples: ['open'] }),
  resolution: resolution.nullable().meta({ description: 'How it was resolved.', examples: [null] }),
}

/** An exception as events carry it. */
export const exceptionEventSchema = z
  .object(toldFields)
  .meta({ title: 'ReconciliationExceptionEventData', description: 'A difference with the provider.' })

export const exceptionResponse = z
  .object({
    ...toldFields,
    sellerId: idSchema.nullable().meta({ description: 'Whose money it is, where it is known.' }),
    remainingAmount: amountView.meta({
      description: 'What a posting would move now: what the provider has more than the books, less what was corrected.',
    }),
    reason: z
      .string()
      .max(REASON_MAX)
      .nullable()
      .meta({ description: 'Why it was resolved so.', examples: [null] }),
    resolvedBy: idSchema.nullable().meta({ description: 'Who resolved it. Null: a later run did.' }),
    approvedBy: idSchema.nullable().meta({ description: 'The second administrator; null where none was asked.' }),
    resolvedByRun: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'The run that found it to agree.', examples: [null] }),
    resolvedAt: timestampView.nullable().meta({ description: 'When it was resolved.' }),
    reopenedCount: countOf('How often it was opened again because the facts had changed.'),
    createdAt: timestampView,
    updatedAt: timestampView,
  })
  .meta({ title: 'ReconciliationException', description: 'Something that the provider and the books do not agree on.' })

const theirSide = z
  .object({
    reference: z
      .string()
      .max(100)
      .nullable()
      .meta({ description: 'How the provider names it.', examples: ['ghost'] }),
    endToEndId: z
      .string()
      .max(64)
      .nullable()
      .meta({ description: 'The Pix system’s id.', examples: [null] }),
    amount: amountView.meta({ description: 'Centavos by the provider.' }),
    happenedAt: timestampView.nullable().meta({ description: 'When, by the provider.' }),
  })
  .meta({ description: 'What the provider says.' })

const OUR_STATUSES = [
  ...new Set([
    ...PAYMENT_STATUSES,
    ...REFUND_STATUSES,
    ...DISPUTE_STATUSES,
    ...WITHDRAWAL_STATUSES,
    ...TREASURY_PAYOUT_STATUSES,
  ]),
]

const ourSide = z
  .object({
    type: z
      .enum(['payment', 'refund', 'dispute', 'withdrawal', 'treasury_payout', 'payer_refund'])
      .meta({ description: 'What it is.', examples: ['payment'] }),
    id: idSchema,
    status: z.enum(OUR_STATUSES).meta({ description: 'Where it stands now.', examples: ['expired'] }),
    amount: amountView.meta({ description: 'Centavos of it.' }),
    at: timestampView.nullable().meta({ description: 'When the money moved by the books. Null: it has not.' }),
  })
  .meta({ description: 'What the books have, as it stands now.' })

const resolutionView = z.object({
  resolution,
  reason: z
    .string()
    .max(REASON_MAX)
    .meta({ description: 'Why.', examples: ['The payer was paid back.'] }),
  resolvedBy: idSchema.nullable().meta({ description: 'Who resolved it. Null: a run found that it agrees.' }),
  approvedBy: idSchema.nullable().meta({ description: 'The second administrator; null where none was asked.' }),
  run: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'The run that found it to agree.', examples: [null] }),
  providerAmount: amountView.meta({ description: 'Centavos by the provider, then.' }),
  platformAmount: amountView.meta({ description: 'Centavos by the books, then.' }),
  posting: z
    .object({
      id: idSchema.meta({
        description: 'The `referenceId` of the posting in the journal. Each resolution has its own.',
      }),
      sellerId: idSchema.meta({ description: 'In whose book; the platform’s own has an id, too.' }),
      account: z.enum(LEDGER_ACCOUNTS).meta({ description: 'The account against `clearing`.', examples: ['losses'] }),
      amount: amountView.meta({ description: 'What that account got; negative for what was taken from it.' }),
    })
    .nullable()
    .meta({ description: 'What was posted; null: nothing.' }),
  at: timestampView.meta({ description: 'When.' }),
})

const payerRefundView = z.object({
  id: idSchema,
  amount: amountView.meta({ description: 'Centavos that go back.' }),
  status: z.enum(PAYER_REFUND_STATUSES).meta({ description: 'Where it stands.', examples: ['completed'] }),
  statusReason: z
    .string()
    .max(200)
    .nullable()
    .meta({ description: 'Why the provider would not.', examples: [null] }),
  completedAt: timestampView.nullable().meta({ description: 'When it was back.' }),
  createdAt: timestampView,
})

export const exceptionStory = exceptionResponse
  .extend({
    theirs: theirSide.nullable().meta({ description: 'What the provider says; null: nothing.' }),
    ours: ourSide.nullable().meta({ description: 'What the books have; null: nothing that is known.' }),
    approvalId: idSchema.nullable().meta({ description: 'The proposal that waits for a second administrator.' }),
    resolutions: z.array(resolutionView).max(100).meta({ description: 'Each time that it was resolved, in order.' }),
    payerRefunds: z.array(payerRefundView).max(100).meta({ description: 'What went back to the payer, newest first.' }),
  })
  .meta({
    title: 'ReconciliationExceptionStory',
    description: 'An exception with both sides, and who did what about it.',
  })

export const exceptionsResponse = listResponse(exceptionResponse, 'exceptions')
export const exceptionsQuery = listQuery(
  { status: repeatable(EXCEPTION_STATUSES), kind: repeatable(EXCEPTION_KINDS) },
  { cursors: true },
)
export type ExceptionsQuery = z.output<typeof exceptionsQuery>

export const resolveExceptionBody = z
  .strictObject({
    resolution,
    reason: text(REASON_MAX).meta({ description: 'Why.', examples: ['The payer was paid back by the bank.'] }),
    allowNegative: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether an adjustment may make the seller owe the platform.', examples: [false] }),
  })
  .meta({ description: 'How an exception is resolved.' })

export type ResolveExceptionBody = z.output<typeof resolveExceptionBody>
