import { type Heard, referenceOf, type Seller, type Waiting, type Word, type World } from './book.ts'
import { hearRefundUnderDispute, hearVerdict, openDispute } from './disputes.ts'
import { hearCharge } from './payments.ts'
import { bookForeign } from './refunds.ts'
import { hearPayout } from './withdrawals.ts'

const DAY_MS = 86_400_000
const HOUR_S = 3_600
/** The pauses between attempts to make sense of a callback. */
const DELAYS_S = [2, 5, 15, 60, 300, 900, HOUR_S]

const hearOpening = ({ disputeFees }: World, seller: Seller, { reference, state }: Word): Heard => {
  const payment = seller.payments.find(({ id, isKnown }) => isKnown && referenceOf(id) === state.chargeReference)
  if (payment === undefined) return 'waits'
  const feeAmount = disputeFees[payment.method === 'credit_card' ? 'chargeback' : 'med']
  const claim = { amount: Number(state.amount), respondByMs: Date.parse(String(state.respondBy)) }
  return openDispute(seller, payment, { id: '', reference, feeAmount, ...claim })
}

const hearDispute = (world: World, seller: Seller, word: Word): Heard => {
  if (word.state.status === 'open') return hearOpening(world, seller, word)
  const dispute = seller.disputes.find(({ reference }) => reference === word.reference)
  return dispute ? hearVerdict(seller, dispute, String(word.state.status), world.nowMs) : 'waits'
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

const hearOfRefund = (seller: Seller, word: Word, nowMs: number): Heard => {
  const { reference, state, begun } = word
  const refund = seller.refunds.find(
    (one) =>
      one.reference === reference ||
      (one.sentAtMs !== null && one.amount % 100 !== 92 && referenceOf(one.id) === reference),
  )
  if (refund) {
    hearRefundUnderDispute(seller, refund, String(state.status), nowMs)
    return 'done'
  }
  const payment = seller.payments.find(({ id, isKnown }) => isKnown && referenceOf(id) === begun?.chargeReference)
  if (begun === undefined || payment === undefined) return 'waits'
  return state.status === 'completed' ? bookForeign(seller, payment, reference, begun.amount) : 'ignored'
}

const hear = (world: World, seller: Seller, word: Word): Heard => {
  const { kind, state } = word
  const { nowMs } = world
  if (kind === 'dispute') return hearDispute(world, seller, word)
  const status = String(state.status)
  const reason = (state.reason ?? null) as string | null
  if (kind === 'charge') {
    const known = seller.payments.filter(({ isKnown }) => isKnown)
    const amount = Number(state.paidAmount)
    return tell(known, word, (payment) => hearCharge(world, seller, payment, { status, amount, reason }))
  }
  if (kind === 'refund') return hearOfRefund(seller, word, nowMs)
  const sent = seller.withdrawals.filter(({ payout }) => payout !== undefined)
  return tell(sent, word, (withdrawal) => hearPayout(seller, withdrawal, status, reason))
}

const nextAtMs = (attempts: number, receivedAtMs: number, nowMs: number, heard: Heard): number => {
  const at = nowMs + (DELAYS_S[attempts] ?? HOUR_S) * 1_000
  return heard === 'stays' || at <= receivedAtMs + DAY_MS ? at : Number.POSITIVE_INFINITY
}

const isOver = (heard: Heard): boolean => heard === 'done' || heard === 'ignored'

/** A new callback comes in. What matches nothing yet waits and is tried again. */
export const receive = (world: World, seller: Seller, word: Word): void => {
  const { nowMs } = world
  const heard = hear(world, seller, word)
  if (isOver(heard)) return
  seller.waiting.push({ word, receivedAtMs: nowMs, attempts: 1, nextAtMs: nextAtMs(0, nowMs, nowMs, heard) })
}

const ORDER: readonly Word['kind'][] = ['charge', 'refund', 'dispute', 'payout']

/** Of refunds those that we began come first. */
const inOrder = (due: readonly Waiting[]): Waiting[] =>
  ORDER.flatMap((kind) => {
    const those = due.filter(({ word }) => word.kind === kind)
    return [...those.filter(({ word }) => !word.begun), ...those.filter(({ word }) => word.begun)]
  })

/** Tries again what waits: of one batch the charges first, and what came first before the rest. */
export const retryWaiting = (world: World, seller: Seller): void => {
  const due = seller.waiting.filter((one) => one.nextAtMs <= world.nowMs)
  const over = new Set<Waiting>()
  for (const one of inOrder(due)) {
    const heard = hear(world, seller, one.word)
    if (isOver(heard)) over.add(one)
    one.nextAtMs = nextAtMs(one.attempts, one.receivedAtMs, world.nowMs, heard)
    one.attempts += 1
  }
  seller.waiting = seller.waiting.filter((one) => !over.has(one) && one.nextAtMs < Number.POSITIVE_INFINITY)
}
