import { type Draws, type Heard, type Hold, move, type Part, type Payment, type Refund, type Seller } from './book.ts'
import { holdAgain } from './reserves.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const PIX_REFUND_MS = 90 * DAY_MS

const onItsWay = (seller: Seller, payment: Payment): number => {
  let amount = 0
  for (const refund of seller.refunds) {
    if (refund.payment === payment && refund.status === 'processing') amount += refund.amount
  }
  return amount
}

/** What has neither gone back to the payer nor is on its way there. */
export const leftOf = (seller: Seller, payment: Payment): number =>
  payment.paidAmount - payment.refundedAmount - onItsWay(seller, payment)

export const isOnItsWay = (seller: Seller, payment: Payment): boolean => onItsWay(seller, payment) > 0

/** The latest part first. */
const waitingParts = ({ parts }: Payment): Part[] => parts.filter(({ status }) => status === 'waiting').reverse()

/** What is released last comes first, and of one date what was made first. */
export const lastReleasedFirst = (holds: readonly Hold[]): Hold[] =>
  [...holds].sort((one, other) => other.releaseAtMs - one.releaseAtMs)

export const takeFromParts = (payment: Payment, amount: number): { taken: [Part, number][]; restAmount: number } => {
  let restAmount = amount
  const taken: [Part, number][] = []
  for (const part of waitingParts(payment)) {
    const some = Math.min(restAmount, part.amount - part.takenAmount)
    if (some === 0) continue
    part.takenAmount += some
    taken.push([part, some])
    restAmount -= some
  }
  return { taken, restAmount }
}

const takeFromHolds = (payment: Payment, amount: number): { taken: [Hold, number][]; restAmount: number } => {
  let restAmount = amount
  const taken: [Hold, number][] = []
  for (const hold of lastReleasedFirst(payment.holds)) {
    const some = hold.status === 'held' ? Math.min(restAmount, hold.amount) : 0
    if (some === 0) continue
    consume(hold, some)
    taken.push([hold, some])
    restAmount -= some
  }
  return { taken, restAmount }
}

export const consume = (hold: Hold, amount: number): void => {
  hold.amount -= amount
  if (hold.amount === 0) hold.status = 'consumed'
}

export const totalOf = (taken: readonly (readonly [unknown, number])[]): number => {
  let total = 0
  for (const [, amount] of taken) total += amount
  return total
}

/** Why a payment takes no refund of an amount, by the code of the refusal. */
export const refundRefusal = (
  seller: Seller,
  payment: Payment,
  amount: number | undefined,
  nowMs: number,
): [number, string] | undefined => {
  const { status, method, paidAtMs } = payment
  if (status === 'in_dispute') return [409, 'refund.payment_in_dispute']
  if (status !== 'paid' && status !== 'partially_refunded') return [409, 'refund.payment_not_refundable']
  if (method === 'boleto') return [422, 'refund.method_not_refundable']
  if (method === 'pix' && nowMs > (paidAtMs ?? 0) + PIX_REFUND_MS) return [422, 'refund.too_late']
  return amountRefusal(seller, payment, amount)
}

const amountRefusal = (seller: Seller, payment: Payment, amount: number | undefined): [number, string] | undefined => {
  const left = leftOf(seller, payment)
  const wanted = amount ?? left
  if (wanted > left || wanted === 0) return [422, 'refund.amount_exceeds_payment']
  const own =
    totalOf(waitingParts(payment).map((part) => [part, part.amount - part.takenAmount])) +
    totalOf(payment.holds.filter((hold) => hold.status === 'held').map((hold) => [hold, hold.amount]))
  if (wanted - own > Math.max(0, seller.book.available)) return [422, 'balance.insufficient']
  return undefined
}

