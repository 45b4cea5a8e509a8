import { NO_OVERRIDES } from '../../domain/calendar.ts'
import type { NewEvent } from '../../events/events.repository.ts'
import type { NewId } from '../../ids.ts'
import type { ChargeState } from '../../providers/provider.port.ts'
import type { Repositories } from '../../repositories.ts'
import type { LinkUrl } from '../payment-links/payment-links.view.ts'
import { reserveHoldView } from '../reserves/reserves.view.ts'
import { type Booking, type BookingContext, bookPaid, postAll, settlesLater } from './payments.booking.ts'
import { countOnLinks, type LinkMove, linkMovesOf } from './payments.links.ts'
import { decideCharge } from './payments.outcome.ts'
import type { Payment, PaymentKey } from './payments.repository.ts'
import { paymentEventData } from './payments.view.ts'

type Tx = Pick<
  Repositories,
  'payments' | 'paymentLinks' | 'settlements' | 'ledger' | 'reserveHolds' | 'events' | 'holidays'
>

/** A word about one payment. `fields` is what its charge adds to it, whatever becomes of the state. */
export type ChargeChange = PaymentKey & { state: ChargeState; fields?: Partial<Payment> }

/** What became of it: the payment as it stands now, or undefined where there is none. */
export type Applied = { changed: boolean; payment: Payment; reason: string | null } | undefined

const keyOf = ({ sellerId, id }: PaymentKey): string => `${sellerId}/${id}`

export type ApplyContext = { now: Date; newId: NewId; linkUrl: LinkUrl }

/** `reserve.held` for each hold of a booking. */
export const holdEvents = ({ holds }: Pick<Booking, 'holds'>): NewEvent[] =>
  holds.map((hold) => ({ type: 'reserve.held' as const, sellerId: hold.sellerId, data: reserveHoldView(hold) }))

// What a batch comes to, gathered while its changes are judged one after the other.
type Gathered = {
  standing: Map<string, Payment>
  touched: Set<string>
  bookings: Booking[]
  linkMoves: LinkMove[]
  events: NewEvent[]
}

const judge = (change: ChargeChange, gathered: Gathered, context: BookingContext): Applied => {
  const { standing, touched, bookings, linkMoves, events } = gathered
  const key = keyOf(change)
  const before = standing.get(key)
  if (before === undefined) return undefined
  const decision = decideCharge({ ...before, ...change.fields }, change.state, context.now)
  if (!decision.changed) {
    standing.set(key, decision.row)
    if (change.fields) touched.add(key)
    return { changed: false, payment: decision.row, reason: decision.reason }
  }
  const booking = decision.paid ? bookPaid(decision.row, context) : undefined
  const payment = booking?.row ?? decision.row
  standing.set(key, payment)
  touched.add(key)
  linkMoves.push(...linkMovesOf(before, payment))
  events.push({ type: decision.event, sellerId: payment.sellerId, data: paymentEventData(payment) })
  if (booking) {
    bookings.push(booking)
    events.push(...holdEvents(booking))
  }
  return { changed: true, payment, reason: null }
}

/**
 * Applies what providers say to their payments: one transaction for up to a hundred of them, each judged on its own,
 * in the order given. A confirmation moves the payment, books the money and writes the events together.
 */
export const applyCharges = async (
  tx: Tx,
  changes: readonly ChargeChange[],
  context: ApplyContext,
): Promise<Applied[]> => {
  const { now } = context
  const locked = await tx.payments.lockMany(changes)
  const standing = new Map(locked.map((row) => [keyOf(row), row]))
  const gathered: Gathered = { standing, touched: new Set(), bookings: [], linkMoves: [], events: [] }
  // A Pix that is available at once, which most payments are, needs no calendar.
  const holidays = locked.some(settlesLater) ? await tx.holidays.findOverrides() : NO_OVERRIDES
  const applied = changes.map((change) => judge(change, gathered, { ...context, holidays }))
  const { touched, bookings, linkMoves, events } = gathered
  const linkEvents = await countOnLinks(tx, linkMoves, context)
  await Promise.all([
    tx.payments.updateMany([...touched].flatMap((key) => standing.get(key) ?? [])),
    tx.settlements.insertMany(bookings.flatMap(({ settlements }) => settlements)),
    tx.reserveHolds.insert(bookings.flatMap(({ holds }) => holds)),
    tx.events.add([...events, ...linkEvents], now),
  ])
  await postAll(tx, bookings, now)
  return applied
}
