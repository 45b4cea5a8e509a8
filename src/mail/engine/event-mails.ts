import type { CompanyView } from '../../areas/companies/companies.view.ts'
import type { DisputeView } from '../../areas/disputes/disputes.view.ts'
import type { WithdrawalView } from '../../areas/withdrawals/withdrawals.view.ts'
import type { EventType } from '../../events/event-types.ts'
import type { EventMailKind, FactsOf } from '../templates/catalogue.ts'

type Decided = { companyName: string; reason: string | null }

const companyFacts = ({ tradeName, rejectionReason }: CompanyView): Decided => ({
  companyName: tradeName,
  reason: rejectionReason,
})

const withdrawalFacts = (withdrawal: WithdrawalView) => {
  const { amount, netAmount, feeAmount, pixKey, statusReason, completedAt, updatedAt, endToEndId } = withdrawal
  return {
    amount,
    netAmount,
    feeAmount,
    pixKey,
    reason: statusReason,
    completedAt: completedAt ?? updatedAt,
    endToEndId,
  }
}

const disputeFacts = ({ type, amount, reason, paymentId, respondBy }: DisputeView) => ({
  type,
  amount,
  reason,
  paymentId,
  respondBy,
})

/** A mail to the seller whom an event is of. `factsOf` takes the event’s data. */
const toSeller = <Kind extends EventMailKind, Data>(kind: Kind, factsOf: (data: Data) => FactsOf<Kind>) => ({
  kind,
  factsOf: factsOf as (data: unknown) => object,
})

/** Which mail follows from which event: the one place that says so. */
const MAILS = {
  'company.approved': toSeller('company_approved', companyFacts),
  'company.rejected': toSeller('company_rejected', companyFacts),
  'company.changes_requested': toSeller('company_changes_requested', companyFacts),
  'withdrawal.completed': toSeller('withdrawal_completed', withdrawalFacts),
  'withdrawal.failed': toSeller('withdrawal_failed', withdrawalFacts),
  'withdrawal.returned': toSeller('withdrawal_returned', withdrawalFacts),
  'dispute.opened': toSeller('dispute_opened', disputeFacts),
  'dispute.deadline_near': toSeller('dispute_deadline_near', disputeFacts),
} satisfies Partial<Record<EventType, { kind: EventMailKind }>>

/** The event after which a payer may get a receipt. */
const PAID: EventType = 'payment.paid'

const mailOf = (type: string) => (type in MAILS ? MAILS[type as keyof typeof MAILS] : undefined)

/** The kind of mail that follows from a type of event, if any does. */
export const mailKindOf = (type: string): EventMailKind | undefined =>
  type === PAID ? 'payment_receipt' : mailOf(type)?.kind

/** What the mail of an event tells its seller, from the event’s data. */
export const eventFacts = (type: string, data: unknown): object => mailOf(type)?.factsOf(data) ?? {}
