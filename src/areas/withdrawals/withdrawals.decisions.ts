import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { invariant } from '../../domain/invariant.ts'
import { withdrawalReversed } from '../../domain/transfers.ts'
import type { Repositories, Transact } from '../../repositories.ts'
import type { Deciders } from '../approvals/approvals.people.ts'
import type { Propose } from '../approvals/approvals.propose.ts'
import type { Approval } from '../approvals/approvals.repository.ts'
import type { Decided } from '../approvals/approvals.view.ts'
import { withdrawalErrors } from './withdrawals.errors.ts'
import { withdrawalEvent } from './withdrawals.events.ts'
import type { Withdrawal } from './withdrawals.queries.ts'
import type { WithdrawalChanges } from './withdrawals.repository.ts'
import { type WithdrawalView, withdrawalView } from './withdrawals.view.ts'

type Dependencies = {
  transact: Transact
  clock: Clock
  propose: Propose
  deciders: Deciders
  /** Called after the commit when a payout may go out at once. Never throws. */
  payOutSoon: () => Promise<void>
}

const checkUnblocked = async (tx: Repositories, { sellerId }: Withdrawal): Promise<void> => {
  if (await tx.users.findBlocked(sellerId)) throw withdrawalErrors.seller_blocked()
}

// Money that was set aside is not safe from a later dispute: that takes `available` below zero, and what would be paid out
// now could not be had back.
const checkCovered = async (tx: Repositories, { sellerId }: Withdrawal): Promise<void> => {
  const { available } = await tx.ledger.findBalances(sellerId)
  if (available >= 0) return
  throw withdrawalErrors.uncovered({
    detail: `A dispute or a refund has taken the available balance of this seller to ${available} centavos, so this is not paid out. Reject it, or wait until income covers the debt.`,
  })
}

type Decision = 'approved' | 'rejected' | 'canceled'

const decide = async (
  tx: Repositories,
  before: Withdrawal,
  { decision, changes, now }: { decision: Decision; changes: WithdrawalChanges; now: Date },
): Promise<Withdrawal> => {
  const after = await tx.withdrawals.move(before, decision, changes, now)
  invariant(after !== undefined, 'a locked withdrawal was moved by someone else')
  await tx.events.add([withdrawalEvent(`withdrawal.${decision}`, after)], now)
  return after
}

const giveBack = async (tx: Repositories, { sellerId, id: withdrawalId, amount }: Withdrawal, now: Date) => {
  const [outcome] = await tx.ledger.post([withdrawalReversed({ sellerId, withdrawalId, amount })], now)
  invariant(outcome?.posted, 'money that was set aside for a withdrawal could not be given back')
}

const shown = ({ status, statusReason, approvedBy }: Withdrawal) => ({ status, statusReason, approvedBy })

const audit = (
  tx: Repositories,
  { actor, action, now }: { actor: Actor; action: string; now: Date },
  before: Withdrawal,
  after: Withdrawal,
) => {
  const target = { targetType: 'withdrawal', targetId: after.id, sellerId: after.sellerId }
  return tx.audit.add({ actor, action, ...target, before: shown(before), after: shown(after) }, now)
}

type MayBe = (tx: Repositories, row: Withdrawal) => boolean | Promise<boolean>

const isPending: MayBe = (_, { status }) => status === 'pending_approval'

// An approved one that could be paid out may be on its way to the provider in a moment.
const isRejectable: MayBe = async (tx, row) =>
  row.status === 'approved' ? (await tx.withdrawals.findBlock(row)) !== null : isPending(tx, row)

