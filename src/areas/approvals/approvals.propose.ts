import type { Actor } from '../../domain/actor.ts'
import { type ApprovalKind, needsSecondPerson } from '../../domain/approval.ts'
import type { Centavos } from '../../domain/money.ts'
import type { NewId } from '../../ids.ts'
import type { Repositories } from '../../repositories.ts'
import { type ApprovalView, approvalView } from './approvals.view.ts'

export type Proposal = {
  kind: ApprovalKind
  /** What it is about: a second proposal about the same answers the first. */
  subjectId: string
  sellerId: string | null
  amount: Centavos
  reason: string | null
  /** Whether it takes the place of an earlier proposal about the same instead of being answered by it. */
  replaces?: boolean
  /** What is handed to the area that does it once it is approved. */
  request: Record<string, unknown>
}

/** Writes an act down for a second administrator, where the policy asks for one. Undefined: it may be done at once. */
export type Propose = (
  tx: Repositories,
  actor: Actor,
  proposal: Proposal,
  now: Date,
) => Promise<ApprovalView | undefined>

export const createProposals =
  ({ newId }: { newId: NewId }): Propose =>
  async (tx, actor, { replaces = false, ...proposal }, now) => {
    const { kind, subjectId, sellerId, amount } = proposal
    if (!needsSecondPerson(await tx.approvals.findPolicy(), kind, amount)) return undefined
    if (replaces) await tx.approvals.endPending(kind, subjectId, now)
    const open = await tx.approvals.findPending(kind, subjectId)
    if (open !== undefined) return approvalView(open)
    const row = {
      ...proposal,
      id: newId(),
      status: 'pending' as const,
      proposedBy: actor.userId,
      decidedBy: null,
      decisionReason: null,
      decidedAt: null,
      createdAt: now,
      updatedAt: now,
    }
    await tx.approvals.insert(row)
    const target = { targetType: 'approval', targetId: row.id, ...(sellerId === null ? {} : { sellerId }) }
    await tx.audit.add({ actor, action: 'approval.propose', ...target, after: { kind, subjectId, amount } }, now)
    return approvalView(row)
  }
