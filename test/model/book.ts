import type { Holidays } from './calendar.ts'

/** What the model knows of one seller. Written from the domain's rules alone: nothing here comes from the platform's code. */

export type Method = 'pix' | 'boleto' | 'credit_card'

export type Account =
  | 'available'
  | 'pending'
  | 'reserved'
  | 'blocked'
  | 'withdrawing'
  | 'clearing'
  | 'receivable'
  | 'fee_revenue'
  | 'provider_cost'
  | 'losses'

export type Book = Record<Account, number>

export type Fee = {
  id: string
  method: Method
  from: number
  to: number
  bps: number
  fixedAmount: number
  minAmount: number | null
  maxAmount: number | null
  settlementDays: number
  used: boolean
}

/** One part of a payment's net. `day` is when it becomes available, `feeAmount` the acquirer's share of the fee. */
export type Part = {
  number: number
  amount: number
  takenAmount: number
  feeAmount: number
  day: number
  status: 'waiting' | 'done'
}

/** What is held back of a payment. */
export type Hold = {
  /** Empty while the model has not seen it. */
  id: string
  payment: Payment
  heldAmount: number
  /** What is left of it. */
  amount: number
  releasedAmount: number
  heldAtMs: number
  releaseAtMs: number
  status: 'held' | 'frozen' | 'released' | 'consumed'
  /** It came back from a refund or a dispute, so that nothing moved for its own sake. */
  isAgain: boolean
  release?: { reason: 'due' | 'early'; atMs: number }
}

/** An administrator's wish that all of a seller's reserve be released, and how far that has come. */
export type Release = {
  id: string
  heldUntilMs: number
  status: 'running' | 'completed'
  releasedCount: number
  releasedAmount: number
}

/** What of a payment's own money stands for something else: by part and by hold. */
export type Draws = { parts: [Part, number][]; holds: [Hold, number][]; restAmount: number }

/** What a seller says of a link, whole. */
export type LinkTerms = {
  /** Null: the payer chooses, within the bounds. */
  amount: number | null
  minAmount: number | null
  maxAmount: number | null
  methods: readonly Method[]
  maxInstallments: number
  maxPayments: number | null
  expiresAtMs: number | null
}

/** A page on which anybody can pay a seller. */
export type Link = {
  id: string
  /** The end of its address; empty while the model has not seen it. */
  hash: string
  terms: LinkTerms
  status: 'active' | 'inactive' | 'expired' | 'completed' | 'deleted'
  paymentsCount: number
  paidAmount: number
}

export type Payment = {
  id: string
  /** Through which it was made, if any. */
  link: Link | undefined
  method: Method
  amount: number
  installments: number
  capture: boolean
  status: string
  statusReason: string | null
  paidAmount: number
  refundedAmount: number
  feeAmount: number
  netAmount: number
  reserveAmount: number
  terms: Pick<Fee, 'bps' | 'fixedAmount' | 'minAmount' | 'maxAmount' | 'settlementDays'>
  reserve: { bps: number; days: number }
  createdAtMs: number
  expiresAtMs: number | null
  paidAtMs: number | null
  /** The acquirer's own record of it, and whether the platform knows the charge by its reference. */
  charge: { status: string; amount: number } | undefined
  isKnown: boolean
  parts: Part[]
  /** In the order in which they were made. */
  holds: Hold[]
}

export type Refund = {
  /** Empty while the model has not seen it: one that was begun at the acquirer's side. */
  id: string
  /** The acquirer's own name for one that it began itself. */
  reference?: string
  payment: Payment
  amount: number
  status: 'processing' | 'completed' | 'failed'
  draws: Draws
  sentAtMs: number | null
}

export type Dispute = {
  id: string
  reference: string
  payment: Payment
  amount: number
  status: string
  blockedAmount: number
  frozenAmount: number
  pendingAmount: number
  availableAmount: number
  /** What losing costs, as it was when the dispute was opened. */
  feeAmount: number
  respondByMs: number
  /** Nobody answered in time: the acquirer may still say otherwise. */
  isLostByClock: boolean
  draws: Pick<Draws, 'parts' | 'holds'>
}

export type Withdrawal = {
  id: string
  amount: number
  feeAmount: number
  netAmount: number
  status: string
  statusReason: string | null
  requestedAtMs: number
  /** The acquirer's own record of the payout. */
  payout: string | undefined
}

export type WithdrawalTerms = {
  minAmount: number
  maxAmount: number
  dailyLimitAmount: number
  feeBps: number
  feeFixedAmount: number
  autoApproveMaxAmount: number
  isActive: boolean
}

