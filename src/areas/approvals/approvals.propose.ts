import type { Actor } from '../../domain/actor.ts'
import { type ApprovalKind, needsSecondPerson } from '../../domain/approval.ts'
import type { Centavos } from '../../domain/money.ts'
import type { NewId } from '../../ids.ts'
import type { Repositories } from '../../repositories.ts'
import type { Deciders } from './approvals.people.ts'
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

/**
 * Writes an act down for a second administrator, where the policy asks for one, or where the first is new or had a part in the
 * seller's account. Undefined: it may be done at once.
 */
export type Propose = (
  tx: Repositories,
  actor: Actor,
  proposal: Proposal,
  now: Date,
) => Promise<ApprovalView | undefined>

// What one administrator begins and ends. A withdrawal was asked for by its seller: who may not decide on it is refused, and
// anybody else decides at once.
const DONE_ALONE: ReadonlySet<ApprovalKind> = new Set(['adjustment', 'write_off', 'treasury_payout', 'reconciliation'])

export const createProposals = ({ newId, deciders }: { newId: NewId; deciders: Deciders }): Propose => {
  const needsOther = async (tx: Repositories, actor: Actor, { kind, sellerId, amount }: Proposal, now: Date) =>
    needsSecondPerson(await tx.approvals.findPolicy(), kind, amount) ||
    (DONE_ALONE.has(kind) && (await deciders.needsOther(tx, actor, { sellerId }, now)))

  return async (tx, actor, { replaces = false, ...proposal }, now) => {
    const { kind, subjectId, sellerId, amount } = proposal
    if (!(await needsOther(tx, actor, proposal, now))) return undefined
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
}
