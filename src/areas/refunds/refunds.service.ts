import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import { toListResponse } from '../../db/page.ts'
import type { Walk } from '../../db/paging.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Once } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import { paymentErrors } from '../payments/payments.errors.ts'
import { createRefundNotifications } from './refunds.notifications.ts'
import { createRefundOutcomes, type OutcomeDependencies } from './refunds.outcome.ts'
import { createRefundRequests } from './refunds.request.ts'
import type { ListRefundsQuery, ListSellerRefundsQuery } from './refunds.schemas.ts'
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
  sendRefundsSoon: () => Promise<void>
}

const EXPORT_BATCH_SIZE = 1_000

/** Refunds from the request to the money back at the payer's. */
export const createRefundsService = (dependencies: Dependencies) => {
  const { read } = dependencies
  const applyNews = createRefundOutcomes(dependencies)
  return {
    request: createRefundRequests(dependencies),

    /** The refunds of one payment, newest first. Throws payment.not_found. */
    async list(actor: Actor, paymentId: string, { page, ...filter }: ListRefundsQuery) {
      const sellerId = actor.sellerId
      if ((await read.payments.find(sellerId, paymentId)) === undefined) throw paymentErrors.not_found()
      return toListResponse(await read.refunds.list({ ...filter, sellerId, paymentId }, page), page, refundView)
    },

    /** The refunds of all payments of a seller, newest first. */
    async listOfSeller({ sellerId }: Actor, { page, ...filter }: ListSellerRefundsQuery) {
      return toListResponse(await read.refunds.list({ ...filter, sellerId }, page), page, refundView)
    },

    /** The whole selection in batches. */
    async *export({ sellerId }: Actor, { page, ...filter }: ListSellerRefundsQuery) {
      for (let after: Walk['after']; ; ) {
        const rows = await read.refunds.listNext({ ...filter, sellerId }, { after, sort: page.sort }, EXPORT_BATCH_SIZE)
        yield rows.map(refundView)
        if (rows.length < EXPORT_BATCH_SIZE) return
        after = rows.at(-1)
      }
    },

    /** Applies what callbacks say about refunds. */
    handleNotifications: createRefundNotifications({ ...dependencies, applyNews }),

    jobs: createRefundSending({ ...dependencies, applyNews }),
  }
}

export type RefundsService = ReturnType<typeof createRefundsService>
