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
  fees: 'Whether new fees, and changes of fees and of the configurations of withdrawals and reserves, need two administrators.',
  roles: 'Whether new administrators and changes of what one may do need two administrators.',
} as const

const threshold = (description: string) => amountSchema.nullable().meta({ description, examples: [1_000_000] })

const kept = (description: string) =>
  z
    .boolean()
    .optional()
    .meta({ description: `${description} Absent: as it is.`, examples: [true] })

export const approvalPolicyBody = z
  .strictObject({
    withdrawalFromAmount: threshold(about.withdrawalFromAmount),
    adjustmentFromAmount: threshold(about.adjustmentFromAmount),
    writeOffFromAmount: threshold(about.writeOffFromAmount),
    treasuryPayoutFromAmount: threshold(about.treasuryPayoutFromAmount),
    fees: kept(about.fees),
    roles: kept(about.roles),
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
    fees: z.boolean().meta({ description: about.fees, examples: [true] }),
    roles: z.boolean().meta({ description: about.roles, examples: [true] }),
    updatedAt: timestampView.nullable().meta({ description: 'When it was set. Null: never.' }),
  })
  .meta({ title: 'ApprovalPolicy', description: 'When two administrators are needed.' })

const kind = z.enum(APPROVAL_KINDS).meta({ description: 'What is to be done.', examples: ['withdrawal'] })

/** How much of a proposal is shown. */
export const CHANGES_MAX = 30
export const CHANGE_MAX = 500

const change = z
  .object({
    field: z
      .string()
      .max(CHANGE_MAX)
      .meta({ description: 'Name of the field.', examples: ['percentage'] }),
    value: z
      .string()
      .max(CHANGE_MAX)
      .meta({ description: 'What it is to be, as JSON.', examples: ['3.49'] }),
  })
  .meta({ title: 'ProposedChange', description: 'One field of what is proposed.' })

/** A proposal of one administrator that another decides. */
export const approvalResponse = z
  .object({
    id: idSchema,
    kind,
    subjectId: idSchema.meta({
      description:
        'The withdrawal, fee, configuration or administrator, or the id of what is made when it is approved.',
    }),
    sellerId: idSchema.nullable().meta({ description: 'Whose money it is about. Null: the platform’s.' }),
    amount: amountView.meta({ description: 'Centavos that it moves.', examples: [1_500_000] }),
    reason: z
      .string()
      .max(REASON_MAX)
      .nullable()
      .meta({ description: 'Why it was proposed.', examples: ['Charged twice on the 20th.'] }),
    changes: z.array(change).max(CHANGES_MAX).meta({
      description:
        'What a fee, a configuration, a role or the policy is to be. None for the other kinds, which the amount tells.',
    }),
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
