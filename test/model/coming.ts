import type { Seller } from './book.ts'
import { dateOf, dayOf } from './calendar.ts'
import { holdsOf } from './reserves.ts'

type Portion = { day: number; pendingAmount: number; reservedAmount: number }

const portionsOf = (seller: Seller): Portion[] => {
  const waiting = seller.payments.flatMap(({ parts }) => parts.filter(({ status }) => status === 'waiting'))
  const held = holdsOf(seller).filter(({ status }) => status === 'held')
  return [
    ...waiting.map((part) => ({ day: part.day, pendingAmount: part.amount - part.takenAmount, reservedAmount: 0 })),
    ...held.map((hold) => ({ day: dayOf(hold.releaseAtMs), pendingAmount: 0, reservedAmount: hold.amount })),
  ]
}

const nextReleasesOf = (seller: Seller, today: number) => {
  const byDay = new Map<number, Portion>()
  for (const { day: due, pendingAmount, reservedAmount } of portionsOf(seller)) {
    const day = Math.max(due, today)
    const sum = byDay.get(day) ?? { day, pendingAmount: 0, reservedAmount: 0 }
    sum.pendingAmount += pendingAmount
    sum.reservedAmount += reservedAmount
    byDay.set(day, sum)
  }
  const days = [...byDay.values()].filter((sum) => sum.pendingAmount + sum.reservedAmount > 0)
  return days
    .sort((one, other) => one.day - other.day)
    .map(({ day, ...amounts }) => ({ date: dateOf(day), ...amounts }))
}

/** What becomes available to a seller on which day, and what of their reserve has none because disputes froze it. */
export const comingTo = (seller: Seller, nowMs: number) => {
  let frozenReserveAmount = 0
  for (const { status, amount } of holdsOf(seller)) if (status === 'frozen') frozenReserveAmount += amount
  return { frozenReserveAmount, nextReleases: nextReleasesOf(seller, dayOf(nowMs)) }
}
