import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { pageRequest, toListResponse } from '../../http/pagination.ts'
import { periodOf } from '../../http/period.ts'
import type { Once } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import { createWithdrawalDecisions } from './withdrawals.decisions.ts'
import { withdrawalErrors } from './withdrawals.errors.ts'
import type { WithdrawalFilter } from './withdrawals.filter.ts'
import { createPayoutNotices } from './withdrawals.outcome.ts'
import { createPayouts } from './withdrawals.payouts.ts'
import type { Withdrawal } from './withdrawals.repository.ts'
import { createWithdrawalRequests } from './withdrawals.request.ts'
import type { ListAllWithdrawalsQuery, ListWithdrawalsQuery } from './withdrawals.schemas.ts'
import { withdrawalView } from './withdrawals.view.ts'

type Dependencies = {
  read: Pick<Reads, 'withdrawals' | 'users' | 'providerReferences'>
  transact: Transact
  once: Once<Repositories>
  providers: ProviderRegistry
  clock: Clock
  newId: NewId
  logger: Pick<FastifyBaseLogger, 'error' | 'warn'>
  /** Lets approved withdrawals go out now instead of with the next round of the jobs. Never throws. */
  hurryPayouts: () => Promise<void>
}

// Throws validation.failed for a period that cannot be.
const filterOf = (query: ListWithdrawalsQuery, sellerId: string | undefined): WithdrawalFilter => ({
  sellerId,
  status: query.status,
  search: query.search,
  ...periodOf(query),
})

/** Withdrawals from the request to the money in the receiver's account. */
export const createWithdrawalsService = (dependencies: Dependencies) => {
  const { read } = dependencies

  const withSellers = async (rows: readonly Withdrawal[]) => {
    const sellers = await read.users.listByIds([...new Set(rows.map(({ sellerId }) => sellerId))])
    const byId = new Map(sellers.map((seller) => [seller.id, seller]))
    return (row: Withdrawal) => {
      const seller = byId.get(row.sellerId)
      return { ...withdrawalView(row), sellerName: seller?.name ?? '', sellerEmail: seller?.email ?? '' }
    }
  }

  return {
    ...createWithdrawalDecisions(dependencies),

    request: createWithdrawalRequests(dependencies),

    /** Throws withdrawal.not_found. */
    async get(actor: Actor, id: string) {
      const row = await read.withdrawals.find(actor.userId, id)
      if (row === undefined) throw withdrawalErrors.not_found()
      return withdrawalView(row)
    },

    /** A seller's own, newest first. */
    async list(actor: Actor, query: ListWithdrawalsQuery) {
      const page = pageRequest(query)
      return toListResponse(await read.withdrawals.list(filterOf(query, actor.userId), page), page, withdrawalView)
    },

    /** All sellers', for administrators. */
    async listAll(query: ListAllWithdrawalsQuery) {
      const page = pageRequest(query)
      const found = await read.withdrawals.list(filterOf(query, query.sellerId), page)
      return toListResponse(found, page, await withSellers(found.rows))
    },

    /** Applies what callbacks say about payouts. */
    handleNotices: createPayoutNotices(dependencies),

    jobs: createPayouts(dependencies),
  }
}

export type WithdrawalsService = ReturnType<typeof createWithdrawalsService>
