import type { Clock } from '../../clock.ts'
import { toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import { type ApprovalKind, type ApprovalPolicy, isLooser } from '../../domain/approval.ts'
import { centavos, ZERO } from '../../domain/money.ts'
import { toTimestampOrNull } from '../../domain/timestamp.ts'
import { NIL_UUID } from '../../domain/uuid.ts'
import { AppError } from '../../errors.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import { approvalErrors } from './approvals.errors.ts'
import type { Deciders } from './approvals.people.ts'
import type { Propose } from './approvals.propose.ts'
import type { Approval, PolicyRow } from './approvals.repository.ts'
import type { ApprovalPolicyBody, ApprovalsQuery } from './approvals.schemas.ts'
import { type ApprovalView, approvalView, type Decided } from './approvals.view.ts'

/** Does what was approved, in the transaction of the approval. Answers what to do after the commit, which never throws. */
export type Perform = (
  tx: Repositories,
  approval: Approval,
  actor: Actor,
  now: Date,
) => Promise<(() => Promise<void>) | undefined>

/** What can be done only after somebody outside was asked, which no transaction waits for. */
type Prepared = 'treasury_payout'

type Dependencies = {
  read: Pick<Reads, 'approvals'>
  transact: Transact
  clock: Clock
  propose: Propose
  deciders: Deciders
  /** Each area does its own. */
  perform: Readonly<Record<Exclude<ApprovalKind, 'policy' | Prepared>, Perform>>
  prepare: Readonly<Record<Prepared, () => Promise<Perform>>>
}

const policyView = ({ updatedAt, ...policy }: PolicyRow) => ({ ...policy, updatedAt: toTimestampOrNull(updatedAt) })

const amountOrNull = (value: number | null) => (value === null ? null : centavos(value))

const policyOf = (body: ApprovalPolicyBody, before: Pick<ApprovalPolicy, 'fees' | 'roles'>): ApprovalPolicy => ({
  withdrawalFromAmount: amountOrNull(body.withdrawalFromAmount),
  adjustmentFromAmount: amountOrNull(body.adjustmentFromAmount),
  writeOffFromAmount: amountOrNull(body.writeOffFromAmount),
  treasuryPayoutFromAmount: amountOrNull(body.treasuryPayoutFromAmount),
  fees: body.fees ?? before.fees,
  roles: body.roles ?? before.roles,
})

// There is one policy, which has no id.
const POLICY = { targetType: 'approval_policy', targetId: NIL_UUID }

const performPolicy: Perform = async (tx, { request }, _actor, now) => {
  await tx.approvals.putPolicy(policyOf(request as ApprovalPolicyBody, await tx.approvals.findPolicy()), now)
  return undefined
}

// A balance, or the thing itself, may have changed since it was proposed: that is said in the words of its area.
const performed = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    // What will pass is said as it is.
    if (error instanceof AppError && error.status < 500)
      throw approvalErrors.not_possible({ detail: `Not done: ${error.message}` })
    throw error
  }
}

/** Answers what does an approval, after asking whom it takes. Throws approval.not_found. */
const createPrepare =
  ({ read, perform, prepare }: Pick<Dependencies, 'read' | 'perform' | 'prepare'>) =>
  async (id: string): Promise<Perform> => {
    const approval = await read.approvals.find(id)
    if (approval === undefined) throw approvalErrors.not_found()
    const { kind } = approval
    if (kind === 'treasury_payout') return prepare[kind]()
    return kind === 'policy' ? performPolicy : perform[kind]
  }

