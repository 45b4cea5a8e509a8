import type { FastifyBaseLogger } from 'fastify'
import { invariant } from '../../domain/invariant.ts'
import { PLATFORM_BOOK_ID, treasuryReturned } from '../../domain/platform-transfers.ts'
import { treasuryPayoutLifecycle } from '../../domain/treasury.ts'
import type { NotificationHandler, NotificationOutcome } from '../../providers/notification-routing.ts'
import type { PayoutState } from '../../providers/provider.port.ts'
import type { Repositories } from '../../repositories.ts'
import type { TreasuryPayout } from './treasury.repository.ts'

/** What a provider says about a payout of the platform, and how it calls it where it said that. */
export type TreasuryNews = { id: string; state: PayoutState; reference: string | null }

type Logger = Pick<FastifyBaseLogger, 'error'>
type Told = Exclude<PayoutState, { status: 'processing' }>

const REASON_MAX = 200
const NO_CHANGE: NotificationOutcome = { status: 'ignored', reason: 'no_change' }

// Callbacks name a payout as the provider does.
const fileReference = async (tx: Repositories, { id, provider }: TreasuryPayout, reference: string, now: Date) => {
  await tx.treasury.updateReference(id, reference, now)
  const filed = { provider, kind: 'payout' as const, reference, sellerId: PLATFORM_BOOK_ID, resourceId: id }
  await tx.providerReferences.insertMany([filed])
}

const changesOf = (state: Told, now: Date) =>
  state.status === 'completed'
    ? { endToEndId: state.endToEndId, completedAt: now }
    : { statusReason: state.reason?.slice(0, REASON_MAX) ?? null }

// A bank may have sent back what it had completed, whichever is heard first.
const isOldNews = (row: TreasuryPayout, { status }: Told): boolean =>
  row.status === status || (row.status === 'returned' && status === 'completed')

const giveBack = async (tx: Repositories, { id, amount }: TreasuryPayout, now: Date): Promise<void> => {
  await tx.ledger.lockPlatformBook()
  const [outcome] = await tx.ledger.post([treasuryReturned({ payoutId: id, amount })], now)
  invariant(outcome?.posted, 'a payout of the platform that came back could not be booked')
}

/**
 * Applies what a provider says about a payout of the platform: its state, and the money where it came back. What comes
 * again, or cannot be true beside what was said before, changes nothing. `unmatched` where there is no such payout.
 */
export const applyTreasuryNews = async (
  tx: Repositories,
  { id, state, reference }: TreasuryNews,
  { now, logger }: { now: Date; logger: Logger },
): Promise<NotificationOutcome> => {
  const row = await tx.treasury.lock(id)
  if (row === undefined) return { status: 'unmatched' }
  if (reference !== null && row.reference === null) await fileReference(tx, row, reference, now)
  if (state.status === 'processing' || isOldNews(row, state)) return NO_CHANGE
  if (!treasuryPayoutLifecycle.allows(row.status, state.status)) {
    logger.error({ treasuryPayoutId: id, status: row.status, told: state.status }, 'a provider contradicts itself')
    return { status: 'ignored', reason: `contradicts_${row.status}` }
  }
  const moved = await tx.treasury.move(row, state.status, changesOf(state, now), now)
  invariant(moved !== undefined, 'a locked payout of the platform was moved by someone else')
  if (state.status !== 'completed') await giveBack(tx, row, now)
  return { status: 'processed' }
}

/** Hands what callbacks say about payouts of the platform to it, and about all others to `ofSellers`. */
export const withTreasury =
  (ofSellers: NotificationHandler<'payout'>, { logger }: { logger: Logger }): NotificationHandler<'payout'> =>
  async (tx, notifications, now) => {
    const sellers = notifications.filter(({ sellerId }) => sellerId !== PLATFORM_BOOK_ID)
    const ofOthers = [...(await ofSellers(tx, sellers, now))]
    const outcomes: NotificationOutcome[] = []
    for (const { sellerId, resourceId: id, notification } of notifications) {
      const news = { id, state: notification.state, reference: null }
      const outcome =
        sellerId === PLATFORM_BOOK_ID ? await applyTreasuryNews(tx, news, { now, logger }) : ofOthers.shift()
      outcomes.push(outcome ?? { status: 'unmatched' })
    }
    return outcomes
  }
