import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import { REMINDER_MS } from '../../domain/dispute.ts'
import { invariant } from '../../domain/invariant.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import { applyChanges, disputeEvent, loseDispute } from './disputes.outcome.ts'
import type { Dispute } from './disputes.queries.ts'

const BATCH_MAX = 50

type Dependencies = {
  read: Pick<Reads, 'disputes'>
  transact: Transact
  clock: Clock
  logger: Pick<FastifyBaseLogger, 'error'>
}

/** What the clock does to disputes that nobody answers: it reminds, and at `respondBy` it gives the payer the money. */
export const createDisputeDeadlines = ({ read, transact, clock, logger }: Dependencies) => {
  // Decided again under the locks: an answer, a verdict or a refund may have come in between.
  const lose = async (tx: Repositories, { sellerId, id, paymentId }: Dispute): Promise<boolean> => {
    const now = clock.now()
    const [payment] = await tx.payments.lockMany([{ sellerId, id: paymentId }])
    invariant(payment !== undefined, 'the payment of a dispute vanished, though none is ever deleted')
    const dispute = (await tx.disputes.lockByPayment(payment)).find((one) => one.id === id)
    if (dispute?.status !== 'open' || dispute.respondBy >= now) return false
    if ((await tx.refunds.sumProcessing(payment)) > 0) return false
    const moved = await tx.disputes.move(dispute, 'lost', { resolvedAt: now, resolvedBy: 'deadline' }, now)
    invariant(moved !== undefined, 'a locked dispute was moved by someone else')
    await applyChanges(tx, [await loseDispute(tx, moved, payment, now)], now)
    return true
  }

  const tryToLose = async (dispute: Dispute): Promise<boolean> => {
    try {
      return await transact((tx) => lose(tx, dispute))
    } catch (error) {
      // The others must not wait for it.
      logger.error({ disputeId: dispute.id, err: error }, 'an unanswered dispute could not be ended')
      return false
    }
  }

  return {
    loseUnansweredDisputes: {
      /** One batch, the longest overdue first. Answers how many were lost. One with a refund on its way waits for it. */
      async runOnce(): Promise<number> {
        const due = await read.disputes.listUnanswered(clock.now(), BATCH_MAX)
        let lost = 0
        for (const dispute of due) if (await tryToLose(dispute)) lost += 1
        return lost
      },
    },

    remindOfDisputes: {
      /** Tells the sellers of one batch, once per dispute, that the time to answer runs out. Answers how many. */
      async runOnce(): Promise<number> {
        return transact(async (tx) => {
          const now = clock.now()
          const until = new Date(now.getTime() + REMINDER_MS)
          const reminded = await tx.disputes.claimForReminder({ now, until }, BATCH_MAX)
          const events = await Promise.all(reminded.map((row) => disputeEvent(tx, 'dispute.deadline_near', row)))
          await tx.events.add(events, now)
          return reminded.length
        })
      },
    },
  }
}
