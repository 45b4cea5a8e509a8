import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import { toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import { saoPauloDate } from '../../domain/calendar.ts'
import type { NewId } from '../../ids.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Reads, Transact } from '../../repositories.ts'
import type { Propose } from '../approvals/approvals.propose.ts'
import { reconciliationErrors } from './reconciliation.errors.ts'
import { createExceptionResolution } from './reconciliation.resolve.ts'
import { createReconcile, newReconciliation } from './reconciliation.run.ts'
import type { ExceptionsQuery, ReconcileBody, ReconciliationsQuery } from './reconciliation.schemas.ts'
import { exceptionView, reconciliationView } from './reconciliation.view.ts'

type Dependencies = {
  read: Pick<Reads, 'reconciliation'>
  transact: Transact
  /** The same with limits for work that takes long. */
  patient: { read: Pick<Reads, 'reconciliation'>; transact: Transact }
  providers: ProviderRegistry
  clock: Clock
  newId: NewId
  propose: Propose
  logger: Pick<FastifyBaseLogger, 'info' | 'error'>
  /** Compares what was asked for now instead of with the next round of the jobs. Never throws. */
  reconcileSoon: () => Promise<void>
}

/** What providers say happened against what the books say, and what becomes of the differences. */
export const createReconciliationService = (dependencies: Dependencies) => {
  const { read, transact, patient, providers, clock, newId, reconcileSoon } = dependencies

  return {
    /** Newest first. */
    async list({ page, ...filter }: ReconciliationsQuery) {
      return toListResponse(await read.reconciliation.list(filter, page), page, reconciliationView)
    },

    /** Throws reconciliation.not_found. */
    async get(id: string) {
      const row = await read.reconciliation.find(id)
      if (row === undefined) throw reconciliationErrors.not_found()
      return reconciliationView(row)
    },

    /** Has a day compared, again where it was before. Throws reconciliation.no_statement and .day_not_over. */
    async run(actor: Actor, { provider, date }: ReconcileBody) {
      if (providers.find(provider)?.statements === undefined) throw reconciliationErrors.no_statement()
      const now = clock.now()
      if (date >= saoPauloDate(now)) throw reconciliationErrors.day_not_over()
      const row = await transact(async (tx) => {
        const begun = await tx.reconciliation.begin(newReconciliation(newId(), provider, date, now))
        const target = { targetType: 'reconciliation', targetId: begun.id }
        await tx.audit.add({ actor, action: 'reconciliation.run', ...target, after: { provider, date } }, now)
        return begun
      })
      await reconcileSoon()
      return reconciliationView(row)
    },

    /** Newest first. */
    async listExceptions({ page, ...filter }: ExceptionsQuery) {
      return toListResponse(await read.reconciliation.listExceptions(filter, page), page, exceptionView)
    },

    ...createExceptionResolution(dependencies),

    /** What is open now, for operators. */
    findOpen: () => read.reconciliation.findOpen(clock.now()),

    jobs: createReconcile({ ...dependencies, ...patient }),
  }
}

export type ReconciliationService = ReturnType<typeof createReconciliationService>
