import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import { unbookedRefundId } from '../../providers/pix/pix.ids.ts'
import type { RefundResult } from '../../providers/provider.port.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Transact } from '../../repositories.ts'
import type { ReceivedPix } from './received-pix.repository.ts'

const BATCH_MAX = 20

type Dependencies = {
  transact: Transact
  providers: Pick<ProviderRegistry, 'find'>
  clock: Clock
  logger: Pick<FastifyBaseLogger, 'error' | 'warn'>
}

/** Where it stands by what the provider answered; undefined: nobody knows yet, or it is under way. */
const changeOf = (result: RefundResult) => {
  if (result.outcome === 'refused') return { to: 'open' as const, reason: 'refund_refused' }
  if (result.outcome !== 'accepted' || result.refund.state.status === 'processing') return undefined
  return result.refund.state.status === 'completed'
    ? { to: 'refunded' as const }
    : { to: 'open' as const, reason: 'refund_failed' }
}

/** The job that sends money back to its payers which became no payment. */
export const createReceivedPixRefunding = ({ transact, providers, clock, logger }: Dependencies) => {
  // The same id each time, so that asking again is asking about it.
  const send = async (row: ReceivedPix): Promise<void> => {
    const { provider, endToEndId, amount, sellerId } = row
    const refunds = providers.find(provider)?.refunds
    if (refunds === undefined) return logger.error({ endToEndId, provider }, 'the provider of a Pix is not configured')
    const refundId = unbookedRefundId(row.id)
    const charge = { paymentId: row.paymentId ?? row.id, reference: row.txid }
    const request = { refundId, sellerId: sellerId ?? '', charge, endToEndId, amount, reason: null }
    const result = await refunds.create(request)
    const change = changeOf(result)
    if (change === undefined) return
    if (change.to === 'open') logger.warn({ endToEndId, reason: change.reason }, 'a Pix could not be sent back')
    await transact((tx) => tx.receivedPix.move(row, { from: 'refunding', ...change, updatedAt: clock.now() }))
  }

  return {
    refundReceivedPix: {
      /** Asks once about one batch. Answers how many; those under way are asked about a minute later. */
      async runOnce(): Promise<number> {
        const rows = await transact((tx) => tx.receivedPix.claimRefunding(BATCH_MAX, clock.now()))
        for (const row of rows) await send(row)
        return rows.length
      },
    },
  }
}
