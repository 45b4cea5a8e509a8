import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { pageRequest, toListResponse } from '../../http/pagination.ts'
import { periodOf } from '../../http/period.ts'
import type { NewId } from '../../ids.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Reads, Transact } from '../../repositories.ts'
import type { DocumentStorage } from '../../storage/storage.port.ts'
import { coverOpenDispute } from './disputes.blocking.ts'
import { createDefenses } from './disputes.defense.ts'
import { disputeErrors } from './disputes.errors.ts'
import { createDisputeNotices } from './disputes.notices.ts'
import type { ListDisputesQuery } from './disputes.schemas.ts'
import { createDefenseSending } from './disputes.sending.ts'
import { type DisputeView, disputeView } from './disputes.view.ts'

type Dependencies = {
  read: Pick<Reads, 'disputes'>
  transact: Transact
  storage: DocumentStorage
  providers: ProviderRegistry
  clock: Clock
  newId: NewId
  logger: Pick<FastifyBaseLogger, 'error' | 'warn'>
  /** Lets defences go out now instead of with the next round of the jobs. Never throws. */
  hurryDefenses: () => Promise<void>
}

/** Disputes from the payer's claim to its end. */
export const createDisputesService = (dependencies: Dependencies) => {
  const { read } = dependencies
  return {
    ...createDefenses(dependencies),

    /** Throws dispute.not_found. */
    async get(actor: Actor, id: string): Promise<DisputeView> {
      const row = await read.disputes.find(actor.userId, id)
      if (row === undefined) throw disputeErrors.not_found()
      return disputeView(row, await read.disputes.listFiles(actor.userId, [id]))
    },

    /** A seller's own, newest first. */
    async list(actor: Actor, query: ListDisputesQuery) {
      const sellerId = actor.userId
      const page = pageRequest(query)
      const { status, type, paymentId } = query
      const found = await read.disputes.list({ sellerId, status, type, paymentId, ...periodOf(query) }, page)
      const ids = found.rows.map(({ id }) => id)
      const files = await read.disputes.listFiles(sellerId, ids)
      return toListResponse(found, page, (row) =>
        disputeView(
          row,
          files.filter(({ disputeId }) => disputeId === row.id),
        ),
      )
    },

    coverOpenDispute,

    /** Applies what callbacks say about disputes. */
    handleNotices: createDisputeNotices(dependencies),

    jobs: createDefenseSending(dependencies),
  }
}

export type DisputesService = ReturnType<typeof createDisputesService>
