import type { Random } from '../../scripts/seed/random.ts'
import { type Movement, type Payment, referenceOf, type Seller, share } from './book.ts'
import { dateOf, dayOf } from './calendar.ts'
import { COSTS } from './payments.ts'

/**
 * The statement of the acquirer, day by day: what moved by the model, with faults planted in it, and what of each fault must
 * be found by what the books know at that moment.
 */
export type Found = { kind: string; providerAmount: number; platformAmount: number }

export type Fault = {
  what: string
  lineKind: Movement['kind']
  seller: Seller | null
  /** The id of what it is about, where the platform can know it. */
  subjectId: () => string | null
  found: () => Found[]
}

type Line = { kind: string; reference: string; amount: number; feeAmount: number | null; atMs: number }

const costOf = ({ method, paidAmount }: Payment): number =>
  share(paidAmount, COSTS[method].bps) + COSTS[method].fixedAmount

/** Notes what has moved money since the last time: the clock stands still meanwhile. */
export const noteMovements = (seller: Seller, nowMs: number): void => {
  const note = (thing: object, movement: Omit<Movement, 'seller'>): void => {
    if (seller.noted.has(thing)) return
    seller.noted.add(thing)
    seller.movements.push({ ...movement, seller })
  }
  for (const payment of seller.payments) {
    if (payment.paidAtMs === null) continue
    const facts = { amount: payment.paidAmount, feeAmount: costOf(payment), atMs: payment.paidAtMs }
    note(payment, { kind: 'charge', thing: payment, reference: referenceOf(payment.id), ...facts })
  }
  for (const refund of seller.refunds) {
    if (refund.status !== 'completed') continue
    const reference = refund.reference ?? referenceOf(refund.id)
    note(refund, { kind: 'refund', thing: refund, reference, amount: refund.amount, feeAmount: null, atMs: nowMs })
  }
  for (const withdrawal of seller.withdrawals) {
    if (withdrawal.status !== 'completed') continue
    const facts = { amount: withdrawal.netAmount, feeAmount: null, atMs: nowMs }
    note(withdrawal, { kind: 'payout', thing: withdrawal, reference: referenceOf(withdrawal.id), ...facts })
  }
}

const lineOf = ({ kind, reference, amount, feeAmount, atMs }: Movement): Line => ({
  ...{ kind, reference, amount, feeAmount, atMs },
})

/** What a movement is with one thing wrong about it, and how that is found. */
type Planted = { fault: Fault; lines: Line[] }

const aboutMovement = (movement: Movement, what: string, found: () => Found[]): Fault => {
  const { seller, thing, kind: lineKind } = movement
  return { what, lineKind, seller, subjectId: () => (thing.id === '' ? null : thing.id), found }
}

const isThere = ({ kind, thing }: Movement): boolean =>
  kind !== 'payout' || !('status' in thing) || thing.status === 'completed'

const spoil = (movement: Movement, random: Random): Planted => {
  const line = lineOf(movement)
  const { amount, feeAmount } = line
  const what = random.pick([
    'doubled',
    'other_amount',
    'missing_there',
    feeAmount === null ? 'missing_there' : 'wrong_fee',
  ])
  const plant = (found: () => Found[], lines: Line[]): Planted => ({
    fault: aboutMovement(movement, what, found),
    lines,
  })
  if (what === 'doubled') {
    return plant(() => [{ kind: 'duplicate', providerAmount: amount, platformAmount: 0 }], [line, line])
  }
  if (what === 'other_amount') {
    const other = amount + random.between(1, 5_000)
    const found = { kind: 'amount', providerAmount: other, platformAmount: amount }
    return plant(() => [found], [{ ...line, amount: other, feeAmount: null }])
  }
  if (what === 'wrong_fee' && feeAmount !== null) {
    const other = feeAmount + random.between(1, 100)
    const found = { kind: 'fee', providerAmount: other, platformAmount: feeAmount }
    return plant(() => [found], [{ ...line, feeAmount: other }])
  }
  const found = { kind: 'missing_there', providerAmount: 0, platformAmount: amount }
  return plant(() => (isThere(movement) ? [found] : []), [])
}

