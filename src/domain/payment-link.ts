import { lifecycle } from './lifecycle.ts'
import { add, allocate, type Centavos, ZERO } from './money.ts'
import type { PaymentMethod, PaymentStatus } from './payment.ts'

export const PAYMENT_LINK_STATUSES = ['active', 'inactive', 'expired', 'completed', 'deleted'] as const
export type PaymentLinkStatus = (typeof PAYMENT_LINK_STATUSES)[number]

/** An expired or completed link takes payments again only after an edit of its limit. A late payment may complete one. */
export const paymentLinkLifecycle = lifecycle<PaymentLinkStatus>('link', {
  active: ['inactive', 'expired', 'completed', 'deleted'],
  inactive: ['active', 'expired', 'completed', 'deleted'],
  expired: ['active', 'inactive', 'completed', 'deleted'],
  completed: ['active', 'inactive', 'expired', 'deleted'],
  deleted: [],
})

/** What a link counts. */
export type LinkCounts = {
  status: PaymentLinkStatus
  /** Null: any number of payments, and slots are not counted. */
  maxPayments: number | null
  /** Payments that are paid or may still be. */
  reservedSlots: number
  /** Slots beyond the limit: payments confirmed after theirs was given to somebody else. */
  excessSlots: number
  /** Payments that were paid, whatever was refunded later. */
  paymentsCount: number
  paidAmount: Centavos
}

/** What a payer is offered. */
export type LinkTerms = LinkCounts & {
  /** Null: the payer chooses, within the bounds. */
  amount: Centavos | null
  minAmount: Centavos | null
  maxAmount: Centavos | null
  methods: readonly PaymentMethod[]
  maxInstallments: number
  expiresAt: Date | null
}

/** Where a link stands at an instant: its time is up from `expiresAt` on, whether or not anybody has written that down. */
export const linkStatusAt = (
  { status, expiresAt }: Pick<LinkTerms, 'status' | 'expiresAt'>,
  now: Date,
): PaymentLinkStatus => {
  const isOpen = status === 'active' || status === 'inactive'
  return isOpen && expiresAt !== null && expiresAt <= now ? 'expired' : status
}

/** What a payer asks of a link. */
export type LinkRequest = { method: PaymentMethod; amount: Centavos; installments: number }

export type LinkFault = { path: 'method' | 'amount' | 'installments'; code: string; message: string }
export type LinkRefusal =
  | { because: Exclude<PaymentLinkStatus, 'active'> | 'slots_taken' | 'amount_changed' }
  | { because: 'faults'; faults: LinkFault[] }

const amountFaults = ({ amount, minAmount, maxAmount }: LinkTerms, asked: Centavos): LinkFault[] => {
  if (amount !== null) return []
  const path = 'amount' as const
  if (minAmount !== null && asked < minAmount) {
    return [{ path, code: 'too_small', message: `must be at least ${minAmount}` }]
  }
  return maxAmount !== null && asked > maxAmount
    ? [{ path, code: 'too_big', message: `must be at most ${maxAmount}` }]
    : []
}

/** In how many installments at most an amount can be paid: each is of a centavo at least. */
const installmentsMax = (maxInstallments: number, amount: Centavos): number => Math.min(maxInstallments, amount)

const faultsOf = (link: LinkTerms, { method, amount, installments }: LinkRequest): LinkFault[] => {
  const faults = amountFaults(link, amount)
  if (!link.methods.includes(method)) {
    faults.push({ path: 'method', code: 'not_offered', message: `is not offered: ${link.methods.join(', ')}` })
  }
  const max = installmentsMax(link.maxInstallments, amount)
  if (installments > max) faults.push({ path: 'installments', code: 'too_big', message: `must be at most ${max}` })
  return faults
}

/** Why a link takes no such payment now; undefined when it does. */
export const linkRefusal = (link: LinkTerms, asked: LinkRequest, now: Date): LinkRefusal | undefined => {
  const status = linkStatusAt(link, now)
  if (status !== 'active') return { because: status }
  if (link.amount !== null && asked.amount !== link.amount) return { because: 'amount_changed' }
  const faults = faultsOf(link, asked)
  if (faults.length > 0) return { because: 'faults', faults }
  return link.maxPayments !== null && link.reservedSlots >= link.maxPayments ? { because: 'slots_taken' } : undefined
}

type Standing = 'open' | 'paid' | 'ended'

/** What a payment means for the slots of its link. A refund or a dispute gives nothing back: it was paid. */
const STANDINGS: Readonly<Record<PaymentStatus, Standing>> = {
  created: 'open',
  pending: 'open',
  processing: 'open',
  authorized: 'open',
  paid: 'paid',
  partially_refunded: 'paid',
  refunded: 'paid',
  in_dispute: 'paid',
  charged_back: 'paid',
  expired: 'ended',
  canceled: 'ended',
  failed: 'ended',
}

