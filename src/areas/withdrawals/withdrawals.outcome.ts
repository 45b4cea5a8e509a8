import type { FastifyBaseLogger } from 'fastify'
import { invariant } from '../../domain/invariant.ts'
import { ZERO } from '../../domain/money.ts'
import type { Transfer } from '../../domain/transfer.ts'
import { withdrawalCompleted, withdrawalReturned, withdrawalReversed } from '../../domain/transfers.ts'
import { contradicts, type PayoutOutcome, payoutSteps, type WithdrawalStatus } from '../../domain/withdrawal.ts'
import type { NewEvent } from '../../events/events.repository.ts'
import type { NotificationOutcome, RoutedNotification } from '../../providers/notification-routing.ts'
import type { PayoutState } from '../../providers/provider.port.ts'
import type { Repositories } from '../../repositories.ts'
import { withdrawalEvent } from './withdrawals.events.ts'
import type { Withdrawal, WithdrawalKey } from './withdrawals.queries.ts'
import type { WithdrawalChanges } from './withdrawals.repository.ts'

/** What a provider says about one payout. */
export type PayoutNews = WithdrawalKey & { state: PayoutState }

type Logger = Pick<FastifyBaseLogger, 'error'>
type Step = Extract<WithdrawalStatus, PayoutOutcome>
type Told = Exclude<PayoutState, { status: 'processing' }>

const REASON_MAX = 200
const NO_CHANGE: NotificationOutcome = { status: 'ignored', reason: 'no_change' }

const moneyOf = (step: Step, { sellerId, id: withdrawalId, amount, feeAmount, netAmount }: Withdrawal): Transfer => {
  if (step === 'completed') return withdrawalCompleted({ sellerId, withdrawalId, amount, feeAmount })
  if (step === 'failed') return withdrawalReversed({ sellerId, withdrawalId, amount })
  // The platform's work was done: it keeps its fee for a payout that the receiver's bank sends back.
  return withdrawalReturned({ sellerId, withdrawalId, netAmount, returnedFeeAmount: ZERO })
}

const transferOf = (step: Step, row: Withdrawal): Transfer => ({ ...moneyOf(step, row), provider: row.provider })

const changesOf = (step: Step, state: Told, now: Date): WithdrawalChanges => {
  if (step === 'completed') {
    return { completedAt: now, ...(state.status === 'completed' ? { endToEndId: state.endToEndId } : {}) }
  }
  return { statusReason: state.status === 'completed' ? null : (state.reason?.slice(0, REASON_MAX) ?? null) }
}

type Effects = { events: NewEvent[]; transfers: Transfer[] }

const moveThrough = async (
  tx: Repositories,
  row: Withdrawal,
  { state, now, effects }: { state: Told; now: Date; effects: Effects },
): Promise<Withdrawal> => {
  let current = row
  for (const step of payoutSteps(row.status, state.status) as readonly Step[]) {
    const moved = await tx.withdrawals.move(current, step, changesOf(step, state, now), now)
    invariant(moved !== undefined, 'a locked withdrawal was moved by someone else')
    current = moved
    effects.events.push(withdrawalEvent(`withdrawal.${step}`, current))
    effects.transfers.push(transferOf(step, current))
  }
  return current
}

/**
 * Applies what providers say about payouts, in order, in one transaction: state, money and events. Whatever comes
 * again, or too late, changes nothing. Answers one outcome each; `unmatched` where there is no such withdrawal.
 */
export const applyPayoutNews = async (
  tx: Repositories,
  news: readonly PayoutNews[],
  { now, logger }: { now: Date; logger: Logger },
): Promise<NotificationOutcome[]> => {
  const rows = new Map((await tx.withdrawals.lockMany(news)).map((row) => [row.id, row]))
  const effects: Effects = { events: [], transfers: [] }

  const applyLate = async (row: Withdrawal, state: Told): Promise<NotificationOutcome> => {
    if (contradicts(row.status, state.status)) {
      // Money may have moved that the books do not have: only a person can find out which answer is the true one.
      logger.error({ withdrawalId: row.id, status: row.status, told: state.status }, 'a provider contradicts itself')
      return { status: 'ignored', reason: `contradicts_${row.status}` }
    }
    const endToEndId = state.status === 'completed' ? state.endToEndId : null
    if (row.endToEndId !== null || endToEndId === null) return NO_CHANGE
    await tx.withdrawals.updateEndToEndId(row, endToEndId, now)
    rows.set(row.id, { ...row, endToEndId })
    return { status: 'processed' }
  }

  const apply = async ({ id, state }: PayoutNews): Promise<NotificationOutcome> => {
    const row = rows.get(id)
    if (row === undefined) return { status: 'unmatched' }
    if (state.status === 'processing') return NO_CHANGE
    const after = await moveThrough(tx, row, { state, now, effects })
    rows.set(id, after)
    return after === row ? applyLate(row, state) : { status: 'processed' }
  }

  const outcomes: NotificationOutcome[] = []
  for (const one of news) outcomes.push(await apply(one))
  await tx.events.add(effects.events, now)
  const posted = await tx.ledger.post(effects.transfers, now)
  invariant(
    posted.every((outcome) => outcome.posted),
    'the money of a payout could not be booked',
  )
  return outcomes
}

/** What callbacks say about payouts, applied in the transaction that marks the callbacks as processed. */
export const createPayoutNotifications =
  ({ logger }: { logger: Logger }) =>
  (
    tx: Repositories,
    notifications: readonly RoutedNotification<'payout'>[],
    now: Date,
  ): Promise<NotificationOutcome[]> =>
    applyPayoutNews(
      tx,
      notifications.map(({ sellerId, resourceId, notification: { state } }) => ({ sellerId, id: resourceId, state })),
      { now, logger },
    )
