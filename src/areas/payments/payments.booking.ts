import { type HolidayOverrides, saoPauloDate } from '../../domain/calendar.ts'
import { paymentFee } from '../../domain/fees.ts'
import { settlementSchedule } from '../../domain/installments.ts'
import { invariant } from '../../domain/invariant.ts'
import { allocate, bps, type Centavos, subtract, ZERO } from '../../domain/money.ts'
import { reserveFor, reserveReleaseAt } from '../../domain/reserve.ts'
import { paymentReceived, paymentSettled, reserveHeld, type Transfer } from '../../domain/transfers.ts'
import type { NewId } from '../../ids.ts'
import type { Repositories } from '../../repositories.ts'
import type { Payment } from './payments.repository.ts'
import type { Settlement } from './settlements.repository.ts'

/** Money of a payment held back, as the reserves keep it. */
export type NewHold = {
  sellerId: string
  id: string
  paymentId: string
  amount: Centavos
  releasedAmount: Centavos
  consumedAmount: Centavos
  status: 'held'
  heldAt: Date
  releaseAt: Date
  createdAt: Date
  updatedAt: Date
}

/** What becoming paid, or available, does to the books. Transfers are in the order in which they must be posted. */
export type Booking = { row: Payment; settlements: Settlement[]; transfers: Transfer[]; holds: NewHold[] }

const holdOf = (row: Payment, netAmount: Centavos, now: Date, newId: NewId): NewHold | undefined => {
  const amount = reserveFor(netAmount, bps(row.reservePercentage))
  if (amount === 0) return undefined
  return {
    sellerId: row.sellerId,
    id: newId(),
    paymentId: row.id,
    amount,
    releasedAmount: ZERO,
    consumedAmount: ZERO,
    status: 'held',
    heldAt: now,
    releaseAt: reserveReleaseAt(now, row.reserveDays),
    createdAt: now,
    updatedAt: now,
  }
}

const heldTransfer = ({ sellerId, id, amount }: NewHold): Transfer => reserveHeld({ sellerId, holdId: id, amount })

/** `holidays` is what administrators said about single dates up to this moment. */
export type BookingContext = { now: Date; newId: NewId; holidays: HolidayOverrides }

/** Whether money comes later than its payment, so that the calendar of banks decides when. */
export const settlesLater = ({ method, settlementDays }: Pick<Payment, 'method' | 'settlementDays'>): boolean =>
  method !== 'pix' || settlementDays > 0

/**
 * A payment was paid: its fee by the terms it was made with, its net in parts by date, and where a part is available
 * at once, the reserve that is held back of it.
 */
export const bookPaid = (paid: Payment, { now, newId, holidays }: BookingContext): Booking => {
  const feeAmount = paymentFee(paid.paidAmount, {
    percentage: bps(paid.feePercentage),
    fixedAmount: paid.feeFixedAmount,
    minAmount: paid.feeMinAmount,
    maxAmount: paid.feeMaxAmount,
  })
  const netAmount = subtract(paid.paidAmount, feeAmount)
  const { sellerId, id: paymentId, method, installments, settlementDays } = paid
  const terms = { method, netAmount, installments, settlementDays, holidays }
  const parts = settlementSchedule({ ...terms, paidAt: now })
  const today = saoPauloDate(now)
  // Cards always wait for the acquirer.
  const atOnce = method !== 'credit_card' && parts.every(({ availableOn }) => availableOn <= today)
  const settlements = parts.map(({ installment, amount, availableOn }): Settlement => {
    const status = atOnce ? 'available' : 'waiting'
    const dates = { settledAt: atOnce ? now : null, createdAt: now, updatedAt: now }
    return {
      sellerId,
      id: newId(),
      paymentId,
      installment,
      amount,
      canceledAmount: ZERO,
      availableOn,
      status,
      ...dates,
    }
  })
  const grossAmount = paid.paidAmount
  const received = paymentReceived({ sellerId, paymentId, method, grossAmount, feeAmount, settlesLater: !atOnce })
  const hold = atOnce ? holdOf(paid, netAmount, now, newId) : undefined
  const row = { ...paid, feeAmount, netAmount, reserveAmount: hold?.amount ?? ZERO }
  return { row, settlements, transfers: [received, ...(hold ? [heldTransfer(hold)] : [])], holds: hold ? [hold] : [] }
}

/** A waiting part's date came. Its reserve is held by the terms that its payment was made with. */
export const bookSettled = (row: Payment, part: Settlement, now: Date, newId: NewId): Booking => {
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

/** Posts the transfers of bookings, last in their transaction: from here on the sellers' books are locked. */
export const postAll = async (tx: Pick<Repositories, 'ledger'>, bookings: readonly Booking[], now: Date) => {
  const outcomes = await tx.ledger.post(
    bookings.flatMap(({ transfers }) => transfers),
    now,
  )
  // Money comes in here, or moves within what just came in: the books have no reason to refuse it.
  invariant(
    outcomes.every(({ posted }) => posted),
    'money that a payment brought was not booked',
  )
}
