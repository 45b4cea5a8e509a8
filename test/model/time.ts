import type { Refund, Seller, World } from './book.ts'
import { stopsOf } from './calendar.ts'
import { hearRefundUnderDispute, loseByClock } from './disputes.ts'
import { runOut } from './links.ts'
import { expire, reconcile, settle } from './payments.ts'
import { outcomeOf } from './refunds.ts'
import { releaseDue, runReleases } from './reserves.ts'
import { noteMovements } from './statement.ts'
import { hearPayout, payOut } from './withdrawals.ts'
import { retryWaiting } from './words.ts'

const OLD_MS = 60_000

const tellRefund = (seller: Seller, refund: Refund, nowMs: number): void => {
  const status = outcomeOf(refund, nowMs)
  if (status !== 'processing') hearRefundUnderDispute(seller, refund, status, nowMs)
}

const runRefunds = (seller: Seller, nowMs: number): void => {
  const open = seller.refunds.filter(({ status }) => status === 'processing')
  const unsent = open.filter(({ sentAtMs }) => sentAtMs === null)
  for (const refund of unsent) {
    refund.sentAtMs = nowMs
    tellRefund(seller, refund, nowMs)
  }
  for (const refund of open) if (!unsent.includes(refund)) tellRefund(seller, refund, nowMs)
}

const runPayouts = (seller: Seller): void => {
  const out = seller.withdrawals.filter(({ status }) => status === 'processing')
  for (const withdrawal of seller.withdrawals) payOut(seller, withdrawal)
  for (const withdrawal of out) hearPayout(seller, withdrawal, withdrawal.payout ?? 'processing', null)
}

/** Everything that is due at a moment happens, in the order in which it must: what comes in before what falls due. */
const runDue = (world: World, seller: Seller): void => {
  const { nowMs } = world
  retryWaiting(world, seller)
  for (const payment of seller.payments) expire(world, seller, payment)
  for (const payment of seller.payments) settle(seller, payment, nowMs)
  for (const payment of seller.payments) {
    if (payment.createdAtMs < nowMs - OLD_MS) reconcile(world, seller, payment)
  }
  runRefunds(seller, nowMs)
  loseByClock(seller, nowMs)
  runPayouts(seller)
  releaseDue(seller, nowMs)
  runReleases(seller, nowMs)
  runOut(seller, nowMs)
}

/** Moves the time forward: it stops at every midnight of São Paulo, and does there what is due. */
export const advance = (world: World, hours: number): void => {
  for (const stop of stopsOf(world.nowMs, world.nowMs + hours * 3_600_000)) {
    world.nowMs = stop
    for (const seller of world.sellers) {
      runDue(world, seller)
      noteMovements(seller, world.nowMs)
    }
  }
}
