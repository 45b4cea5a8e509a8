import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import { isLockTimeout } from '../../db/errors.ts'
import { type HeldBooks, withoutHeldBooks } from '../../db/held-books.ts'
import { saoPauloDate } from '../../domain/calendar.ts'
import { add, allocate, subtract, ZERO } from '../../domain/money.ts'
import { paymentSettled } from '../../domain/transfers.ts'
import type { NewId } from '../../ids.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import { type Booking, heldTransfer, holdEvents, holdOf, postAll } from './payments.booking.ts'
import type { Payment } from './payments.repository.ts'
import type { Settlement, SettlementKey } from './settlements.repository.ts'

const BATCH_MAX = 100
const IMPATIENT = { patient: false }

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

/** A waiting part's date came. Its reserve is held by the terms that its payment was made with. */
const bookSettled = (row: Payment, part: Settlement, now: Date, newId: NewId): Booking => {
  const netAmount = subtract(part.amount, part.canceledAmount)
  const feeAmount = allocate(row.feeAmount, row.method === 'credit_card' ? row.installments : 1)[part.installment - 1]
  // Of a part that refunds and disputes emptied nothing becomes available.
  const status = netAmount > 0 || part.amount === 0 ? 'available' : 'canceled'
  const settlement: Settlement = { ...part, status, settledAt: now, updatedAt: now }
  const paidOver = row.method === 'credit_card' ? (feeAmount ?? ZERO) : ZERO
  const moves = netAmount > 0 || paidOver > 0
  const terms = { sellerId: row.sellerId, settlementId: part.id, method: row.method }
  const settled = moves ? [paymentSettled({ ...terms, netAmount, feeAmount: paidOver })] : []
  const hold = holdOf(row, netAmount, now, newId)
  return {
    row,
    settlements: [settlement],
    transfers: [...settled, ...(hold ? [heldTransfer(hold)] : [])],
    holds: hold ? [hold] : [],
  }
}

type Dependencies = {
  read: Pick<Reads, 'settlements'>
  transact: Transact
  clock: Clock
  newId: NewId
  heldBooks: HeldBooks
  logger: Pick<FastifyBaseLogger, 'error'>
}

const paymentKeyOf = ({ sellerId, paymentId }: Pick<SettlementKey, 'sellerId' | 'paymentId'>) =>
  `${sellerId}/${paymentId}`

/**
 * Moves parts whose date has come from `pending` to `available`, and holds back the reserve of each. What refunds and
 * disputes took out of a part stays out of it.
 */
export const createSettlePayments = ({ read, transact, clock, newId, heldBooks, logger }: Dependencies) => {
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
    await tx.settlements.moveMany(
      bookings.flatMap(({ settlements }) => settlements).map((row) => ({ from: 'waiting', row })),
    )
    const changed = [...payments.values()].filter(({ updatedAt }) => updatedAt === now)
    await tx.payments.moveMany(changed.map((row) => ({ from: row.status, row })))
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
        settled += await transact((tx) => settle(tx, [part]), IMPATIENT)
      } catch (error) {
        if (isLockTimeout(error)) throw error
        logger.error({ settlementId: part.id, err: error }, 'a settlement was not booked')
      }
    }
    return settled
  }

  const settleTogether = async (due: readonly SettlementKey[]): Promise<number> => {
    try {
      return await transact((tx) => settle(tx, due), IMPATIENT)
    } catch (error) {
      if (isLockTimeout(error)) throw error
      logger.error({ err: error }, 'a batch of settlements was not booked: each is tried alone')
      return settleAlone(due)
    }
  }

  return {
    /** One batch of parts that are due. Answers how many became available. */
    async runOnce(): Promise<number> {
      const due = await read.settlements.listDue(saoPauloDate(clock.now()), BATCH_MAX)
      return withoutHeldBooks(heldBooks, due, settleTogether)
    },
  }
}
