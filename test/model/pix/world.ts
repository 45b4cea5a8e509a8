import type { Random } from '../../../scripts/seed/random.ts'
import type { TestApp } from '../../support/app.ts'
import type { Seller } from '../../support/factories.ts'
import type { TestPsp } from '../../support/psp/simulator.ts'

/** A Pix that came in, and what must become of it: the money of its payment, or an open one. */
export type Received = {
  endToEndId: string
  amount: number
  end: 'booked' | 'open' | 'refunded'
  /** What went back of it, by us or by the PSP. */
  backAmount: number
}

/** A payment as it must be. `unheard` are Pix of it that the platform has not been told of. */
export type Payment = {
  id: string
  txid: string
  amount: number
  status: 'pending' | 'expired' | 'canceled' | 'paid'
  paidBy: Received | undefined
  hasClaim: boolean
  /** A claim that the PSP has told of and not decided, by its name there. */
  openClaim: { id: string; amount: number } | undefined
  /** Where it ends if nobody pays it. */
  expiresAt: Date
  isOfLink: boolean
}

/** What both sides of a run are, and what they must agree on. */
export type World = {
  app: TestApp
  psp: TestPsp
  random: Random
  seller: Seller
  admin: string
  /** The end of the address of the seller's payment link. */
  linkHash: string
  payments: Payment[]
  received: Received[]
  /** End-to-end ids of what came in for chapters before this one. */
  before: readonly string[]
  paidOutAmount: number
  trace: string[]
}

/** The platform is not as the model says. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement'
}

export const agree = (what: string, actual: unknown, expected: unknown): void => {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (one !== other) throw new Disagreement(`${what}: ${one}, and it must be ${other}`)
}

/** What the PSP holds for the platform, in centavos. */
export const heldByPsp = async ({ psp }: World): Promise<number> => {
  const { merchants } = (await psp.control.must('GET', '/merchants')) as { merchants: { balance: string }[] }
  return Math.round(Number(merchants[0]?.balance) * 100)
}

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

/** Every Pix has ended where it must, once, and the PSP holds what the books and the open ones say. */
export const expectMoney = async (world: World): Promise<void> => {
  const { app, received, before, seller, paidOutAmount } = world
  const { rows } = await app.sql.query(
    'select end_to_end_id, status, amount::int from received_pix where end_to_end_id <> all($1)',
    [before],
  )
  const ends = (list: readonly (readonly [string, string, number])[]) => list.map((one) => one.join(' ')).toSorted()
  agree(
    'where Pix have ended',
    ends(rows.map((row) => [row.end_to_end_id, row.status, row.amount])),
    ends(received.map(({ endToEndId, end, amount }) => [endToEndId, end, amount])),
  )
  const booked = received.filter(({ end }) => end === 'booked')
  const owed = sum(booked.map(({ amount, backAmount }) => amount - backAmount)) - paidOutAmount
  const clearing = await app.sql.query(
    "select coalesce(-sum(balance_amount), 0)::int as held from ledger_accounts where account = 'clearing' and seller_id = $1",
    [seller.id],
  )
  agree('what the books say that the PSP owes', clearing.rows[0].held, owed)
  const open = sum(received.filter(({ end }) => end === 'open').map(({ amount, backAmount }) => amount - backAmount))
  agree('what the PSP holds', await heldByPsp(world), owed + open)
}

/** Every payment is as it must be. */
export const expectPayments = async ({ app, seller, payments }: World): Promise<void> => {
  const { rows } = await app.sql.query(
    `select id, status, status_reason, paid_amount::int, refunded_amount::int, pix_end_to_end_id
     from payments where seller_id = $1`,
    [seller.id],
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  const link = await app.sql.query('select payments_count::int as paid from payment_links where seller_id = $1', [
    seller.id,
  ])
  const paidOfLink = payments.filter(({ isOfLink, paidBy }) => isOfLink && paidBy !== undefined)
  agree('how many of the link are paid', link.rows[0].paid, paidOfLink.length)
  for (const { id, status, paidBy, openClaim } of payments) {
    const row = byId.get(id)
    const isPaid = paidBy !== undefined
    const paid = isPaid ? [paidBy.amount, paidBy.backAmount, paidBy.endToEndId] : []
    const found = isPaid ? [row.paid_amount, row.refunded_amount, row.pix_end_to_end_id] : []
    agree(`the money of the payment ${id}`, found, paid)
    if (isPaid) agree(`whether ${id} is disputed`, row.status === 'in_dispute', openClaim !== undefined)
    if (isPaid) agree(`whether ${id} is paid`, ['pending', 'expired', 'canceled'].includes(row.status), false)
    else agree(`where ${id} stands`, row.status, status)
  }
}
