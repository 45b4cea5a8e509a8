import type { Random } from '../../scripts/seed/random.ts'
import { ok, referenceOf, refused, type World } from './book.ts'
import { expectReply, type Shop } from './shop.ts'

const BUCKETS = ['available', 'pending', 'reserved', 'blocked', 'withdrawing'] as const

/** What is the platform's own over all books, and how much of it could be taken out. */
const positionOf = ({ sellers, own }: World) => {
  const books = sellers.map(({ book }) => book)
  const sum = (account: keyof typeof own & keyof (typeof books)[number]): number =>
    books.reduce((total, book) => total + book[account], own[account])
  const fees = books.reduce((total, book) => total + book.fee_revenue, 0)
  const owed = books.flatMap((book) => BUCKETS.map((bucket) => Math.max(0, book[bucket])))
  const parts = sellers.flatMap(({ payments }) => payments.filter(({ method }) => method === 'credit_card'))
  const waiting = parts.flatMap((payment) => payment.parts.filter(({ status }) => status === 'waiting'))
  const earnedAmount = fees + sum('provider_cost') + sum('losses') + own.treasury
  const cashAmount = -sum('clearing')
  const owedToSellersAmount = owed.reduce((total, one) => total + one, Math.max(0, own.withdrawing))
  const cardsPendingAmount = waiting.reduce((total, part) => total + part.amount - part.takenAmount, 0)
  const free = cashAmount - (owedToSellersAmount - cardsPendingAmount)
  const payableAmount = Math.max(0, Math.min(earnedAmount, free))
  return { earnedAmount, cashAmount, owedToSellersAmount, cardsPendingAmount, payableAmount }
}

/** The platform takes out what it earned, or a centavo more. What the bank refuses comes back. */
export const takeOut = async (shop: Shop, random: Random): Promise<void> => {
  const { client, admin, world, platform } = shop
  if (platform.runJobs === undefined) return
  const position = positionOf(world)
  expectReply('GET treasury', await client.get('admin/treasury', { as: admin }), ok(200, position))
  const { payableAmount } = position
  const some = random.pick([random.between(1, payableAmount + 1), payableAmount + 1])
  const amount = Math.max(1, random.chance(0.3) && some > 200 ? some - (some % 100) - 8 : some)
  const body = { amount, pixKeyType: 'email', pixKey: 'tesouraria@example.com', reason: 'Fees.' }
  const key = `treasury-${random.between(0, 1e12)}`
  const reply = await client.post('admin/treasury/payouts', { as: admin, key, body })
  if (amount > payableAmount) {
    return expectReply('taking out', reply, refused(422, 'treasury.amount_exceeds_payable'))
  }
  expectReply('taking out', reply, ok(201, { amount }))
  await platform.runJobs(['payTreasury'])
  // One that ends in 91 waits at the bank for ever, and one in 92 is refused there.
  if (amount % 100 === 92) return
  world.own.treasury -= amount
  world.own.clearing += amount
  if (amount % 100 === 91) return
  const facts = { thing: { id: reply.body.id }, amount, feeAmount: null, atMs: world.nowMs }
  world.ownMovements.push({ kind: 'payout', seller: null, reference: referenceOf(reply.body.id), ...facts })
}