/** What people decide on a withdrawal that waits for approval. Of decisions at the same time one wins. */
export const createWithdrawalDecisions = ({ transact, clock, propose, deciders, payOutSoon }: Dependencies) => {
  const lock = async (tx: Repositories, actor: Actor, id: string, mayBe: MayBe): Promise<Withdrawal> => {
    const row = await tx.withdrawals.lockAnywhere(id)
    if (row === undefined) throw withdrawalErrors.not_found()
    if (!(await mayBe(tx, row))) throw withdrawalErrors.not_pending()
    if (row.requestedBy === actor.userId) throw withdrawalErrors.same_person()
    return row
  }

  const letOut = (tx: Repositories, actor: Actor, before: Withdrawal, now: Date): Promise<Withdrawal> =>
    decide(tx, before, { decision: 'approved', changes: { approvedBy: actor.userId, approvedAt: now }, now })

  const refuseInvolved = async (tx: Repositories, actor: Actor, { sellerId }: Withdrawal, now: Date): Promise<void> => {
    if (!(await deciders.isInvolved(tx, actor, { sellerId }, now))) return
    const detail = 'You made this seller’s account or approved its company. Another administrator has to decide.'
    throw withdrawalErrors.same_person({ detail })
  }

  return {
    /** The seller takes it back. Throws withdrawal.not_found and withdrawal.not_cancelable. */
    async cancel(actor: Actor, id: string): Promise<WithdrawalView> {
      return transact(async (tx) => {
        const before = await tx.withdrawals.lock({ sellerId: actor.sellerId, id })
        if (before === undefined) throw withdrawalErrors.not_found()
        if (before.status !== 'pending_approval') throw withdrawalErrors.not_cancelable()
        const now = clock.now()
        const after = await decide(tx, before, { decision: 'canceled', changes: {}, now })
        await tx.approvals.endPending('withdrawal', id, now)
        await giveBack(tx, after, now)
        return withdrawalView(after)
      })
    },

    /**
     * Lets it be paid out, or proposes it to a second administrator where the policy asks for one. Throws
     * withdrawal.not_found, .not_pending, .same_person, .seller_blocked, .uncovered and approval.first_day.
     */
    async approve(actor: Actor, id: string): Promise<Decided<WithdrawalView>> {
      const decided = await transact(async (tx): Promise<Decided<WithdrawalView>> => {
        const before = await lock(tx, actor, id, isPending)
        await checkUnblocked(tx, before)
        await checkCovered(tx, before)
        const now = clock.now()
        await deciders.refuseNew(tx, actor, now)
        const { sellerId, amount } = before
        const about = { kind: 'withdrawal' as const, subjectId: id, sellerId, amount, reason: null, request: {} }
        const waiting = await propose(tx, actor, about, now)
        if (waiting !== undefined) return { waits: true, view: waiting }
        await refuseInvolved(tx, actor, before, now)
        const after = await letOut(tx, actor, before, now)
        await audit(tx, { actor, action: 'withdrawal.approve', now }, before, after)
        return { waits: false, view: withdrawalView(after) }
      })
      if (!decided.waits) await payOutSoon()
      return decided
    },

    /** Lets out what a second administrator approved. Throws what `approve` does. */
    async performApproval(tx: Repositories, { subjectId }: Approval, actor: Actor, now: Date) {
      const before = await lock(tx, actor, subjectId, isPending)
      await checkUnblocked(tx, before)
      await checkCovered(tx, before)
      await letOut(tx, actor, before, now)
      return payOutSoon
    },

    /**
     * Refuses what waits for approval, or was approved and cannot be paid out, and gives the money back. Throws
     * withdrawal.not_found, .not_pending and .same_person.
     */
    async reject(actor: Actor, id: string, reason: string): Promise<WithdrawalView> {
      return transact(async (tx) => {
        const before = await lock(tx, actor, id, isRejectable)
        const now = clock.now()
        const after = await decide(tx, before, { decision: 'rejected', changes: { statusReason: reason }, now })
        await audit(tx, { actor, action: 'withdrawal.reject', now }, before, after)
        await tx.approvals.endPending('withdrawal', id, now)
        await giveBack(tx, after, now)
        return withdrawalView(after)
      })
    },
  }
}
