import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import { toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import { saoPauloDate } from '../../domain/calendar.ts'
import { PLATFORM_BOOK_ID } from '../../domain/platform-transfers.ts'
import type { NewId } from '../../ids.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Reads, Transact } from '../../repositories.ts'
import type { DocumentStorage } from '../../storage/storage.port.ts'
import type { Propose } from '../approvals/approvals.propose.ts'
import { createPayerRefunds } from './payer-refunds.ts'
import { createProviderStatements } from './provider-statements.service.ts'
import { exceptionErrors, reconciliationErrors } from './reconciliation.errors.ts'
import { createReconcileProviders } from './reconciliation.nights.ts'
import { createExceptionResolution } from './reconciliation.resolve.ts'
import { newReconciliation } from './reconciliation.run.ts'
import type { ExceptionsQuery, ReconcileBody, ReconciliationsQuery } from './reconciliation.schemas.ts'
import {
  exceptionStoryView,
  exceptionView,
  reconciliationDetailView,
  reconciliationView,
} from './reconciliation.view.ts'

const PAYER_REFUNDS_MAX = 100

type Dependencies = {
  read: Pick<Reads, 'reconciliation' | 'approvals'>
  transact: Transact
  /** The same with limits for work that takes long. */
  patient: { read: Pick<Reads, 'reconciliation'>; transact: Transact }
  providers: ProviderRegistry
  clock: Clock
  newId: NewId
  propose: Propose
  storage: DocumentStorage
  logger: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  /** Compares what was asked for now instead of with the next round of the jobs. Never throws. */
  reconcileSoon: () => Promise<void>
  /** Lets money go back to a payer now instead of with the next round of the jobs. Never throws. */
  refundPayersSoon: () => Promise<void>
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
      return reconciliationDetailView(row, await read.reconciliation.listRuns(id))
    },

    /** Has a day compared, again where it was before. Throws reconciliation.no_statement and .day_not_over. */
    async run(actor: Actor, { provider, date }: ReconcileBody) {
      const hasList = providers.find(provider)?.statements !== undefined
      const hasStatement = hasList || (await read.reconciliation.findStatement(provider, date)) !== undefined
      if (!hasStatement) throw reconciliationErrors.no_statement()
      const now = clock.now()
      if (date >= saoPauloDate(now)) throw reconciliationErrors.day_not_over()
      const row = await transact(async (tx) => {
        const why = { cause: 'asked' as const, requestedBy: actor.userId }
        const begun = await tx.reconciliation.begin(newReconciliation(newId(), provider, date, now), why)
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

    /** One with both sides, and who did what about it. Throws reconciliation_exception.not_found. */
    async getException(id: string) {
      const row = await read.reconciliation.findException(id)
      if (row === undefined) throw exceptionErrors.not_found()
      const { sellerId, subjectId } = row
      const ours =
        subjectId === null ? undefined : await read.reconciliation.findOurSide(sellerId ?? PLATFORM_BOOK_ID, subjectId)
      const resolutions = await read.reconciliation.listResolutions(id)
      const payerRefunds = await read.reconciliation.listPayerRefunds(id, PAYER_REFUNDS_MAX)
      const approval = row.status === 'open' ? await read.approvals.findPending('reconciliation', id) : undefined
      return exceptionStoryView(row, { ours, resolutions, payerRefunds, approvalId: approval?.id ?? null })
    },

    ...createExceptionResolution(dependencies),

    ...createProviderStatements(dependencies),

    /** What is open now, for operators. */
    findOpen: () => read.reconciliation.findOpen(),

    /** For how many seconds the oldest of them is open; 0 where none is. */
    findOpenSeconds: async (): Promise<number> => {
      const { since } = await read.reconciliation.findOpen()
      return since === null ? 0 : Math.max(0, (clock.now().getTime() - since.getTime()) / 1_000)
    },

    jobs: { ...createReconcileProviders({ ...dependencies, ...patient }), ...createPayerRefunds(dependencies) },
  }
}

export type ReconciliationService = ReturnType<typeof createReconciliationService>