/** States of payments that hold a slot without being paid. */
export const OPEN_PAYMENT_STATUSES = (Object.keys(STANDINGS) as PaymentStatus[]).filter(
  (status) => STANDINGS[status] === 'open',
)

/** What a payment's move does to its link. `paid_late`: its slot had been given back. */
export type SlotMove = 'released' | 'paid' | 'paid_late'

const SLOT_MOVES: Readonly<Record<`${Standing} ${Standing}`, SlotMove | undefined>> = {
  'open open': undefined,
  'open paid': 'paid',
  'open ended': 'released',
  'ended paid': 'paid_late',
  'ended open': undefined,
  'ended ended': undefined,
  'paid open': undefined,
  'paid paid': undefined,
  'paid ended': undefined,
}

/** What the move of a payment from one state to another does to its link, if anything. */
export const slotMove = (from: PaymentStatus, to: PaymentStatus): SlotMove | undefined =>
  SLOT_MOVES[`${STANDINGS[from]} ${STANDINGS[to]}`]

/** A payment was made through the link: it takes a slot. Ask `linkRefusal` first. */
export const takeSlot = <Link extends LinkCounts>(link: Link): Link =>
  link.maxPayments === null ? link : { ...link, reservedSlots: link.reservedSlots + 1 }

const isFull = ({ maxPayments, paymentsCount }: LinkCounts): boolean =>
  maxPayments !== null && paymentsCount >= maxPayments

const slotsAfter = ({ maxPayments, reservedSlots }: LinkCounts, move: SlotMove): number => {
  if (maxPayments === null || move === 'paid') return reservedSlots
  return move === 'released' ? reservedSlots - 1 : reservedSlots + 1
}

/**
 * The link after one of its payments moved. Money that comes late is counted even when its slot is somebody else's by
 * now: refusing to count what was paid would be a lie. Such a slot is beyond the limit, and marked as that.
 */
export const countMove = <Link extends LinkCounts>(link: Link, move: SlotMove, paidAmount: Centavos): Link => {
  const reservedSlots = slotsAfter(link, move)
  const excess = link.maxPayments === null ? 0 : reservedSlots - link.maxPayments
  const counted = { ...link, reservedSlots, excessSlots: Math.max(link.excessSlots, excess) }
  if (move === 'released') return counted
  const paid = {
    ...counted,
    paymentsCount: link.paymentsCount + 1,
    paidAmount: add(link.paidAmount, paidAmount),
  }
  const completes = isFull(paid) && paymentLinkLifecycle.allows(link.status, 'completed')
  return completes ? { ...paid, status: 'completed' } : paid
}

/** What an edit asks of a link's state, and what its slots were found to be. */
export type LinkEdit = {
  status: 'active' | 'inactive' | undefined
  maxPayments: number | null
  expiresAt: Date | null
  reservedSlots: number
}

/** Whether a limit leaves out a payment that is paid or may still be. A limit that stays as it is never does. */
export const isLimitTooLow = ({ maxPayments }: LinkCounts, edit: LinkEdit): boolean =>
  edit.maxPayments !== null && edit.maxPayments !== maxPayments && edit.maxPayments < edit.reservedSlots

/** Where an edit leaves a link that is not deleted: what has run out stays so until its limit is moved. */
export const statusAfterEdit = (link: LinkCounts, edit: LinkEdit, now: Date): PaymentLinkStatus => {
  const wanted = edit.status ?? (link.status === 'inactive' ? 'inactive' : 'active')
  if (isFull({ ...link, maxPayments: edit.maxPayments })) return 'completed'
  return linkStatusAt({ status: wanted, expiresAt: edit.expiresAt }, now)
}

/** One way to pay an amount by card. The buyer pays no interest: the parts sum to the amount. */
export type InstallmentOption = {
  installments: number
  /** The first part holds the remainder centavos. */
  firstAmount: Centavos
  eachAmount: Centavos
  totalAmount: Centavos
}

/** The ways in which a buyer can pay an amount by card, in up to `maxInstallments` parts. */
export const installmentOptions = (amount: Centavos, maxInstallments: number): InstallmentOption[] =>
  Array.from({ length: installmentsMax(maxInstallments, amount) }, (_, index) => {
    const parts = allocate(amount, index + 1)
    const [firstAmount = ZERO] = parts
    return { installments: index + 1, firstAmount, eachAmount: parts.at(-1) ?? ZERO, totalAmount: add(...parts) }
  })
