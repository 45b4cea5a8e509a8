import { drawFrom, holdSources, partSources, totalOf } from '../../domain/draws.ts'
import { invariant } from '../../domain/invariant.ts'
import type { Centavos } from '../../domain/money.ts'
import type { Repositories } from '../../repositories.ts'
import type { Payment } from '../payments/payments.repository.ts'

/** Takes an amount out of a locked payment's waiting parts, then its holds. What they do not have is the rest. */
export const draw = async (tx: Repositories, { sellerId, id }: Payment, amount: Centavos, now: Date) => {
  const fromParts = drawFrom(amount, partSources(await tx.settlements.listWaiting(sellerId, id)))
  await tx.settlements.cancel(sellerId, fromParts.draws, now)
  const fromHolds = drawFrom(fromParts.restAmount, holdSources(await tx.reserveHolds.lockByPayment(sellerId, id)))
  for (const hold of fromHolds.draws) {
    const taken = await tx.reserveHolds.consume(sellerId, hold.id, hold.amount, now)
    invariant(taken, 'a locked hold was released by someone else')
  }
  return {
    draws: { settlements: fromParts.draws, holds: fromHolds.draws },
    fromPendingAmount: totalOf(fromParts.draws),
    fromReservedAmount: totalOf(fromHolds.draws),
    fromAvailableAmount: fromHolds.restAmount,
  }
}
