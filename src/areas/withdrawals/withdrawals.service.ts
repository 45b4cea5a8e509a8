import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import { toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import { absolute, ZERO } from '../../domain/money.ts'
import type { Once } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import type { Deciders } from '../approvals/approvals.people.ts'
import type { Propose } from '../approvals/approvals.propose.ts'
import { createWithdrawalDecisions } from './withdrawals.decisions.ts'
import { withdrawalErrors } from './withdrawals.errors.ts'
import { createPayoutNotifications } from './withdrawals.outcome.ts'
import { createPayouts } from './withdrawals.payouts.ts'
import type { Withdrawal } from './withdrawals.queries.ts'
import { createWithdrawalRequests } from './withdrawals.request.ts'
import { CLAIMS_MAX, type ListAllWithdrawalsQuery, type ListWithdrawalsQuery } from './withdrawals.schemas.ts'
import { claimView, withdrawalView } from './withdrawals.view.ts'

type Dependencies = {
  read: Pick<
    Reads,
    'withdrawals' | 'approvals' | 'users' | 'providerReferences' | 'paymentTerms' | 'ledger' | 'disputes'
  >
  transact: Transact
  once: Once<Repositories>
  providers: ProviderRegistry
  clock: Clock
  propose: Propose
  deciders: Deciders
  newId: NewId
  logger: Pick<FastifyBaseLogger, 'error' | 'warn'>
  /** Lets approved withdrawals go out now instead of with the next round of the jobs. Never throws. */
  payOutSoon: () => Promise<void>
}

/** Withdrawals from the request to the money in the receiver's account. */
export const createWithdrawalsService = (dependencies: Dependencies) => {
  const { read } = dependencies

  const withSellers = async (rows: readonly Withdrawal[]) => {
    const ids = [...new Set(rows.map(({ sellerId }) => sellerId))]
    const [sellers, available] = await Promise.all([
      read.users.listByIds(ids),
      read.ledger.findBalancesOf('available', ids),
    ])
    const byId = new Map(sellers.map((seller) => [seller.id, seller]))
    const owing = ids.filter((id) => (available.get(id) ?? ZERO) < 0)
    const claims = Map.groupBy(await read.disputes.listAgainst(owing, CLAIMS_MAX), ({ sellerId }) => sellerId)
    return (row: Withdrawal) => {
      const seller = byId.get(row.sellerId)
      const balance = available.get(row.sellerId) ?? ZERO
      return {
        ...withdrawalView(row),
        sellerName: seller?.name ?? '',
        sellerEmail: seller?.email ?? '',
        owedAmount: balance < 0 ? absolute(balance) : ZERO,
        availableAmount: balance,
        uncoveredBy: (claims.get(row.sellerId) ?? []).map(claimView),
      }
    }
  }

  return {
    ...createWithdrawalDecisions(dependencies),

    request: createWithdrawalRequests(dependencies),

    /** Throws withdrawal.not_found. */
    async get(actor: Actor, id: string) {
      const row = await read.withdrawals.find(actor.sellerId, id)
      if (row === undefined) throw withdrawalErrors.not_found()
      return withdrawalView(row)
    },

    /** Any seller's, for administrators. Throws withdrawal.not_found. */
    async getAny(id: string) {
      const row = await read.withdrawals.findAnywhere(id)
      if (row === undefined) throw withdrawalErrors.not_found()
      const [show, involved] = await Promise.all([withSellers([row]), read.approvals.listInvolved([row.sellerId])])
      const { createdBy = null, approvedBy = [] } = involved.get(row.sellerId) ?? {}
      return {
        ...show(row),
        requestedBy: row.requestedBy,
        sellerCreatedBy: createdBy,
        sellerApprovedBy: [...approvedBy],
      }
    },

    /** A seller's own, newest first. */
    async list(actor: Actor, { page, ...filter }: ListWithdrawalsQuery) {
      const found = await read.withdrawals.list({ ...filter, sellerId: actor.sellerId }, page)
      return toListResponse(found, page, withdrawalView)
    },

    /** All sellers', for administrators. */
    async listAll({ page, ...filter }: ListAllWithdrawalsQuery) {
      const found = await read.withdrawals.list(filter, page)
      return toListResponse(found, page, await withSellers(found.rows))
    },

    /** Applies what callbacks say about payouts. */
    handleNotifications: createPayoutNotifications(dependencies),

    jobs: createPayouts(dependencies),
  }
}

export type WithdrawalsService = ReturnType<typeof createWithdrawalsService>
