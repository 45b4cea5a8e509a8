import type { Random } from '../../scripts/seed/random.ts'
import { move, ok, referenceOf, refused, type World } from './book.ts'
import type { Platform } from './platform.ts'
import { expectReply, type Shop } from './shop.ts'

const BUCKETS = ['available', 'pending', 'reserved', 'blocked', 'withdrawing'] as const

/** What is the platform's own over all books, and how much of it could be taken out. */
const positionOf = ({ sellers, own, waitingAtBank }: World) => {
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
  const refunds = sellers.flatMap((seller) => seller.refunds.filter(({ status }) => status === 'processing'))
  const inTransitAmount = refunds.reduce((total, { amount }) => total + amount, waitingAtBank)
  return { earnedAmount, cashAmount, owedToSellersAmount, cardsPendingAmount, inTransitAmount }
}

type Position = ReturnType<typeof positionOf>

/** What the acquirer is to hold: what the books expect, or less, or more. */
const pickHeld = ({ cashAmount, inTransitAmount, earnedAmount }: Position, random: Random): number => {
  const expected = cashAmount + inTransitAmount
  return random.pick([expected, expected, expected - random.between(1, Math.max(1, earnedAmount)), expected + 500])
}

const TIMES = 3
const BEFORE = 'what-was-there-before'

/** What lies at the acquirer is its own affair: what its records come to, and what was there before them. */
const letHold = async ({ pool }: Platform, heldAmount: number): Promise<void> => {
  const { rows } = await pool.query<{ total: string }>(
    `select coalesce(sum(case kind when 'charge' then amount else -amount end - coalesce(fee_amount, 0)), 0) as total
     from sandbox_records where status in ('paid', 'completed', 'lost') and reference <> $1`,
    [BEFORE],
  )
  await pool.query(
    `insert into sandbox_records (kind, reference, status, amount, created_at, updated_at)
     values ('charge', $1, 'paid', $2, '2020-01-01', '2020-01-01')
     on conflict (kind, reference) do update set amount = excluded.amount`,
    [BEFORE, heldAmount - Number(rows[0]?.total)],
  )
}

const treasuryOf = (position: Position, heldAmount: number) => {
  const { earnedAmount, cashAmount, owedToSellersAmount, cardsPendingAmount, inTransitAmount } = position
  const claimed = owedToSellersAmount - cardsPendingAmount
  const atAcquirer = heldAmount - inTransitAmount
  const payableAmount = Math.max(0, Math.min(earnedAmount, cashAmount - claimed, atAcquirer - claimed, atAcquirer))
  return { ...position, heldAmount, differenceAmount: atAcquirer - cashAmount, payableAmount }
}

// What some owe is no money to pay others with: until they have paid it, there is hardly ever something to take out.
const callDebtsIn = async (shops: readonly Shop[], random: Random): Promise<void> => {
  for (const { client, admin, seller } of shops) {
    const amount = -seller.book.available
    if (amount <= 0) continue
    const body = { sellerId: seller.id, amount, against: 'clearing', reason: 'They paid what they owe.' }
    const key = `debt-${random.between(0, 1e12)}`
    expectReply('a debt', await client.post('admin/adjustments', { as: admin, key, body }), ok(201, { amount }))
    move(seller, { available: amount, clearing: -amount })
  }
}

/**
 * The platform takes out what it earned, or a centavo more. What the bank refuses comes back. Answers how it ended; undefined:
 * there was nothing to take out.
 */
const takeOut = async (shop: Shop, random: Random): Promise<string | undefined> => {
  const { client, admin, world, platform } = shop
  const position = positionOf(world)
  const heldAmount = pickHeld(position, random)
  await letHold(platform, heldAmount)
  const treasury = treasuryOf(position, heldAmount)
  expectReply('GET treasury', await client.get('admin/treasury', { as: admin }), ok(200, treasury))
  const { payableAmount } = treasury
  const some = random.pick([random.between(1, payableAmount + 1), payableAmount + 1])
  const amount = Math.max(1, random.chance(0.5) && some > 200 ? some - (some % 100) - 8 : some)
  const body = { amount, pixKeyType: 'email', pixKey: 'tesouraria@example.com', reason: 'Fees.' }
  const key = `treasury-${random.between(0, 1e12)}`
  const reply = await client.post('admin/treasury/payouts', { as: admin, key, body })
  if (amount > payableAmount) {
    expectReply('taking out', reply, refused(422, 'treasury.amount_exceeds_payable'))
    return payableAmount === 0 ? undefined : 'too much'
  }
  expectReply('taking out', reply, ok(201, { amount }))
  await platform.runJobs?.(['payTreasury'])
  // One that ends in 91 waits at the bank for ever, and one in 92 is refused there.
  if (amount % 100 === 92) return 'refused'
  world.own.treasury -= amount
  world.own.clearing += amount
  if (amount % 100 === 91) {
    world.waitingAtBank += amount
    return 'waiting'
  }
  const facts = { thing: { id: reply.body.id }, amount, feeAmount: null, atMs: world.nowMs }
  world.ownMovements.push({ kind: 'payout', seller: null, reference: referenceOf(reply.body.id), ...facts })
  return 'completed'
}

/** Mostly after all debts were paid, the platform takes something out, some times. Answers how each of them ended. */
export const lookAtTreasury = async (shops: readonly Shop[], random: Random): Promise<string[]> => {
  const [first] = shops
  if (first?.platform.runJobs === undefined) return []
  if (random.chance(0.7)) await callDebtsIn(shops, random)
  const endings: string[] = []
  for (let time = 0; time < TIMES; time += 1) endings.push((await takeOut(first, random)) ?? 'nothing there')
  return endings
}
