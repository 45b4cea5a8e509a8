import { z } from 'zod'
import { APPROVAL_KINDS, APPROVAL_STATUSES } from '../../domain/approval.ts'
import { listQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import { amountSchema, amountView, idSchema, repeatable, text, timestampView } from '../../http/primitives.schemas.ts'

const REASON_MAX = 500

const about = {
  withdrawalFromAmount: 'Withdrawals from this amount on, in centavos, need two administrators. Null: one is enough.',
  adjustmentFromAmount: 'The same for adjustments, of either sign, and for what resolves exceptions of reconciliation.',
  writeOffFromAmount: 'The same for write-offs and recoveries.',
  treasuryPayoutFromAmount: 'The same for payouts of what the platform earned.',
} as const

const threshold = (description: string) => amountSchema.nullable().meta({ description, examples: [1_000_000] })

export const approvalPolicyBody = z
  .strictObject({
    withdrawalFromAmount: threshold(about.withdrawalFromAmount),
    adjustmentFromAmount: threshold(about.adjustmentFromAmount),
    writeOffFromAmount: threshold(about.writeOffFromAmount),
    treasuryPayoutFromAmount: threshold(about.treasuryPayoutFromAmount),
  })
  .meta({ description: 'The whole policy.' })

export type ApprovalPolicyBody = z.output<typeof approvalPolicyBody>

const thresholdView = (description: string) => amountView.nullable().meta({ description, examples: [1_000_000] })

export const approvalPolicyResponse = z
  .object({
    withdrawalFromAmount: thresholdView(about.withdrawalFromAmount),
    adjustmentFromAmount: thresholdView(about.adjustmentFromAmount),
    writeOffFromAmount: thresholdView(about.writeOffFromAmount),
    treasuryPayoutFromAmount: thresholdView(about.treasuryPayoutFromAmount),
    updatedAt: timestampView.nullable().meta({ description: 'When it was set. Null: never.' }),
  })
  .meta({ title: 'ApprovalPolicy', description: 'From which amounts on two administrators are needed.' })

const kind = z.enum(APPROVAL_KINDS).meta({ description: 'What is to be done.', examples: ['withdrawal'] })

/** A proposal of one administrator that another decides. */
export const approvalResponse = z
  .object({
    id: idSchema,
    kind,
    subjectId: idSchema.meta({ description: 'The withdrawal, or the id of what is made when it is approved.' }),
    sellerId: idSchema.nullable().meta({ description: 'Whose money it is about. Null: the platform’s.' }),
    amount: amountView.meta({ description: 'Centavos that it moves.', examples: [1_500_000] }),
    reason: z
      .string()
      .max(REASON_MAX)
      .nullable()
      .meta({ description: 'Why it was proposed.', examples: ['Charged twice on the 20th.'] }),
    status: z.enum(APPROVAL_STATUSES).meta({
      description: 'Where it stands. `void`: what was proposed ended in another way.',
      examples: ['pending'],
    }),
    proposedBy: idSchema.meta({ description: 'The administrator who proposed it.' }),
    decidedBy: idSchema.nullable().meta({ description: 'The administrator who decided.' }),
    decisionReason: z
      .string()
      .max(REASON_MAX)
      .nullable()
      .meta({ description: 'Why it was rejected.', examples: [null] }),
    decidedAt: timestampView.nullable().meta({ description: 'When it was decided.' }),
    createdAt: timestampView,
    updatedAt: timestampView,
  })
  .meta({ title: 'Approval', description: 'What one administrator proposed and another decides.' })

export const approvalsResponse = listResponse(approvalResponse, 'approvals')

export const approvalsQuery = listQuery(
  { status: repeatable(APPROVAL_STATUSES), kind: repeatable(APPROVAL_KINDS) },
  { cursors: true },
)

export type ApprovalsQuery = z.output<typeof approvalsQuery>

export const rejectApprovalBody = z
  .strictObject({
    reason: text(REASON_MAX).meta({
      description: 'Why, for who proposed it.',
      examples: ['It was paid back already.'],
    }),
  })
  .meta({ description: 'The reason of a rejection.' })