/** Larger than what anybody here moves, so that it is nobody's by its amount. */
const NOBODYS_AMOUNT = 700_000_000

const invent = (random: Random, atMs: number): Planted => {
  const kind = random.pick(['payout', 'refund', 'charge', 'charge'] as const)
  const some = NOBODYS_AMOUNT + random.between(1, 900_000) * 100
  // What ends in 92 centavos does not go back: the acquirer refuses it.
  const amount = some + random.pick([92, random.between(1, 90)])
  const line = { kind, reference: `nobody${random.between(0, 1e12)}`, amount, feeAmount: null, atMs }
  const found = {
    kind: kind === 'charge' ? 'missing_here' : `unmatched_${kind}`,
    providerAmount: amount,
    platformAmount: 0,
  }
  const what = { payout: 'ghost_payout', refund: 'late_refund', charge: 'money_for_nothing' }[kind]
  return { fault: { what, lineKind: kind, seller: null, subjectId: () => null, found: () => [found] }, lines: [line] }
}

const UNPAID = ['pending', 'expired', 'canceled', 'failed']

/** The payer paid, and the callback that says so is lost. It may be heard later: then the day of the money is corrected. */
const lose = (seller: Seller, random: Random, atMs: number): Planted | undefined => {
  const among = seller.payments
    .filter((one) => UNPAID.includes(one.status) && one.isKnown && !seller.noted.has(one))
    .slice(-8)
  const payment = among[random.between(0, among.length - 1)]
  if (payment === undefined) return undefined
  // Its day is that of this line, whenever the platform hears of it.
  seller.noted.add(payment)
  const { amount } = payment
  const found = (): Found[] => {
    if (payment.paidAtMs === null) return [{ kind: 'missing_here', providerAmount: amount, platformAmount: 0 }]
    const { paidAmount: platformAmount } = payment
    return platformAmount === amount ? [] : [{ kind: 'amount', providerAmount: amount, platformAmount }]
  }
  const line = { kind: 'charge', reference: referenceOf(payment.id), amount, feeAmount: null, atMs }
  const about = { what: 'lost_callback', lineKind: 'charge' as const, seller, subjectId: () => payment.id }
  return { fault: { ...about, found }, lines: [line] }
}

/** What of a seller goes into the statement of a day, with faults where the day is to have some. */
export const statementOf = (seller: Seller, day: number, random: Random, isFaulty: boolean) => {
  const moved = seller.movements.filter(({ atMs }) => dayOf(atMs) === day)
  const planted: Planted[] = []
  const [first] = moved
  const atMs = day * 86_400_000 + 15 * 3_600_000
  const spoiled =
    isFaulty && first !== undefined && random.chance(0.5) ? moved[random.between(0, moved.length - 1)] : undefined
  if (spoiled) planted.push(spoil(spoiled, random))
  if (isFaulty && random.chance(0.15)) planted.push(invent(random, atMs))
  const lost = isFaulty && random.chance(0.25) ? lose(seller, random, atMs) : undefined
  if (lost) planted.push(lost)
  const lines = [...moved.filter((one) => one !== spoiled).map(lineOf), ...planted.flatMap((one) => one.lines)]
  return { lines, faults: planted.map(({ fault }) => fault) }
}

/** The file of a day, as an administrator hands it in. */
export const statementForm = (day: number, lines: readonly Line[]): FormData => {
  const rows = lines.map(({ kind, reference, amount, feeAmount, atMs }) =>
    [kind, reference, amount, feeAmount ?? '', new Date(atMs).toISOString()].join(','),
  )
  const form = new FormData()
  form.append('provider', 'sandbox')
  form.append('date', dateOf(day))
  form.append('file', new Blob([['kind,reference,amount,fee_amount,happened_at', ...rows].join('\n')]), 'day.csv')
  return form
}