/** A word of the acquirer: about what, and what. */
export type Word = {
  kind: 'charge' | 'refund' | 'dispute' | 'payout'
  reference: string
  state: Record<string, unknown>
  /** Of a refund that the acquirer began itself: which charge it is of, and how much of it. */
  begun?: { chargeReference: string; amount: number; reason: string | null }
}

/** A callback that matched nothing yet and is tried again. */
export type Waiting = { word: Word; receivedAtMs: number; attempts: number; nextAtMs: number }

/** What becomes of a callback. One that `waits` is tried again for a day, one that `stays` until what it waits for ends. */
export type Heard = 'done' | 'ignored' | 'waits' | 'stays'

export type Answer = { status: number; code?: string; view?: Record<string, unknown> }

/** Money that moved at the acquirer, as its statement has it. Of the platform’s own where it is no seller’s. */
export type Movement = {
  kind: 'charge' | 'refund' | 'payout'
  seller: Seller | null
  thing: { id: string } | Payment | Refund | Withdrawal
  reference: string
  amount: number
  feeAmount: number | null
  atMs: number
}

/** The platform's own book. */
export type OwnBook = { clearing: number; losses: number; provider_cost: number; withdrawing: number; treasury: number }

export type Seller = {
  id: string
  isApproved: boolean
  reserve: { bps: number; days: number; isActive: boolean }
  releases: Release[]
  terms: WithdrawalTerms
  fees: Fee[]
  links: Link[]
  book: Book
  payments: Payment[]
  refunds: Refund[]
  disputes: Dispute[]
  withdrawals: Withdrawal[]
  waiting: Waiting[]
  /** What moved money at the acquirer, and what was noted as such. */
  movements: Movement[]
  noted: Set<object>
  /** First answers by operation and key. */
  answers: Map<string, { body: string; atMs: number; answer: Answer }>
}

/** What every seller shares. */
export type World = {
  nowMs: number
  fees: Fee[]
  /** What losing a dispute costs, of a Pix and of a card. */
  disputeFees: { med: number; chargeback: number }
  holidays: Holidays
  own: OwnBook
  ownMovements: Movement[]
  /** Payouts of the platform that wait at the bank for ever. */
  waitingAtBank: number
  sellers: Seller[]
}

export const newSeller = (id: string): Seller => ({
  id,
  isApproved: true,
  reserve: { bps: 0, days: 30, isActive: false },
  releases: [],
  terms: {
    minAmount: 1_000,
    maxAmount: 5_000_000,
    dailyLimitAmount: 10_000_000,
    feeBps: 0,
    feeFixedAmount: 0,
    autoApproveMaxAmount: 0,
    isActive: true,
  },
  fees: [],
  links: [],
  book: {
    available: 0,
    pending: 0,
    reserved: 0,
    blocked: 0,
    withdrawing: 0,
    clearing: 0,
    receivable: 0,
    fee_revenue: 0,
    provider_cost: 0,
    losses: 0,
  },
  payments: [],
  refunds: [],
  disputes: [],
  withdrawals: [],
  waiting: [],
  movements: [],
  noted: new Set(),
  answers: new Map(),
})

/** Something that the model itself must never come to: then it is the model that is wrong. */
export const must = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(`the model contradicts itself: ${what}`)
}

/** Moves money within a book. The legs sum to zero. */
export const move = ({ book }: Seller, legs: Partial<Book>): void => {
  let sum = 0
  for (const [account, amount] of Object.entries(legs) as [Account, number][]) {
    book[account] += amount
    sum += amount
  }
  must(sum === 0, `legs sum to ${sum}: ${JSON.stringify(legs)}`)
}

/** Basis points of an amount, half a centavo up. */
export const share = (amount: number, bps: number): number => {
  const rest = (amount * bps) % 10_000
  return (amount * bps - rest) / 10_000 + (rest * 2 >= 10_000 ? 1 : 0)
}

/** Equal parts; what is left over goes to the first. */
export const split = (amount: number, count: number): number[] => {
  const parts: number[] = Array.from({ length: count }, () => Math.floor(amount / count))
  parts[0] = amount - Math.floor(amount / count) * (count - 1)
  return parts
}

export const referenceOf = (id: string): string => id.replaceAll('-', '')

export const ok = (status: number, view?: Record<string, unknown>): Answer =>
  view === undefined ? { status } : { status, view }

export const refused = (status: number, code: string): Answer => ({ status, code })
