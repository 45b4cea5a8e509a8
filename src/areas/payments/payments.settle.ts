import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import { saoPauloDate } from '../../domain/calendar.ts'
import { add } from '../../domain/money.ts'
import type { NewId } from '../../ids.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import { holdEvents } from './payments.apply.ts'
import { type Booking, bookSettled, postAll } from './payments.booking.ts'
import type { Payment } from './payments.repository.ts'
import type { Settlement, SettlementKey } from './settlements.repository.ts'

const BATCH_MAX = 100

/** A part that has become available: the data of `balance.settled`. */
export const settlementEventData = (part: Settlement, reserveAmount: number) => ({
  id: part.id,
  sellerId: part.sellerId,
  paymentId: part.paymentId,
  installment: part.installment,
  amount: part.amount - part.canceledAmount,
  reserveAmount,
  availableOn: part.availableOn,
  settledAt: part.settledAt?.toISOString() ?? null,
})

type Dependencies = {
  read: Pick<Reads, 'settlements'>
  transact: Transact
  clock: Clock
  newId: NewId
  logger: Pick<FastifyBaseLogger, 'error'>
}

const paymentKeyOf = ({ sellerId, paymentId }: Pick<SettlementKey, 'sellerId' | 'paymentId'>) =>
  `${sellerId}/${paymentId}`

/**
 * Moves parts whose date has come from `pending` to `available`, and holds back the reserve of each. What refunds and
 * disputes took out of a part stays out of it.
 */
export const createSettlePayments = ({ read, transact, clock, newId, logger }: Dependencies) => {
  const settle = async (tx: Repositories, due: readonly SettlementKey[]): Promise<number> => {
    const now = clock.now()
    const keys = due.map(({ sellerId, paymentId }) => ({ sellerId, id: paymentId }))
    // Payments first, as everywhere. A busy one is left for the next run.
    const locked = await tx.payments.lockMany(keys, { skipLocked: true })
    const payments = new Map<string, Payment>(locked.map((row) => [`${row.sellerId}/${row.id}`, row]))
    const mine = due.filter((part) => payments.has(paymentKeyOf(part)))
    const parts = await tx.settlements.lockWaiting(mine.map(({ id }) => id))
    const bookings = parts.flatMap((part): Booking[] => {
      const row = payments.get(paymentKeyOf(part))
      if (row === undefined) return []
      const booking = bookSettled(row, part, now, newId)
      const held = booking.holds.map(({ amount }) => amount)
      payments.set(paymentKeyOf(part), { ...row, reserveAmount: add(row.reserveAmount, ...held), updatedAt: now })
      return [booking]
    })
    await tx.settlements.updateMany(bookings.flatMap(({ settlements }) => settlements))
    await tx.payments.updateMany([...payments.values()].filter(({ updatedAt }) => updatedAt === now))
    await tx.reserveHolds.insert(bookings.flatMap(({ holds }) => holds))
    await tx.events.add(bookings.flatMap(eventsOf), now)
    await postAll(tx, bookings, now)
    return bookings.length
  }

  const eventsOf = (booking: Booking) => [
    ...booking.settlements
      .filter(({ status }) => status === 'available')
      .map((part) => ({
        type: 'balance.settled' as const,
        sellerId: part.sellerId,
        data: settlementEventData(part, add(...booking.holds.map(({ amount }) => amount))),
      })),
    ...holdEvents(booking),
  ]

  // One part that the books refuse must not keep the money of the others waiting.
  const settleAlone = async (due: readonly SettlementKey[]): Promise<number> => {
    let settled = 0
    for (const part of due) {
      try {
        settled += await transact((tx) => settle(tx, [part]))
      } catch (error) {
        logger.error({ settlementId: part.id, err: error }, 'a settlement was not booked')
      }
    }
    return settled
  }

  return {
    /** One batch of parts that are due. Answers how many became available. */
    async runOnce(): Promise<number> {
      const due = await read.settlements.listDue(saoPauloDate(clock.now()), BATCH_MAX)
      if (due.length === 0) return 0
      try {
        return await transact((tx) => settle(tx, due))
      } catch (error) {
        logger.error({ err: error }, 'a batch of settlements was not booked: each is tried alone')
        return settleAlone(due)
      }
    },
  }
}
