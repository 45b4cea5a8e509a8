import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { pageRequest, toListResponse } from '../../http/pagination.ts'
import { periodOf } from '../../http/period.ts'
import type { Once } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import { paymentErrors } from '../payments/payments.errors.ts'
import { createRefundNotices } from './refunds.notices.ts'
import { createRefundOutcomes, type OutcomeDependencies } from './refunds.outcome.ts'
import { createRefundRequests } from './refunds.request.ts'
import type { ListRefundsQuery } from './refunds.schemas.ts'
import { createRefundSending } from './refunds.sending.ts'
import { refundView } from './refunds.view.ts'

type Dependencies = {
  read: Pick<Reads, 'refunds' | 'payments' | 'providerReferences'>
  transact: Transact
  once: Once<Repositories>
  providers: ProviderRegistry
  clock: Clock
  newId: NewId
  logger: Pick<FastifyBaseLogger, 'error' | 'warn'>
  coverOpenDispute: OutcomeDependencies['coverOpenDispute']
  /** Lets accepted refunds go out now instead of with the next round of the jobs. Never throws. */
  hurryRefunds: () => Promise<void>
}

/** Refunds from the request to the money back at the payer's. */
export const createRefundsService = (dependencies: Dependencies) => {
  const { read } = dependencies
  const applyNews = createRefundOutcomes(dependencies)
  return {
    request: createRefundRequests(dependencies),

    /** The refunds of one payment, newest first. Throws payment.not_found. */
    async list(actor: Actor, paymentId: string, query: ListRefundsQuery) {
      const sellerId = actor.userId
      if ((await read.payments.find(sellerId, paymentId)) === undefined) throw paymentErrors.not_found()
      const page = pageRequest(query)
      const filter = { sellerId, paymentId, status: query.status, ...periodOf(query) }
      return toListResponse(await read.refunds.list(filter, page), page, refundView)
    },

    /** Applies what callbacks say about refunds. */
    handleNotices: createRefundNotices({ ...dependencies, applyNews }),

    jobs: createRefundSending({ ...dependencies, applyNews }),
  }
}

export type RefundsService = ReturnType<typeof createRefundsService>
