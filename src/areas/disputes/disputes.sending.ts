import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import { invariant } from '../../domain/invariant.ts'
import { eachApart } from '../../each-apart.ts'
import type { DefenseFile } from '../../providers/provider.port.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Reads, Transact } from '../../repositories.ts'
import type { DocumentStorage } from '../../storage/storage.port.ts'
import type { Dispute } from './disputes.queries.ts'

const BATCH_MAX = 10
/** How long a provider that did not answer is left alone. */
const RETRY_MS = 60_000
const REFUSAL_MAX = 200
const TAKES_NO_DEFENSES = { outcome: 'refused', reason: 'provider_takes_no_defenses' } as const

type Dependencies = {
  read: Pick<Reads, 'disputes'>
  transact: Transact
  storage: Pick<DocumentStorage, 'open'>
  providers: ProviderRegistry
  clock: Clock
  logger: Pick<FastifyBaseLogger, 'error' | 'warn'>
}

/** The job that tells providers what sellers answered. */
export const createDefenseSending = ({ read, transact, storage, providers, clock, logger }: Dependencies) => {
  const filesOf = async (dispute: Dispute): Promise<DefenseFile[]> =>
    (await read.disputes.listFiles([dispute])).map(({ fileName, contentType, sizeBytes, storageKey }) => ({
      fileName,
      contentType,
      sizeBytes,
      open: () => storage.open(storageKey),
    }))

  const tell = async (dispute: Dispute): Promise<void> => {
    const { id: disputeId, providerReference: reference, defense } = dispute
    const provider = providers.find(dispute.provider)
    invariant(defense !== null, 'a dispute was defended without a text')
    if (provider === undefined) return logger.error({ disputeId }, 'the provider of a dispute is not configured')
    const request = { reference, text: defense, files: await filesOf(dispute) }
    const result = (await provider.disputes?.defend(request)) ?? TAKES_NO_DEFENSES
    if (result.outcome === 'unknown' || result.outcome === 'unavailable') {
      return logger.warn({ disputeId, reason: result.reason }, 'a provider may not have got a defence yet')
    }
    const refusal = result.outcome === 'refused' ? result.reason.slice(0, REFUSAL_MAX) : null
    if (refusal !== null) logger.error({ disputeId, reason: refusal }, 'a provider did not take a defence')
    await transact((tx) => tx.disputes.updateDefenseTold(dispute, refusal, clock.now()))
  }

  return {
    sendDefenses: {
      /** Tells providers of one batch of defences. Answers how many; what was not answered is due a minute later. */
      async runOnce(): Promise<number> {
        const now = clock.now()
        const retryBefore = new Date(now.getTime() - RETRY_MS)
        const rows = await transact((tx) => tx.disputes.claimUntoldDefenses(BATCH_MAX, { now, retryBefore }))
        await eachApart(rows, tell, 'defences could not be passed on')
        return rows.length
      },
    },
  }
}
