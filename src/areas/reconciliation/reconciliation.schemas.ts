import { z } from 'zod'
import {
  EXCEPTION_KINDS,
  EXCEPTION_STATUSES,
  RECONCILIATION_STATUSES,
  RESOLUTIONS,
  STATEMENT_LINE_KINDS,
} from '../../domain/reconciliation.ts'
import { listQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import { amountView, dateSchema, idSchema, repeatable, text, timestampView } from '../../http/primitives.schemas.ts'

const REASON_MAX = 500
const PROVIDER_MAX = 40
const YEAR_MIN = 2000

const provider = z
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
    provider,
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

export const reconciliationsResponse = listResponse(reconciliationResponse, 'reconciliations')
export const reconciliationsQuery = listQuery({ status: repeatable(RECONCILIATION_STATUSES) }, { cursors: true })
export type ReconciliationsQuery = z.output<typeof reconciliationsQuery>

const resolution = z.enum(RESOLUTIONS).meta({
  description:
    '`match`: it agrees after all. `adjust`: the difference is the seller’s, or a cost where it is a fee. `write_off`: it is the platform’s loss. `explain`: nothing is posted.',
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
    reason: z
      .string()
      .max(REASON_MAX)
      .nullable()
      .meta({ description: 'Why it was resolved so.', examples: [null] }),
    resolvedBy: idSchema.nullable().meta({ description: 'Who resolved it. Null: a later run did.' }),
    approvedBy: idSchema.nullable().meta({ description: 'The second administrator; null where none was asked.' }),
    resolvedAt: timestampView.nullable().meta({ description: 'When it was resolved.' }),
    reopenedCount: countOf('How often it was opened again because the facts had changed.'),
    createdAt: timestampView,
    updatedAt: timestampView,
  })
  .meta({ title: 'ReconciliationException', description: 'Something that the provider and the books do not agree on.' })

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
