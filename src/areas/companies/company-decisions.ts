import type { Actor } from '../../domain/actor.ts'
import type { CompanyStatus } from '../../domain/company.ts'
import { invariant } from '../../domain/invariant.ts'
import type { AppError } from '../../errors.ts'
import type { EventType } from '../../events/event-types.ts'
import type { Reads, Repositories } from '../../repositories.ts'
import { companyErrors } from './companies.errors.ts'
import type { CompanyRow } from './companies.repository.ts'
import { type CompanyView, companyView, maskedCompany } from './companies.view.ts'

export type Decision = {
  action: string
  from: CompanyStatus
  to: CompanyStatus
  event: EventType
  refusal: () => AppError
}

/** What administrators decide on companies: from which state, to which, and what the seller hears. */
export const DECISIONS = {
  approve: {
    action: 'company.approve',
    from: 'awaiting_approval',
    to: 'approved',
    event: 'company.approved',
    refusal: companyErrors.not_awaiting_approval,
  },
  reject: {
    action: 'company.reject',
    from: 'awaiting_approval',
    to: 'rejected',
    event: 'company.rejected',
    refusal: companyErrors.not_awaiting_approval,
  },
  requestChanges: {
    action: 'company.request_changes',
    from: 'awaiting_approval',
    to: 'changes_requested',
    event: 'company.changes_requested',
    refusal: companyErrors.not_awaiting_approval,
  },
  suspend: {
    action: 'company.suspend',
    from: 'approved',
    to: 'suspended',
    event: 'company.suspended',
    refusal: companyErrors.not_approved,
  },
  // Sellers hear of it as of an approval: from now on they may sell again.
  reactivate: {
    action: 'company.reactivate',
    from: 'suspended',
    to: 'approved',
    event: 'company.approved',
    refusal: companyErrors.not_suspended,
  },
} as const satisfies Record<string, Decision>

/** A company that is locked together with its user, so that decisions on one seller follow each other. */
export type Target = { company: CompanyRow; userApproved: boolean }

/** Locks the company, then its user: the order wherever both are locked. Throws company.not_found. */
export const lockTarget = async (tx: Repositories, sellerId: string, id: string): Promise<Target> => {
  const company = await tx.companies.lock(sellerId, id)
  const user = await tx.users.lock(sellerId)
  if (user === undefined || company === undefined) throw companyErrors.not_found()
  return { company, userApproved: user.approved }
}

/** A seller is approved while one of their companies is. Counts under the user's lock, so after every other decision. */
export const followApproval = async (
  tx: Repositories,
  { company: { sellerId }, userApproved }: Target,
  now: Date,
): Promise<void> => {
  const approved = (await tx.companies.countApproved(sellerId)) > 0
  if (approved !== userApproved) await tx.users.setApproved(sellerId, approved, now)
}

export const viewWithDocuments = async (
  tx: Pick<Reads, 'companyDocuments'>,
  company: CompanyRow,
): Promise<CompanyView> => companyView(company, await tx.companyDocuments.listByCompanies([company]))

type Act = { actor: Actor; decision: Decision; reason: string | null; now: Date }

const audit = (tx: Repositories, { actor, decision, reason, now }: Act, before: CompanyRow, after: CompanyRow) => {
  const shown = ({ status, rejectionReason }: CompanyRow) => ({ status, rejectionReason })
  const target = { targetType: 'company', targetId: after.id, sellerId: after.sellerId }
  const given = reason === null ? {} : { reason }
  return tx.audit.add(
    { actor, action: decision.action, ...target, before: shown(before), after: { ...shown(after), ...given } },
    now,
  )
}

/** Carries out a decision on a locked company: state, seller, audit log and event. Throws the decision's refusal. */
export const applyDecision = async (tx: Repositories, target: Target, act: Act): Promise<CompanyView> => {
  const { company: before } = target
  const { actor, decision, reason, now } = act
  if (before.status !== decision.from) throw decision.refusal()
  const approval = decision === DECISIONS.approve ? { approvedAt: now, approvedBy: actor.userId } : {}
  // The reason stands on the company only while it says why the seller cannot sell.
  const rejectionReason = decision.to === 'approved' ? null : reason
  const after = await tx.companies.move(before, decision.to, { rejectionReason, ...approval }, now)
  invariant(after !== undefined, 'a locked company was moved by someone else')
  await followApproval(tx, target, now)
  await audit(tx, act, before, after)
  const view = await viewWithDocuments(tx, after)
  await tx.events.add([{ type: decision.event, sellerId: after.sellerId, data: maskedCompany(view) }], now)
  return view
}
