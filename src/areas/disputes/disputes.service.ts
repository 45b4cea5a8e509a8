import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { NewId } from '../../ids.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Reads, Transact } from '../../repositories.ts'
import type { DocumentStorage } from '../../storage/storage.port.ts'
import { coverOpenDispute } from './disputes.blocking.ts'
import { createDisputeDeadlines } from './disputes.deadlines.ts'
import { createDefenses } from './disputes.defense.ts'
import { createDisputeNotifications } from './disputes.notifications.ts'
import { createDisputeReading } from './disputes.reading.ts'
import { createDefenseSending } from './disputes.sending.ts'

type Dependencies = {
  read: Pick<Reads, 'disputes' | 'users'>
  transact: Transact
  storage: DocumentStorage
  providers: ProviderRegistry
  clock: Clock
  newId: NewId
  logger: Pick<FastifyBaseLogger, 'error' | 'warn'>
  /** Lets defences go out now instead of with the next round of the jobs. Never throws. */
  sendDefensesSoon: () => Promise<void>
}

/** Disputes from the payer's claim to its end. */
export const createDisputesService = (dependencies: Dependencies) => ({
  ...createDefenses(dependencies),

  ...createDisputeReading(dependencies),

  coverOpenDispute,

  /** Applies what callbacks say about disputes. */
  handleNotifications: createDisputeNotifications(dependencies),

  // Answers go out before the clock ends what has none.
  jobs: { ...createDefenseSending(dependencies), ...createDisputeDeadlines(dependencies) },
})

export type DisputesService = ReturnType<typeof createDisputesService>
