import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import { invariant } from '../../domain/invariant.ts'
import { subtract, ZERO } from '../../domain/money.ts'
import { payerRefundCompleted, payerRefundFailed } from '../../domain/platform-transfers.ts'
import { eachApart } from '../../each-apart.ts'
import { unbookedRefundId } from '../../providers/pix/pix.ids.ts'
import type { RefundState } from '../../providers/provider.port.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Repositories, Transact } from '../../repositories.ts'
import type { PayerRefund } from './payer-refunds.repository.ts'
import { exceptionEvents } from './reconciliation.events.ts'

const BATCH_MAX = 20
const REASON_MAX = 200

type Dependencies = {
  transact: Transact
  providers: Pick<ProviderRegistry, 'find'>
  clock: Clock
  logger: Pick<FastifyBaseLogger, 'error' | 'warn'>
}

// What could not be given back is to be decided about again.
const reopen = async (tx: Repositories, { exceptionId, amount }: PayerRefund, now: Date): Promise<void> => {
  const before = await tx.reconciliation.lockException(exceptionId)
  invariant(before !== undefined, 'the exception of a refund vanished, though none is ever deleted')
  const correctedAmount = subtract(before.correctedAmount ?? ZERO, amount)
  if (before.status === 'open') {
    return tx.reconciliation.moveException('open', { ...before, correctedAmount, updatedAt: now })
  }
  const nobody = { resolution: null, reason: null, resolvedBy: null, approvedBy: null, resolvedAt: null }
  const reopenedCount = before.reopenedCount + 1
  const after = { ...before, ...nobody, status: 'open' as const, correctedAmount, reopenedCount, updatedAt: now }
  await tx.reconciliation.moveException('resolved', after)
  await tx.events.add(exceptionEvents(after), now)
}

const end = async (
  tx: Repositories,
  { id, amount }: PayerRefund,
  { state, reference, now }: { state: RefundState; reference: string | null; now: Date },
): Promise<void> => {
  if (state.status === 'processing') return
  const isBack = state.status === 'completed'
  const statusReason = isBack ? null : (state.reason?.slice(0, REASON_MAX) ?? null)
  const changes = { reference, statusReason, completedAt: isBack ? now : null, updatedAt: now }
  const moved = await tx.reconciliation.movePayerRefund(id, state.status, changes)
  if (moved === undefined) return
  if (!isBack) await reopen(tx, moved, now)
  await tx.ledger.lockPlatformBook()
  const ended = (isBack ? payerRefundCompleted : payerRefundFailed)({ payerRefundId: id, amount })
  const [outcome] = await tx.ledger.post([ended], now)
  invariant(outcome?.posted, 'the end of a refund of a payer could not be booked')
}

/** The job that gives payers back what came in for nothing. */
export const createPayerRefunds = ({ transact, providers, clock, logger }: Dependencies) => {
  // The same id each time, so that asking again is asking about it.
  const send = async (row: PayerRefund): Promise<void> => {
    const { id, provider, endToEndId, chargeReference, amount, paymentId, sellerId } = row
    const refunds = providers.find(provider)?.refunds
    if (refunds === undefined)
      return logger.error({ payerRefundId: id, provider }, 'this provider gives no refunds any more')
    const charge = { paymentId: paymentId ?? id, reference: chargeReference }
    const refundId = unbookedRefundId(id)
    const result = await refunds.create({
      refundId,
      sellerId: sellerId ?? '',
      charge,
      endToEndId,
      amount,
      reason: null,
    })
    if (result.outcome === 'accepted') {
      const { state, reference } = result.refund
      await transact((tx) => end(tx, row, { state, reference, now: clock.now() }))
    } else if (result.outcome === 'refused') {
      logger.warn({ payerRefundId: id, reason: result.reason }, 'a payer could not be given money back')
      const state = { status: 'failed' as const, reason: result.reason }
      await transact((tx) => end(tx, row, { state, reference: null, now: clock.now() }))
    }
  }

  return {
    refundPayers: {
      /** Asks once about one batch. Answers how many; those without an outcome are asked about a minute later. */
      async runOnce(): Promise<number> {
        const rows = await transact((tx) => tx.reconciliation.claimPayerRefunds(BATCH_MAX, clock.now()))
        await eachApart(rows, send, 'outcomes of refunds to payers could not be written')
        return rows.length
      },
    },
  }
}