/** Takes a refund's money out of the book. */
export const takeRefund = (seller: Seller, payment: Payment, id: string, amount: number): Refund => {
  const parts = takeFromParts(payment, amount)
  const holds = takeFromHolds(payment, parts.restAmount)
  const draws: Draws = { parts: parts.taken, holds: holds.taken, restAmount: holds.restAmount }
  const pending = totalOf(draws.parts)
  const reserved = totalOf(draws.holds)
  const owed = payment.method === 'credit_card' ? pending : 0
  move(seller, {
    pending: -pending,
    reserved: -reserved,
    available: -draws.restAmount,
    receivable: owed,
    clearing: amount - owed,
  })
  const refund: Refund = { id, payment, amount, status: 'processing', draws, sentAtMs: null }
  seller.refunds.push(refund)
  return refund
}

/** Where a payment stands by how much of it went back, and whether a dispute took any of it. */
export const paidStatus = ({ disputes }: Seller, payment: Payment): string => {
  if (payment.refundedAmount === 0) return 'paid'
  if (payment.refundedAmount < payment.paidAmount) return 'partially_refunded'
  const hasLost = disputes.some(
    (one) => one.payment === payment && one.status === 'lost' && one.blockedAmount + one.frozenAmount > 0,
  )
  return hasLost ? 'charged_back' : 'refunded'
}

const complete = (seller: Seller, refund: Refund): void => {
  const { payment, amount } = refund
  refund.status = 'completed'
  payment.refundedAmount += amount
  if (payment.status !== 'in_dispute') payment.status = paidStatus(seller, payment)
}

/** Every part goes back to where it came from; what would have settled or been released meanwhile is available. */
const fail = (seller: Seller, refund: Refund, nowMs: number): void => {
  const { draws } = refund
  refund.status = 'failed'
  let [pending, available] = [0, draws.restAmount]
  for (const [part, amount] of draws.parts) {
    if (part.status === 'waiting') {
      part.takenAmount -= amount
      pending += amount
    } else available += amount
  }
  const reserved = holdAgain(draws.holds, nowMs)
  available += totalOf(draws.holds) - reserved
  const owed = refund.payment.method === 'credit_card' ? pending : 0
  move(seller, { pending, reserved, available, receivable: -owed, clearing: owed - refund.amount })
}

/** The acquirer says what became of a refund. True when it changed something. */
export const hearRefund = (seller: Seller, refund: Refund, status: string, nowMs: number): boolean => {
  if (refund.status !== 'processing') return false
  if (status === 'completed') complete(seller, refund)
  else if (status === 'failed') fail(seller, refund, nowMs)
  else return false
  return true
}

/** What the acquirer says of a refund by its last two digits: 91 takes an hour, 92 is refused. */
export const outcomeOf = ({ amount, sentAtMs }: Refund, nowMs: number): string => {
  if (amount % 100 === 92) return 'failed'
  if (amount % 100 !== 91) return 'completed'
  return nowMs >= (sentAtMs ?? nowMs) + HOUR_MS ? 'completed' : 'processing'
}

const ON_ITS_WAY = ['created', 'pending', 'processing', 'authorized', 'in_dispute']

/**
 * Money went back without our asking. It is gone, so it is taken by force; what might be one of ours, or more than is
 * left, waits for what is on its way.
 */
export const bookForeign = (seller: Seller, payment: Payment, reference: string, amount: number): Heard => {
  const { status } = payment
  if (ON_ITS_WAY.includes(status)) return 'stays'
  if (status === 'refunded' || status === 'charged_back') return 'ignored'
  if (status !== 'paid' && status !== 'partially_refunded') return 'waits'
  const open = seller.refunds.filter((one) => one.payment === payment && one.status === 'processing')
  if (open.some((one) => one.amount === amount && one.sentAtMs === null)) return 'stays'
  if (amount > leftOf(seller, payment)) return open.length > 0 ? 'stays' : 'ignored'
  const refund = takeRefund(seller, payment, '', amount)
  refund.reference = reference
  complete(seller, refund)
  return 'done'
}
