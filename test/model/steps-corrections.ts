import { move, ok, refused } from './book.ts'
import { note, type Shop, sendNamed } from './shop.ts'

const AGAINST = ['losses', 'fee_revenue', 'provider_cost', 'clearing'] as const

type Correction = { kind: string; amount: number; against: (typeof AGAINST)[number]; allowNegative: boolean }

const refusalOf = ({ seller }: Shop, { kind, amount, allowNegative }: Correction): string | undefined => {
  const { available, losses } = seller.book
  if (kind === 'write_off' && amount > -available) return 'adjustment.exceeds_debt'
  if (kind === 'recovery' && -amount > -losses) return 'adjustment.exceeds_loss'
  const isForced = kind === 'correction' && allowNegative
  return amount < 0 && !isForced && available + amount < 0 ? 'adjustment.balance_insufficient' : undefined
}

const correct = async (shop: Shop, correction: Correction): Promise<void> => {
  const { random, admin, seller } = shop
  const { kind, amount, against } = correction
  const body = { sellerId: seller.id, reason: 'It was wrong.', ...correction }
  note(shop, `${kind} ${amount} against ${against}`)
  await sendNamed(shop, {
    by: admin,
    path: 'admin/adjustments',
    key: `adjustment-${random.between(0, 1e12)}`,
    body,
    // Of the same sign, which a write-off and a recovery must have.
    mistakenBody: { ...body, amount: amount + Math.sign(amount) },
    act: () => {
      const refusal = refusalOf(shop, correction)
      if (refusal !== undefined) return refused(422, refusal)
      move(seller, { available: amount, [against]: -amount })
      return ok(201, { kind, amount, sellerId: seller.id })
    },
  })
}

/** An administrator corrects a balance, within what there is and beyond. */
export const adjust = async (shop: Shop): Promise<void> => {
  const { random, seller } = shop
  const size = random.pick([random.between(1, 5_000), Math.abs(seller.book.available) + random.between(0, 1)])
  const amount = Math.max(1, size) * random.pick([1, -1])
  await correct(shop, {
    kind: 'correction',
    amount,
    against: random.pick(AGAINST),
    allowNegative: random.chance(0.3),
  })
}

/** A debt is given up: all of it, a part, or a centavo too much. */
export const writeOff = async (shop: Shop): Promise<void> => {
  const { random, seller } = shop
  const owed = Math.max(0, -seller.book.available)
  const amount = Math.max(1, random.pick([owed, owed + 1, random.between(1, owed + 1)]))
  await correct(shop, { kind: 'write_off', amount, against: 'losses', allowNegative: false })
}

/** What was given up is taken from what came in since. */
export const recover = async (shop: Shop): Promise<void> => {
  const { random, seller } = shop
  const lost = Math.max(0, -seller.book.losses)
  const amount = Math.max(1, random.pick([lost, lost + 1, random.between(1, lost + 1)]))
  await correct(shop, { kind: 'recovery', amount: -amount, against: 'losses', allowNegative: false })
}
