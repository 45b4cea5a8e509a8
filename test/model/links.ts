import type { Link, LinkTerms, Method, Seller } from './book.ts'

const OPEN = ['created', 'pending', 'processing', 'authorized']

/** How many payments of a link are paid or may still be. */
const takenSlots = ({ payments }: Seller, link: Link): number =>
  link.paymentsCount + payments.filter((payment) => payment.link === link && OPEN.includes(payment.status)).length

type Asked = { method: Method; amount: number; installments: number }

const isOffered = ({ terms }: Link, { method, amount, installments }: Asked): boolean => {
  const { minAmount, maxAmount, methods, maxInstallments } = terms
  const isWithin = terms.amount !== null || ((minAmount ?? 1) <= amount && amount <= (maxAmount ?? amount))
  return isWithin && methods.includes(method) && installments <= Math.min(maxInstallments, amount)
}

/** Why a link takes no such payment now, by the code of the refusal. */
export const linkRefusal = (seller: Seller, link: Link, asked: Asked): [number, string] | undefined => {
  const { status, terms } = link
  if (status === 'deleted') return [410, 'payment_link.deleted']
  if (status !== 'active') return [409, `payment_link.${status}`]
  if (terms.amount !== null && terms.amount !== asked.amount) return [409, 'payment_link.amount_changed']
  if (!isOffered(link, asked)) return [400, 'validation.failed']
  if (terms.maxPayments !== null && takenSlots(seller, link) >= terms.maxPayments)
    return [409, 'payment_link.slots_taken']
  return seller.isApproved ? undefined : [409, 'payment_link.inactive']
}

const isFull = ({ paymentsCount, terms: { maxPayments } }: Link): boolean =>
  maxPayments !== null && paymentsCount >= maxPayments

/** A payment of a link was paid, be it after its place was given to somebody else: the money is there. */
export const countPaid = (link: Link, paidAmount: number): void => {
  link.paymentsCount += 1
  link.paidAmount += paidAmount
  if (link.status !== 'deleted' && isFull(link)) link.status = 'completed'
}

/** Ends the links whose time is up. */
export const runOut = ({ links }: Seller, nowMs: number): void => {
  for (const link of links) {
    const isOpen = link.status === 'active' || link.status === 'inactive'
    if (isOpen && (link.terms.expiresAtMs ?? Number.POSITIVE_INFINITY) <= nowMs) link.status = 'expired'
  }
}

export type LinkEdit = { terms: LinkTerms; status?: 'active' | 'inactive' }

const editRefusal = (seller: Seller, link: Link, terms: LinkTerms, nowMs: number): [number, string] | undefined => {
  const { expiresAtMs, maxPayments } = terms
  if (link.status === 'deleted') return [404, 'payment_link.not_found']
  if (expiresAtMs !== null && expiresAtMs <= nowMs && expiresAtMs !== link.terms.expiresAtMs) {
    return [400, 'validation.failed']
  }
  const isNew = maxPayments !== null && maxPayments !== link.terms.maxPayments
  return isNew && maxPayments < takenSlots(seller, link) ? [422, 'payment_link.limit_too_low'] : undefined
}

/** The seller says anew what a link is. Answers why not, by the code of the refusal. */
export const editLink = (
  seller: Seller,
  link: Link,
  { terms, status }: LinkEdit,
  nowMs: number,
): [number, string] | undefined => {
  const refusal = editRefusal(seller, link, terms, nowMs)
  if (refusal) return refusal
  link.terms = terms
  link.status = status ?? (link.status === 'inactive' ? 'inactive' : 'active')
  runOut(seller, nowMs)
  if (isFull(link)) link.status = 'completed'
  return undefined
}
