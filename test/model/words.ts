import { referenceOf, type Seller, type Waiting, type Word } from './book.ts'
import { hearRefundUnderDispute, hearVerdict, openDispute } from './disputes.ts'
import { hearCharge } from './payments.ts'
import { hearPayout } from './withdrawals.ts'

const DAY_MS = 86_400_000
const HOUR_S = 3_600
/** The pauses between attempts to make sense of a callback. */
const DELAYS_S = [2, 5, 15, 60, 300, 900, HOUR_S]

type Heard = 'done' | 'ignored' | 'waits'

const hearOpening = (seller: Seller, { reference, state }: Word): Heard => {
  const payment = seller.payments.find(({ id, isKnown }) => isKnown && referenceOf(id) === state.chargeReference)
  if (payment === undefined) return 'waits'
  return openDispute(seller, payment, { id: '', reference, amount: Number(state.amount) })
}

const hearDispute = (seller: Seller, word: Word): Heard => {
  if (word.state.status === 'open') return hearOpening(seller, word)
  const dispute = seller.disputes.find(({ reference }) => reference === word.reference)
  return dispute ? hearVerdict(seller, dispute, String(word.state.status)) : 'waits'
}

/** Lets one of these things, the one that the reference names, hear something. It waits while there is none. */
const tell = <Thing extends { id: string }>(
  things: readonly Thing[],
  { reference }: Word,
  hearing: (thing: Thing) => unknown,
): Heard => {
  const thing = things.find(({ id }) => referenceOf(id) === reference)
  if (thing === undefined) return 'waits'
  hearing(thing)
  return 'done'
}

const hear = (seller: Seller, word: Word, nowMs: number): Heard => {
  const { kind, state } = word
  if (kind === 'dispute') return hearDispute(seller, word)
  const status = String(state.status)
  const reason = (state.reason ?? null) as string | null
  if (kind === 'charge') {
    const known = seller.payments.filter(({ isKnown }) => isKnown)
    const amount = Number(state.paidAmount)
    return tell(known, word, (payment) => hearCharge(seller, payment, { status, amount, reason }, nowMs))
  }
  if (kind === 'refund') {
    const sent = seller.refunds.filter(({ sentAtMs, amount }) => sentAtMs !== null && amount % 100 !== 92)
    return tell(sent, word, (refund) => hearRefundUnderDispute(seller, refund, status, nowMs))
  }
  const sent = seller.withdrawals.filter(({ payout }) => payout !== undefined)
  return tell(sent, word, (withdrawal) => hearPayout(seller, withdrawal, status, reason))
}

const nextAtMs = (attempts: number, receivedAtMs: number, nowMs: number): number => {
  const at = nowMs + (DELAYS_S[attempts] ?? HOUR_S) * 1_000
  return at <= receivedAtMs + DAY_MS ? at : Number.POSITIVE_INFINITY
}

/** A new callback comes in. What matches nothing yet waits and is tried again for a day. */
export const receive = (seller: Seller, word: Word, nowMs: number): void => {
  if (hear(seller, word, nowMs) !== 'waits') return
  seller.waiting.push({ word, receivedAtMs: nowMs, attempts: 1, nextAtMs: nextAtMs(0, nowMs, nowMs) })
}

const ORDER: readonly Word['kind'][] = ['charge', 'refund', 'dispute', 'payout']

/** Tries again what waits: of one batch the charges first, and what came first before the rest. */
export const retryWaiting = (seller: Seller, nowMs: number): void => {
  const due = seller.waiting.filter((one) => one.nextAtMs <= nowMs)
  const isDone = (one: Waiting): boolean => hear(seller, one.word, nowMs) !== 'waits'
  const done = new Set(ORDER.flatMap((kind) => due.filter(({ word }) => word.kind === kind).filter(isDone)))
  for (const one of due) {
    one.nextAtMs = nextAtMs(one.attempts, one.receivedAtMs, nowMs)
    one.attempts += 1
  }
  seller.waiting = seller.waiting.filter((one) => !done.has(one) && one.nextAtMs < Number.POSITIVE_INFINITY)
}
