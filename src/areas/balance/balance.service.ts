import type { Clock } from '../../clock.ts'
import { createLoader } from '../../db/loader.ts'
import type { Actor } from '../../domain/actor.ts'
import { saoPauloDate } from '../../domain/calendar.ts'
import { invariant } from '../../domain/invariant.ts'
import { SELLER_ACCOUNTS, type SellerAccount } from '../../domain/ledger.ts'
import { add, subtract, ZERO } from '../../domain/money.ts'
import { toTimestamp } from '../../domain/timestamp.ts'
import type { Reads } from '../../repositories.ts'
import type { BalanceKey, BalanceSnapshot } from './balance.queries.ts'
import type { BalanceView } from './balance.schemas.ts'

type Dependencies = { read: Pick<Reads, 'balance'>; clock: Clock }

export type BalanceService = ReturnType<typeof createBalanceService>

const nameOf = ({ sellerId, today }: BalanceKey): string => `${sellerId} ${today}`

export const createBalanceService = ({ read, clock }: Dependencies) => {
  const findSnapshot = createLoader<BalanceKey, BalanceSnapshot>({
    nameOf,
    lookUp: async (keys) => new Map((await read.balance.listSnapshots(keys)).map((found) => [nameOf(found), found])),
  })

  const getOf = async (sellerId: string): Promise<BalanceView> => {
    const now = clock.now()
    const snapshot = await findSnapshot({ sellerId, today: saoPauloDate(now) })
    invariant(snapshot !== undefined, 'every seller who is asked for has a snapshot')
    const { balances, releases } = snapshot
    const of = (account: SellerAccount) => balances[account] ?? ZERO
    return {
      sellerId,
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
  }

  return {
    /** What a seller has now, and when the rest of it arrives. */
    getOf,

    /** The same of one's own account. */
    get: ({ sellerId }: Actor): Promise<BalanceView> => getOf(sellerId),
  }
}
