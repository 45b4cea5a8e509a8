import { canMovePayment, type PaymentStatus } from '../../domain/payment.ts'
import type { EventType } from '../../events/event-types.ts'
import type { Charge, ChargeState } from '../../providers/provider.port.ts'
import type { Payment } from './payments.repository.ts'

/** What a word of the provider means for a payment: a change, or a reason why there is none. */
export type Decision =
  | { changed: true; row: Payment; event: EventType; paid: boolean }
  | { changed: false; row: Payment; reason: string }

const unchanged = (row: Payment, reason: string): Decision => ({ changed: false, row, reason })

// A final answer settles what the token was for. Until then a charge that never arrived may have to be asked for again.
const moved = (row: Payment, changes: Partial<Payment>, event: EventType, paid = false): Decision => {
  const cardToken = changes.status === 'processing' ? row.cardToken : null
  return { changed: true, row: { ...row, cardToken, ...changes }, event, paid }
}

/** Something is still to come; the payment's status says what. */
const WAITING_EVENT: EventType = 'payment.pending'

type Paid = Extract<ChargeState, { status: 'paid' }>

const isPaidOnce = (status: PaymentStatus): boolean =>
  ['paid', 'partially_refunded', 'refunded', 'in_dispute', 'charged_back'].includes(status)

const paidBefore = (row: Payment, { endToEndId }: Paid): Decision => {
  const again = endToEndId !== null && row.pixEndToEndId !== null && endToEndId !== row.pixEndToEndId
  return unchanged(row, again ? 'paid_again' : 'already_paid')
}

// Not the sale that was asked for: the money waits at the provider to be sent back, and nothing is booked.
const underpaid = (row: Payment, { paidAmount, endToEndId }: Paid, now: Date): Decision => {
  if (row.paidAmount === paidAmount && row.statusReason === 'underpaid') return unchanged(row, 'already_underpaid')
  const status = row.status === 'created' ? 'pending' : row.status
  const changes = { status, statusReason: 'underpaid', paidAmount, pixEndToEndId: endToEndId, updatedAt: now }
  return moved(row, changes, WAITING_EVENT)
}

const confirmed = (row: Payment, state: Paid, now: Date): Decision => {
  const { paidAmount, endToEndId } = state
  if (isPaidOnce(row.status)) return paidBefore(row, state)
  if (!canMovePayment(row.status, 'paid')) return unchanged(row, `payment_${row.status}`)
  if (paidAmount < row.amount) return underpaid(row, state, now)
  const changes = { status: 'paid' as const, statusReason: null, paidAmount, paidAt: now, updatedAt: now }
  return moved(row, { ...changes, pixEndToEndId: endToEndId ?? row.pixEndToEndId }, 'payment.paid', true)
}

/** How long an authorization that nobody captures is kept. */
const AUTHORIZATION_DAYS = 5
const DAY_MS = 86_400_000

const authorized = (row: Payment, now: Date): Decision =>
  moved(
    row,
    { status: 'authorized', expiresAt: new Date(now.getTime() + AUTHORIZATION_DAYS * DAY_MS), updatedAt: now },
    WAITING_EVENT,
  )

/**
 * Judges a charge's state against a payment. Words of a provider come late, twice and in any order, so whatever the
 * lifecycle does not allow changes nothing, and less money than was asked for never counts as paid.
 */
export const decideCharge = (row: Payment, state: ChargeState, now: Date): Decision => {
  if (state.status === 'paid') return confirmed(row, state, now)
  if (state.status === row.status) return unchanged(row, `already_${row.status}`)
  if (!canMovePayment(row.status, state.status)) return unchanged(row, `payment_${row.status}`)
  if (state.status === 'authorized') return authorized(row, now)
  if (state.status === 'failed' || state.status === 'canceled' || state.status === 'expired') {
    const { status } = state
    // What was paid too little stays marked: somebody must send it back.
    const statusReason = row.statusReason === 'underpaid' ? row.statusReason : state.reason
    const canceledAt = status === 'canceled' ? now : row.canceledAt
    return moved(row, { status, statusReason, canceledAt, updatedAt: now }, `payment.${status}`)
  }
  return moved(row, { status: state.status, updatedAt: now }, WAITING_EVENT)
}

/** What the payment keeps of its charge at the provider. */
export const chargeFields = ({ pix, boleto, card }: Pick<Charge, 'pix' | 'boleto' | 'card'>): Partial<Payment> => ({
  ...(pix ? { pixQrCode: pix.qrCode } : {}),
  ...(boleto ? { boletoLine: boleto.line, boletoBarcode: boleto.barcode, boletoPdfUrl: boleto.pdfUrl } : {}),
  ...(card
    ? {
        cardBrand: card.brand,
        cardLast4: card.last4,
        cardExpMonth: card.expMonth,
        cardExpYear: card.expYear,
        cardAuthorizationCode: card.authorizationCode,
      }
    : {}),
})
