import type { Fee, Method } from './book.ts'
import { ok, refused, share, split } from './book.ts'
import { dateOf } from './calendar.ts'
import { feeFor, feeOf, settlementDay } from './payments.ts'
import { expectReply, note, type Shop } from './shop.ts'

/** What administrators change, and what it must not change: what exists keeps its terms. */

export const changeReserve = async (shop: Shop): Promise<void> => {
  const { random, client, admin, seller, reserveConfigId } = shop
  const reserve = {
    bps: random.pick([0, 1, 500, 1_000, 3_333, 10_000]),
    days: random.pick([1, 2, 3, 5, 8, 30]),
    isActive: random.chance(0.85),
  }
  note(shop, JSON.stringify(reserve))
  const body = { reservePercentage: reserve.bps / 100, reserveDays: reserve.days, isActive: reserve.isActive }
  expectReply('reserve', await client.put(`admin/reserve-configs/${reserveConfigId}`, { as: admin, body }), ok(200))
  seller.reserve = reserve
}

export const changeWithdrawals = async (shop: Shop): Promise<void> => {
  const { random, client, admin, seller, withdrawalConfigId } = shop
  const { feeBps, ...terms } = {
    minAmount: random.pick([1, 100, 1_000]),
    maxAmount: random.pick([50_000, 5_000_000]),
    dailyLimitAmount: random.pick([100_000, 1_000_000, 10_000_000]),
    feeBps: random.pick([0, 50, 333]),
    feeFixedAmount: random.pick([0, 0, 100]),
    autoApproveMaxAmount: random.pick([0, 5_000, 1_000_000]),
    isActive: random.chance(0.92),
  }
  note(shop, JSON.stringify({ feeBps, ...terms }))
  const body = { ...terms, feePercentage: feeBps / 100 }
  const reply = await client.put(`admin/withdrawal-configs/${withdrawalConfigId}`, { as: admin, body })
  expectReply('withdrawal terms', reply, ok(200))
  seller.terms = { feeBps, ...terms }
}

/** A seller may not sell for a while; what is approved already must wait. */
export const changeApproval = async (shop: Shop): Promise<void> => {
  const { random, client, admin, seller, companyId } = shop
  const what = seller.isApproved && random.chance(0.7) ? 'suspend' : 'reactivate'
  note(shop, what)
  const path = `admin/enterprises/${companyId}/${what}`
  const reply = await client.post(path, { as: admin, body: { reason: 'a look at it' } })
  if (what === 'reactivate' && seller.isApproved) {
    return expectReply(what, reply, refused(409, 'company.not_suspended'))
  }
  expectReply(what, reply, ok(200))
  seller.isApproved = what === 'reactivate'
}

const overlaps = (fees: readonly Fee[], fee: Fee): boolean =>
  fees.some(
    (other) => other.id !== fee.id && other.method === fee.method && other.from <= fee.to && fee.from <= other.to,
  )

const newTerms = ({ random }: Shop, method: Method) => ({
  bps: random.pick([0, 99, 250, 333, 1_234, 10_000]),
  fixedAmount: random.pick([0, 0, 39, 100]),
  minAmount: random.chance(0.2) ? random.between(0, 50) : null,
  maxAmount: random.chance(0.2) ? random.between(50, 5_000) : null,
  settlementDays: random.pick(method === 'credit_card' ? [3, 7, 10] : method === 'boleto' ? [0, 1, 2] : [0, 0, 1, 3]),
})

const bodyOf = ({ bps, fixedAmount, minAmount, maxAmount, settlementDays }: ReturnType<typeof newTerms>) => ({
  percentage: bps / 100,
  fixedAmount,
  minAmount,
  maxAmount,
  settlementDays,
})

/** A fee of the seller's own: a new one, or a new version of one. */
export const changeFee = async (shop: Shop): Promise<void> => {
  const { random, client, admin, seller } = shop
  const known = seller.fees[random.between(0, seller.fees.length - 1)]
  if (known && random.chance(0.6)) return changeKnownFee(shop, known)
  const method = random.pick<Method>(['pix', 'boleto', 'credit_card'])
  const from = method === 'credit_card' ? random.between(1, 12) : 1
  const to = method === 'credit_card' ? random.between(from, 12) : 1
  const terms = newTerms(shop, method)
  note(shop, JSON.stringify({ method, from, to, ...terms }))
  const body = { sellerId: seller.id, method, installmentsFrom: from, installmentsTo: to, ...bodyOf(terms) }
  const reply = await client.post('fees', { as: admin, body })
  const fee: Fee = { id: reply.body?.id, method, from, to, ...terms, used: false }
  if (overlaps(seller.fees, fee)) return expectReply('fee', reply, refused(409, 'fee.overlaps'))
  expectReply('fee', reply, ok(201))
  seller.fees.push(fee)
}

const changeKnownFee = async (shop: Shop, fee: Fee): Promise<void> => {
  const { random, client, admin, seller } = shop
  const isClosed = random.chance(0.3)
  const terms = newTerms(shop, fee.method)
  note(shop, `${fee.id} ${isClosed ? 'closed' : JSON.stringify(terms)}`)
  const body = isClosed ? { isActive: false } : bodyOf(terms)
  const reply = await client.put(`fees/${fee.id}`, { as: admin, body })
  expectReply('fee', reply, ok(200))
  seller.fees = seller.fees.filter((one) => one !== fee)
  if (!isClosed) seller.fees.push({ ...fee, ...terms, id: reply.body.id, used: false })
}

/** What is promised to a payment that might be made must be what it would cost. */
export const simulate = async (shop: Shop): Promise<void> => {
  const { random, client, account, seller, world } = shop
  const method = random.pick<Method>(['pix', 'boleto', 'credit_card'])
  const installments = method === 'credit_card' ? random.between(1, 12) : 1
  const amount = random.between(1, 100_000)
  note(shop, `${method} ${amount} in ${installments}`)
  const body = { method, amount, ...(method === 'credit_card' ? { installments } : {}) }
  const reply = await client.post('fees/simulate', { as: account, body })
  const fee = feeFor(world, seller, method, installments)
  if (fee === undefined) return expectReply('simulate', reply, refused(422, 'fee.not_configured'))
  const feeAmount = feeOf(amount, fee)
  const netAmount = amount - feeAmount
  const parts = split(netAmount, installments)
  const settlements = parts.map((part, index) => ({
    installment: index + 1,
    amount: part,
    availableOn: dateOf(settlementDay(world, fee, index + 1)),
  }))
  const bps = seller.reserve.isActive ? seller.reserve.bps : 0
  const reserveAmount = parts.reduce((sum, part) => sum + share(part, bps), 0)
  expectReply('simulate', reply, ok(200, { amount, feeAmount, netAmount, reserveAmount, settlements }))
}

/** Another seller's things look exactly like missing ones. */
export const touchForeign = async (shop: Shop): Promise<void> => {
  const { random, client, account, seller, foreignIds } = shop
  const id = random.pick([crypto.randomUUID(), foreignIds[random.between(0, foreignIds.length - 1)] ?? seller.id])
  const what = random.pick(['cancel', 'capture', 'refunds'] as const)
  note(shop, `${what} ${id}`)
  const named = what === 'refunds' ? { key: `foreign-${id}-${random.between(0, 1e12)}`, body: {} } : {}
  const reply = await client.post(`payments/${id}/${what}`, { as: account, ...named })
  expectReply('foreign', reply, refused(404, 'payment.not_found'))
}
