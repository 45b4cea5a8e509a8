import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { saoPauloDate } from '../../domain/calendar.ts'
import { SELLER_ACCOUNTS, type SellerAccount } from '../../domain/ledger.ts'
import { add, subtract, ZERO } from '../../domain/money.ts'
import { toTimestamp } from '../../http/primitives.schemas.ts'
import type { Reads } from '../../repositories.ts'
import type { BalanceView } from './balance.schemas.ts'

type Dependencies = { read: Pick<Reads, 'balance'>; clock: Clock }

export type BalanceService = ReturnType<typeof createBalanceService>

export const createBalanceService = ({ read, clock }: Dependencies) => ({
  /** What the seller has now, and when the rest of it arrives. */
  async get(actor: Actor): Promise<BalanceView> {
    const now = clock.now()
    const today = saoPauloDate(now)
    const { balances, releases } = await read.balance.findSnapshot(actor.userId, today)
    const of = (account: SellerAccount) => balances[account] ?? ZERO
    return {
      sellerId: actor.userId,
      currency: 'BRL',
      availableAmount: of('available'),
      pendingAmount: of('pending'),
      reservedAmount: of('reserved'),
      frozenReserveAmount: subtract(of('reserved'), add(...releases.map(({ reservedAmount }) => reservedAmount))),
      blockedAmount: of('blocked'),
      withdrawingAmount: of('withdrawing'),
      totalAmount: add(...SELLER_ACCOUNTS.map(of)),
      nextReleases: releases,
      asOf: toTimestamp(now),
    }
  },
})
