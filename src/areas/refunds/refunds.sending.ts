import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import { invariant } from '../../domain/invariant.ts'
import { eachApart } from '../../each-apart.ts'
import { CANNOT_TELL, type GuardedProvider } from '../../providers/guarded-provider.ts'
import type { RefundRequest, RefundState } from '../../providers/provider.port.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Reads, Transact } from '../../repositories.ts'
import type { ApplyRefundNews } from './refunds.outcome.ts'
import type { Refund } from './refunds.repository.ts'

const BATCH_MAX = 20
/** A refund that is out for longer without an outcome is worth a person's look. */
const ALERT_AFTER_MS = 24 * 3_600_000

type Dependencies = {
  read: Pick<Reads, 'payments' | 'providerReferences'>
  transact: Transact
  providers: ProviderRegistry
  clock: Clock
  logger: Pick<FastifyBaseLogger, 'error' | 'warn'>
  applyNews: ApplyRefundNews
}

type Refunds = NonNullable<GuardedProvider['refunds']>

// What failed is still `processing`, so it is asked about.
const FAILED = 'outcomes of refunds could not be written'

/** The jobs that return money to payers: one sends, the other asks about what was sent and not answered. */
export const createRefundSending = ({ read, transact, providers, clock, logger, applyNews }: Dependencies) => {
  const requestOf = async ({ sellerId, id, paymentId, amount, reason, provider }: Refund): Promise<RefundRequest> => {
    const payment = await read.payments.find(sellerId, paymentId)
    invariant(payment !== undefined, 'the payment of a refund vanished, though none is ever deleted')
    const owner = { sellerId, resourceId: paymentId }
    const reference = await read.providerReferences.findByResource(provider, 'charge', owner)
    const { pixEndToEndId: endToEndId } = payment
    return { refundId: id, sellerId, charge: { paymentId, reference }, endToEndId, amount, reason }
  }

  const write = async (row: Refund, state: RefundState, reference: string | null): Promise<void> => {
    const { sellerId, id, provider } = row
    await transact(async (tx) => {
      if (reference !== null) {
        await tx.providerReferences.insertMany([{ provider, kind: 'refund', reference, sellerId, resourceId: id }])
      }
      await applyNews(tx, [{ sellerId, id, state }], clock.now())
    })
  }

  // The refund's id is the provider's key, so sending it again cannot refund twice. Unknown is not failed: it stays out.
  const send = async (refunds: Refunds, row: Refund): Promise<void> => {
    const result = await refunds.create(await requestOf(row))
    if (result.outcome === 'accepted') await write(row, result.refund.state, result.refund.reference)
    else if (result.outcome === 'refused') await write(row, { status: 'failed', reason: result.reason }, null)
    else logger.warn({ refundId: row.id, reason: result.reason }, 'the outcome of a refund is not known yet')
  }

  const withProvider = async (row: Refund, work: (refunds: Refunds) => Promise<void>): Promise<void> => {
    const provider = providers.find(row.provider)
    if (provider?.refunds === undefined) {
      logger.error({ refundId: row.id, provider: row.provider }, 'the provider of a refund is not configured')
    } else await work(provider.refunds)
  }

  const ask = async (refunds: Refunds, row: Refund): Promise<void> => {
    const outForMs = clock.now().getTime() - row.createdAt.getTime()
    if (outForMs > ALERT_AFTER_MS) logger.warn({ refundId: row.id, outForMs }, 'a refund has no outcome for long')
    const { refundId, endToEndId } = await requestOf(row)
    const found = await refunds.get({ refundId, endToEndId })
    if (found.outcome === 'found') return write(row, found.refund.state, found.refund.reference)
    const isToBeSent = found.outcome === 'missing' || found.reason === CANNOT_TELL
    if (isToBeSent) await send(refunds, row)
  }

  return {
    sendRefunds: {
      /** Sends one batch of accepted refunds. Answers how many. */
      async runOnce(): Promise<number> {
        const rows = await transact((tx) => tx.refunds.claimUnsent(BATCH_MAX, clock.now()))
        await eachApart(rows, (row) => withProvider(row, (refunds) => send(refunds, row)), FAILED)
        return rows.length
      },
    },

    reconcileRefunds: {
      /** Asks once about a batch of refunds without an outcome. Answers how many; the same ones are due much later. */
      async runOnce(): Promise<number> {
        const rows = await transact((tx) => tx.refunds.claimUnanswered(BATCH_MAX, clock.now()))
        await eachApart(rows, (row) => withProvider(row, (refunds) => ask(refunds, row)), FAILED)
        return rows.length
      },
    },
  }
}
