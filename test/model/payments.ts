import { type Fee, type Method, move, must, type Payment, type Seller, share, split, type World } from './book.ts'
import { dayOf, midnightOf, onBusinessDay } from './calendar.ts'
import { countPaid } from './links.ts'
import { reserve } from './reserves.ts'

const DAY_MS = 86_400_000
const AUTHORIZED_FOR_MS = 5 * DAY_MS
const BOLETO_DUE_DAYS = 3

const covers = (fee: Fee, method: Method, installments: number): boolean =>
  fee.method === method && fee.from <= installments && installments <= fee.to

/** The seller's own fee before everybody's, the narrower before the wider. */
export const feeFor = (world: World, seller: Seller, method: Method, installments: number): Fee | undefined => {
  for (const fees of [seller.fees, world.fees]) {
    const fitting = fees.filter((fee) => covers(fee, method, installments))
    const narrowest = Math.min(...fitting.map(({ from, to }) => to - from))
    const [found] = fitting.filter(({ from, to }) => to - from === narrowest)
    if (found) return found
  }
  return undefined
}

export const feeOf = (amount: number, { bps, fixedAmount, minAmount, maxAmount }: Payment['terms']): number => {
  let fee = share(amount, bps) + fixedAmount
  if (minAmount !== null) fee = Math.max(fee, minAmount)
  if (maxAmount !== null) fee = Math.min(fee, maxAmount)
  return Math.min(fee, amount)
}

type Terms = Pick<Fee, 'settlementDays'> & { method: Method }

/** On which day a part of a payment becomes available that is paid now. */
export const settlementDay = ({ nowMs, holidays }: World, { method, settlementDays }: Terms, part: number): number => {
  const paidDay = dayOf(nowMs)
  if (method === 'credit_card') return onBusinessDay(paidDay + settlementDays * part, holidays)
  if (method === 'pix') return settlementDays === 0 ? paidDay : onBusinessDay(paidDay + settlementDays, holidays)
  let day = paidDay
  for (let left = settlementDays; left > 0; left -= 1) day = onBusinessDay(day + 1, holidays)
  return onBusinessDay(day, holidays)
}

/** What the acquirer charges, as the administrator says when the platform is opened. */
export const COSTS: Readonly<Record<Method, { bps: number; fixedAmount: number }>> = {
  pix: { bps: 33, fixedAmount: 2 },
  boleto: { bps: 0, fixedAmount: 119 },
  credit_card: { bps: 199, fixedAmount: 0 },
}

const book = (world: World, seller: Seller, payment: Payment): void => {
  const { method, paidAmount, terms } = payment
  payment.feeAmount = feeOf(paidAmount, terms)
  payment.netAmount = paidAmount - payment.feeAmount
  const count = method === 'credit_card' ? payment.installments : 1
  const fees = split(payment.feeAmount, count)
  payment.parts = split(payment.netAmount, count).map((amount, index) => ({
    number: index + 1,
    amount,
    takenAmount: 0,
    feeAmount: fees[index] ?? 0,
    day: settlementDay(world, { method, settlementDays: terms.settlementDays }, index + 1),
    status: 'waiting' as const,
  }))
  const isAtOnce = method !== 'credit_card' && payment.parts.every(({ day }) => day <= dayOf(world.nowMs))
  const owed = method === 'credit_card' ? 'receivable' : 'clearing'
  const cost = share(paidAmount, COSTS[method].bps) + COSTS[method].fixedAmount
  const bucket = isAtOnce ? 'available' : 'pending'
  move(seller, { [owed]: -paidAmount, [bucket]: payment.netAmount, fee_revenue: payment.feeAmount })
  move(seller, { provider_cost: -cost, clearing: cost })
  if (!isAtOnce) return
  for (const part of payment.parts) part.status = 'done'
  reserve(seller, payment, payment.netAmount, world.nowMs)
}

const UNPAID = ['created', 'pending', 'processing', 'authorized', 'expired', 'canceled']
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  failed: ['created', 'pending', 'processing', 'authorized'],
  canceled: ['created', 'pending', 'authorized'],
  expired: ['created', 'pending', 'authorized'],
}

const confirm = (world: World, seller: Seller, payment: Payment, paidAmount: number): void => {
  if (!UNPAID.includes(payment.status)) return
  payment.paidAmount = paidAmount
  // Of a card that its seller captures less may be taken than was authorized, and the rest is let go.
  if (paidAmount < payment.amount && (payment.method !== 'credit_card' || payment.capture)) {
    if (payment.status === 'created') payment.status = 'pending'
    payment.statusReason = 'underpaid'
    return
  }
  payment.status = 'paid'
  payment.statusReason = null
  payment.paidAtMs = world.nowMs
  if (payment.link) countPaid(payment.link, paidAmount)
  book(world, seller, payment)
}

const authorize = (payment: Payment, nowMs: number): void => {
  if (!['created', 'pending', 'processing'].includes(payment.status)) return
  payment.status = 'authorized'
  payment.expiresAtMs = nowMs + AUTHORIZED_FOR_MS
}

