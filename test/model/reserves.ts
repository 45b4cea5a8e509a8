import { type Hold, move, type Payment, type Release, type Seller, share } from './book.ts'
import { dayOf, midnightOf } from './calendar.ts'

const newHold = (payment: Payment, amount: number, nowMs: number): Omit<Hold, 'releaseAtMs' | 'isAgain'> => ({
  id: '',
  payment,
  heldAmount: amount,
  amount,
  releasedAmount: 0,
  heldAtMs: nowMs,
  status: 'held',
})

/** Holds back a share of money that has just become available. */
export const reserve = (seller: Seller, payment: Payment, amount: number, nowMs: number): void => {
  const held = share(amount, payment.reserve.bps)
  if (held === 0) return
  const releaseAtMs = midnightOf(dayOf(nowMs) + payment.reserve.days)
  payment.holds.push({ ...newHold(payment, held, nowMs), releaseAtMs, isAgain: false })
  payment.reserveAmount += held
  move(seller, { available: -held, reserved: held })
}

/**
 * Holds again what comes back to holds, until their old dates. Answers how much that is: of a hold that was released
 * meanwhile, by its day or by an administrator, it would be available.
 */
export const holdAgain = (draws: readonly [Hold, number][], nowMs: number): number => {
  let held = 0
  for (const [{ payment, releaseAtMs, status }, amount] of draws) {
    if (releaseAtMs <= nowMs || status === 'released') continue
    payment.holds.push({ ...newHold(payment, amount, nowMs), releaseAtMs, isAgain: true })
    held += amount
  }
  return held
}

export const holdsOf = ({ payments }: Seller): Hold[] => payments.flatMap(({ holds }) => holds)

/** Gives back what is left of a hold. */
export const release = (seller: Seller, hold: Hold, reason: 'due' | 'early', nowMs: number): void => {
  const { amount } = hold
  hold.status = 'released'
  hold.releasedAmount = amount
  hold.amount = 0
  hold.release = { reason, atMs: nowMs }
  move(seller, { reserved: -amount, available: amount })
}

/** Gives back the holds whose time has come. */
export const releaseDue = (seller: Seller, nowMs: number): void => {
  for (const hold of holdsOf(seller)) {
    if (hold.status === 'held' && hold.releaseAtMs <= nowMs) release(seller, hold, 'due', nowMs)
  }
}

/** An administrator wishes all to be released that is held by now. A release that runs covers it too. */
export const askForRelease = ({ releases }: Seller, id: string, nowMs: number): Release => {
  const running = releases.find(({ status }) => status === 'running')
  if (running) {
    running.heldUntilMs = nowMs
    return running
  }
  const begun: Release = { id, heldUntilMs: nowMs, status: 'running', releasedCount: 0, releasedAmount: 0 }
  releases.push(begun)
  return begun
}

/** Does what administrators wished. What a dispute has frozen stays, also after it is thawed. */
export const runReleases = (seller: Seller, nowMs: number): void => {
  for (const one of seller.releases) {
    if (one.status === 'completed') continue
    for (const hold of holdsOf(seller)) {
      if (hold.status !== 'held' || hold.heldAtMs > one.heldUntilMs) continue
      one.releasedCount += 1
      one.releasedAmount += hold.amount
      release(seller, hold, 'early', nowMs)
    }
    one.status = 'completed'
  }
}
