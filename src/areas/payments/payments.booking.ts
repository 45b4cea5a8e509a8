import type { HolidayOverrides } from '../../domain/calendar.ts'
import { invariant } from '../../domain/invariant.ts'
import { bps, type Centavos, ZERO } from '../../domain/money.ts'
import type { PaymentMethod } from '../../domain/payment.ts'
import type { ProviderCost } from '../../domain/provider-cost.ts'
import { reserveFor, reserveReleaseAt } from '../../domain/reserve.ts'
import { reserveHeld, type Transfer } from '../../domain/transfers.ts'
import type { NewEvent } from '../../events/events.repository.ts'
import type { NewId } from '../../ids.ts'
import type { Repositories } from '../../repositories.ts'
import { reserveHoldView } from '../reserves/reserves.view.ts'
import type { Payment } from './payments.repository.ts'
import type { Settlement } from './settlements.repository.ts'

/** Whether money comes later than its payment, so that the calendar of banks decides when. */
export const settlesLater = ({ method, settlementDays }: Pick<Payment, 'method' | 'settlementDays'>): boolean =>
  method !== 'pix' || settlementDays > 0

/** Money of a payment held back, as the reserves keep it. */
export type NewHold = {
  sellerId: string
  id: string
  paymentId: string
  method: PaymentMethod
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

/** The reserve that is held back of money that becomes available, by the terms that its payment was made with. */
export const holdOf = (row: Payment, netAmount: Centavos, now: Date, newId: NewId): NewHold | undefined => {
  const amount = reserveFor(netAmount, bps(row.reservePercentage))
  if (amount === 0) return undefined
  return {
    sellerId: row.sellerId,
    id: newId(),
    paymentId: row.id,
    method: row.method,
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

export const heldTransfer = ({ sellerId, id, method, amount }: NewHold): Transfer =>
  reserveHeld({ sellerId, holdId: id, method, amount })

/** `holidays` is what administrators said about single dates up to this moment, `costs` what providers charge. */
export type BookingContext = {
  now: Date
  newId: NewId
  holidays: HolidayOverrides
  costs: readonly ProviderCost[]
}

/** `reserve.held` for each hold of a booking. */
export const holdEvents = ({ holds }: Pick<Booking, 'holds'>): NewEvent[] =>
  holds.map((hold) => ({ type: 'reserve.held' as const, sellerId: hold.sellerId, data: reserveHoldView(hold) }))

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