/** What one administrator proposes and another decides, and from which amounts on. */
export const createApprovalsService = (dependencies: Dependencies) => {
  const { read, transact, clock, propose, deciders } = dependencies
  const prepare = createPrepare(dependencies)

  const refuseInvolved = async (tx: Repositories, actor: Actor, { sellerId, proposedBy }: Approval, now: Date) => {
    await deciders.refuseNew(tx, actor, now)
    if (await deciders.isInvolved(tx, actor, { sellerId, proposedBy }, now)) {
      const detail = 'You made this seller’s account or approved its company. Another administrator has to decide.'
      throw approvalErrors.same_person({ detail })
    }
  }

  const lockPending = async (tx: Repositories, actor: Actor, id: string): Promise<Approval> => {
    const row = await tx.approvals.lock(id)
    if (row === undefined) throw approvalErrors.not_found()
    if (row.status !== 'pending') throw approvalErrors.not_pending()
    if (row.proposedBy === actor.userId) throw approvalErrors.same_person()
    return row
  }

  const decide = async (
    tx: Repositories,
    actor: Actor,
    before: Approval,
    { status, reason, now }: { status: 'approved' | 'rejected'; reason: string | null; now: Date },
  ): Promise<Approval> => {
    const changes = { decidedBy: actor.userId, decisionReason: reason, decidedAt: now, updatedAt: now }
    const after = await tx.approvals.move(before.id, status, changes)
    if (after === undefined) throw approvalErrors.not_pending()
    const { kind, subjectId, sellerId, amount } = after
    const target = { targetType: 'approval', targetId: after.id, ...(sellerId === null ? {} : { sellerId }) }
    const change = { before: { status: before.status }, after: { status, kind, subjectId, amount, reason } }
    const action = status === 'approved' ? 'approval.approve' : 'approval.reject'
    await tx.audit.add({ actor, action, ...target, ...change }, now)
    return after
  }

  return {
    async getPolicy() {
      return policyView(await read.approvals.findPolicy())
    },

    /** Sets the policy. What loosens it waits for a second administrator, or nobody would need one for anything. */
    async setPolicy(actor: Actor, body: ApprovalPolicyBody): Promise<Decided<ReturnType<typeof policyView>>> {
      return transact(async (tx) => {
        const now = clock.now()
        const { updatedAt: _was, ...before } = await tx.approvals.findPolicy()
        const after = policyOf(body, before)
        if (isLooser(after, before)) {
          const proposal = { kind: 'policy' as const, subjectId: NIL_UUID, sellerId: null, amount: ZERO, reason: null }
          const view = await propose(tx, actor, { ...proposal, request: { ...after }, replaces: true }, now)
          if (view !== undefined) return { waits: true, view }
        }
        await tx.approvals.putPolicy(after, now)
        await tx.audit.add({ actor, action: 'approval_policy.set', ...POLICY, before, after }, now)
        return { waits: false, view: policyView({ ...after, updatedAt: now }) }
      })
    },

    /** Newest first. */
    async list({ page, ...filter }: ApprovalsQuery) {
      return toListResponse(await read.approvals.list(filter, page), page, approvalView)
    },

    /** Does what was proposed. Throws approval.not_found, .not_pending, .same_person, .first_day and .not_possible. */
    async approve(actor: Actor, id: string): Promise<ApprovalView> {
      const perform = await prepare(id)
      const { view, afterwards } = await transact(async (tx) => {
        const before = await lockPending(tx, actor, id)
        const now = clock.now()
        await refuseInvolved(tx, actor, before, now)
        const after = await decide(tx, actor, before, { status: 'approved', reason: null, now })
        return {
          view: approvalView(after),
          afterwards: await performed(() => perform(tx, after, actor, now)),
        }
      })
      await afterwards?.()
      return view
    },

    /** Ends a proposal. Throws approval.not_found, .not_pending and .same_person. */
    async reject(actor: Actor, id: string, reason: string): Promise<ApprovalView> {
      return transact(async (tx) => {
        const before = await lockPending(tx, actor, id)
        return approvalView(await decide(tx, actor, before, { status: 'rejected', reason, now: clock.now() }))
      })
    },
  }
}

export type ApprovalsService = ReturnType<typeof createApprovalsService>