const end = (payment: Payment, status: string, reason: string | null): void => {
  if (!ENDINGS[status]?.includes(payment.status)) return
  payment.status = status
  if (payment.statusReason !== 'underpaid') payment.statusReason = reason
}

/** The acquirer says where a charge stands. Whatever comes too late or twice changes nothing. */
export const hearCharge = (
  world: World,
  seller: Seller,
  payment: Payment,
  { status, amount = 0, reason = null }: { status: string; amount?: number; reason?: string | null },
): void => {
  if (status === 'paid') confirm(world, seller, payment, amount)
  else if (status === 'authorized') authorize(payment, world.nowMs)
  else end(payment, status, reason)
}

/** Moves the parts whose day has come from `pending` to `available`. */
export const settle = (seller: Seller, payment: Payment, nowMs: number): void => {
  for (const part of payment.parts) {
    if (part.status !== 'waiting' || part.day > dayOf(nowMs)) continue
    part.status = 'done'
    const amount = part.amount - part.takenAmount
    const paidOver = payment.method === 'credit_card' ? amount + part.feeAmount : 0
    move(seller, { pending: -amount, available: amount, receivable: paidOver, clearing: -paidOver })
    reserve(seller, payment, amount, nowMs)
  }
}

/** Where a card's token ends decides what the acquirer does. */
const DECLINED: Readonly<Record<string, string>> = {
  2: 'card_denied',
  3: 'card_expired',
  5: 'card_blocked',
  7: 'card_canceled',
  8: 'card_problem',
}
const LOST = '6'

/** The acquirer is asked for a card's charge. */
const chargeCard = (world: World, seller: Seller, payment: Payment, token: string): void => {
  must(payment.status === 'created', 'a card is charged once')
  const digit = token.at(-1) ?? ''
  const declined = DECLINED[digit]
  if (declined !== undefined) {
    hearCharge(world, seller, payment, { status: 'failed', reason: declined })
    return
  }
  payment.charge = { status: payment.capture ? 'paid' : 'authorized', amount: payment.amount }
  if (digit === LOST) {
    payment.status = 'processing'
    payment.statusReason = 'provider_timeout'
    return
  }
  payment.isKnown = true
  hearCharge(world, seller, payment, payment.charge)
}

/** What somebody asks for who wants to be paid, or to pay. */
export type Asked = {
  method: Method
  amount: number
  installments?: number
  cardToken?: string
  capture?: boolean
  expiresInSeconds?: number
}

const expiryOf = ({ nowMs, holidays }: World, { method, expiresInSeconds = DAY_MS / 1_000 }: Asked): number | null => {
  if (method === 'pix') return nowMs + expiresInSeconds * 1_000
  if (method === 'boleto') return midnightOf(onBusinessDay(dayOf(nowMs) + BOLETO_DUE_DAYS, holidays) + 1)
  return null
}

/** Makes a payment under the terms of now, and charges its card. Undefined: no fee says what it costs. */
export const makePayment = (
  world: World,
  seller: Seller,
  asked: Asked,
  { id, link }: Pick<Payment, 'id' | 'link'>,
): Payment | undefined => {
  const { method, amount, installments = 1, capture = true, cardToken } = asked
  const fee = feeFor(world, seller, method, installments)
  if (fee === undefined) return undefined
  fee.used = true
  const { bps, fixedAmount, minAmount, maxAmount, settlementDays } = fee
  const { reserve: held } = seller
  const payment: Payment = {
    id,
    link,
    method,
    amount,
    installments,
    capture,
    status: method === 'credit_card' ? 'created' : 'pending',
    statusReason: null,
    paidAmount: 0,
    refundedAmount: 0,
    feeAmount: 0,
    netAmount: 0,
    reserveAmount: 0,
    terms: { bps, fixedAmount, minAmount, maxAmount, settlementDays },
    reserve: held.isActive ? { bps: held.bps, days: held.days } : { bps: 0, days: 1 },
    createdAtMs: world.nowMs,
    expiresAtMs: expiryOf(world, asked),
    paidAtMs: null,
    charge: undefined,
    isKnown: method !== 'credit_card',
    parts: [],
    holds: [],
  }
  seller.payments.push(payment)
  if (cardToken) chargeCard(world, seller, payment, cardToken)
  return payment
}

/** Asks the acquirer about a charge whose answer was lost. */
export const reconcile = (world: World, seller: Seller, payment: Payment): void => {
  if (payment.status !== 'processing' || payment.charge === undefined) return
  payment.isKnown = true
  hearCharge(world, seller, payment, { ...payment.charge, reason: null })
}

/** Ends what nobody paid or captured in time. */
export const expire = (world: World, seller: Seller, payment: Payment): void => {
  const { status, expiresAtMs } = payment
  if (!['pending', 'authorized'].includes(status) || expiresAtMs === null || expiresAtMs > world.nowMs) return
  hearCharge(world, seller, payment, { status: 'expired' })
}
