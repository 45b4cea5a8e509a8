import type { Shop } from './shop.ts'
import { defend, dispute, disputeSandbox, refund, refundAtAcquirer, tellRefund, verdict } from './steps-after.ts'
import { adjust, recover, writeOff } from './steps-corrections.ts'
import { changeLink, createLink, payLink, payLinkAtOnce } from './steps-links.ts'
import { callBack, cancel, capture, createPayment, paySandbox, repeat } from './steps-payments.ts'
import { releaseEarly, releaseEverything } from './steps-reserves.ts'
import { changeApproval, changeFee, changeReserve, changeWithdrawals, simulate, touchForeign } from './steps-terms.ts'
import { decide, settlePayout, tellPayout, withdraw, withdrawAtOnce } from './steps-withdrawals.ts'

/** One thing that somebody does, and the comparison of what follows with the model. */
export type Step = (shop: Shop) => Promise<void>

/** How often of a hundred and some each thing is done. */
const STEPS: readonly (readonly [Step, number])[] = [
  [createPayment, 26],
  [repeat, 5],
  [createLink, 3],
  [changeLink, 4],
  [payLink, 8],
  [payLinkAtOnce, 2],
  [paySandbox, 18],
  [callBack, 12],
  [cancel, 3],
  [capture, 4],
  [refund, 13],
  [tellRefund, 4],
  [refundAtAcquirer, 3],
  [dispute, 6],
  [disputeSandbox, 2],
  [verdict, 8],
  [defend, 2],
  [withdraw, 8],
  [withdrawAtOnce, 1],
  [decide, 7],
  [settlePayout, 4],
  [tellPayout, 3],
  [changeReserve, 3],
  [releaseEarly, 4],
  [releaseEverything, 1],
  [changeWithdrawals, 2],
  [changeFee, 3],
  [changeApproval, 1],
  [adjust, 3],
  [writeOff, 2],
  [recover, 2],
  [simulate, 1],
  [touchForeign, 1],
]

/**
 * What a client cannot simply repeat when it was cut off, because a second time it would be another thing or refused;
 * and what is told apart by moments, which nobody knows of a clock that goes on.
 */
const UNREPEATABLE: readonly Step[] = [defend, disputeSandbox, changeFee, changeApproval, releaseEverything]

type Deck = readonly [Step, ...Step[]]

const deckOf = (allowed: (step: Step) => boolean): Deck => {
  const [first = createPayment, ...rest] = STEPS.filter(([step]) => allowed(step)).flatMap(([step, weight]) =>
    Array.from({ length: weight }, () => step),
  )
  return [first, ...rest]
}

export const DECK = deckOf(() => true)
export const REPEATABLE_DECK = deckOf((step) => !UNREPEATABLE.includes(step))
