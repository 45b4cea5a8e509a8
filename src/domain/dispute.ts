import { lifecycle } from './lifecycle.ts'

/** `med` is the return of a Pix after fraud (Mecanismo Especial de Devolução), `chargeback` that of a card. */
export const DISPUTE_TYPES = ['med', 'chargeback'] as const
export type DisputeType = (typeof DISPUTE_TYPES)[number]

export const DISPUTE_STATUSES = ['open', 'under_review', 'won', 'lost', 'canceled'] as const
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number]

/** Who ends a dispute: the provider's verdict, or the clock when nobody answered in time. */
export const DISPUTE_RESOLVERS = ['provider', 'deadline'] as const
export type DisputeResolver = (typeof DISPUTE_RESOLVERS)[number]

/**
 * An unanswered dispute is lost by the clock. The provider still has the last word on such a one: its own verdict may
 * turn it (`lost → won`, `lost → canceled`), which its own loss never does.
 */
export const disputeLifecycle = lifecycle<DisputeStatus>('dispute', {
  open: ['under_review', 'won', 'lost', 'canceled'],
  under_review: ['won', 'lost', 'canceled'],
  won: [],
  lost: ['won', 'canceled'],
  canceled: [],
})

const DAY_MS = 86_400_000
/** How long a seller has for a defence: the analysis of a MED takes seven days, acquirers of cards give ten. */
const DEFENSE_DAYS = { med: 7, chargeback: 10 } as const satisfies Record<DisputeType, number>

/** How long before the end of that time a seller who has not answered is reminded. */
export const REMINDER_MS = 2 * DAY_MS

/** Until when a seller may answer a dispute that was opened now. */
export const respondBy = (type: DisputeType, now: Date): Date => new Date(now.getTime() + DEFENSE_DAYS[type] * DAY_MS)

/** Whether nobody decided on a dispute but the clock, so that the provider's verdict is still to come. */
export const wasLostByClock = ({ status, resolvedBy }: { status: DisputeStatus; resolvedBy: DisputeResolver | null }) =>
  status === 'lost' && resolvedBy === 'deadline'

export const isOpenDispute = (status: DisputeStatus): boolean => status === 'open' || status === 'under_review'
