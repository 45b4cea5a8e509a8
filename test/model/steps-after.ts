import type { Answer, Dispute, Refund, Word } from './book.ts'
import { ok, referenceOf, refused } from './book.ts'
import { callbackText } from './client.ts'
import { leftOf, refundRefusal, takeRefund } from './refunds.ts'
import { expectReply, hearWord, note, type Shop, sendNamed } from './shop.ts'
import { pickPayment } from './steps-payments.ts'
import { disputeView, expectDisputes, expectPayment, expectRefunds, refundView } from './views.ts'

const RECENT = 12
/** How long a seller has to answer a claim. */
const DEFENSE_MS = 7 * 86_400_000
const HALF_AN_HOUR_MS = 1_800_000
const WAS_PAID = ['paid', 'partially_refunded', 'in_dispute']

/** Of two refunds of one payment that the acquirer refuses in the same moment, nobody says which comes first. */
const hasRefusedOnItsWay = ({ seller }: Shop, paymentId: string): boolean =>
  seller.refunds.some(
    ({ payment, status, amount }) => payment.id === paymentId && status === 'processing' && amount % 100 === 92,
  )

export const refund = async (shop: Shop): Promise<void> => {
  const { random, seller, world } = shop
  const payment = pickPayment(shop, ({ status }) => random.chance(0.1) || WAS_PAID.includes(status))
  if (payment === undefined) return
  const left = Math.max(1, leftOf(seller, payment))
  let amount = random.chance(0.25) ? undefined : random.between(1, left + random.pick([0, 0, 0, 5]))
  if (amount !== undefined && amount > 200 && random.chance(0.4)) {
    amount = amount - (amount % 100) - 100 + random.pick([91, 92, 92])
  }
  if ((amount ?? left) % 100 === 92 && hasRefusedOnItsWay(shop, payment.id)) return
  const act = (id: string): Answer => {
    const refusal = refundRefusal(seller, payment, amount, world.nowMs)
    if (refusal) return refused(...refusal)
    return ok(201, refundView(takeRefund(seller, payment, id, amount ?? leftOf(seller, payment))))
  }
  const key = `refund-${random.between(0, 1e12)}`
  note(shop, `${payment.id} ${amount}`)
  const body = amount === undefined ? {} : { amount }
  await sendNamed(shop, { path: `payments/${payment.id}/refunds`, key, body, act })
  await expectPayment(shop, payment)
}

/** Sends words of the acquirer, each maybe twice, and lets the model hear them. */
const say = async (shop: Shop, words: readonly Word[]): Promise<void> => {
  const { random, client } = shop
  for (const word of words) {
    const text = callbackText([word])
    const copies = random.pick([1, 1, 2])
    const replies = await Promise.all(Array.from({ length: copies }, () => client.callBack(text)))
    for (const reply of replies) expectReply('callback', reply, ok(200))
    await hearWord(shop, word)
  }
}

const wordOn = ({ id }: Refund, status: string): Word => {
  const state = status === 'failed' ? { status, reason: 'told_so' } : { status }
  return { kind: 'refund', reference: referenceOf(id), state }
}

/** The acquirer says by itself what became of a refund, right or late. */
export const tellRefund = async (shop: Shop): Promise<void> => {
  const { random, seller } = shop
  const among = seller.refunds.filter(({ reference }) => reference === undefined).slice(-RECENT)
  const one = among[random.between(0, among.length - 1)]
  if (one === undefined) return
  const statuses = [random.pick(['completed', 'failed', 'processing']), random.pick(['completed', 'failed'])]
  const told = random.chance(0.7) ? statuses.slice(0, 1) : statuses
  note(shop, `${one.id} ${told.join(',')}`)
  await say(
    shop,
    told.map((status) => wordOn(one, status)),
  )
  await expectRefunds(shop, one.payment)
  await expectPayment(shop, one.payment)
}

/** Money goes back that nobody here asked for: an operator of the acquirer, or the payer's bank, sent it. */
export const refundAtAcquirer = async (shop: Shop): Promise<void> => {
  const { random, seller } = shop
  const payment = pickPayment(shop, ({ status }) => random.chance(0.1) || WAS_PAID.includes(status))
  if (payment === undefined) return
  const amount = random.between(1, Math.max(1, leftOf(seller, payment)) + random.pick([0, 0, 5]))
  const reference = `begun${random.between(0, 1e12)}`
  note(shop, `${payment.id} ${amount} ${reference}`)
  const begun = { chargeReference: referenceOf(payment.id), amount, reason: null }
  const status = random.pick(['completed', 'completed', 'completed', 'processing'])
  await say(shop, [{ kind: 'refund', reference, state: { status }, begun }])
  await expectRefunds(shop, payment)
  await expectPayment(shop, payment)
}

export const dispute = async (shop: Shop): Promise<void> => {
  const { random, world, platform } = shop
  const payment = pickPayment(shop, ({ status }) => random.chance(0.1) || WAS_PAID.includes(status))
  if (payment === undefined) return
  const amount = random.chance(0.6) ? payment.amount : random.between(1, payment.amount + 10)
  const type = payment.method === 'credit_card' ? 'chargeback' : 'med'
  const reference = `claim${random.between(0, 1e12)}`
  // Half past the hour where the clock goes on, so that no jump of it ends within seconds of the deadline.
  const respondByMs = world.nowMs + DEFENSE_MS + (platform.isExact ? 0 : HALF_AN_HOUR_MS)
  const respondBy = new Date(respondByMs).toISOString()
  const chargeReference = referenceOf(payment.id)
  const opening = { status: 'open', type, chargeReference, amount, reason: 'A claim.', respondBy }
  const words: Word[] = [{ kind: 'dispute', reference, state: opening }]
  // A verdict that overtakes its claim waits for it.
  if (random.chance(0.1)) words.unshift({ kind: 'dispute', reference, state: { status: random.pick(['won', 'lost']) } })
  note(shop, `${payment.id} ${amount} ${reference}${words.length > 1 ? ' verdict first' : ''}`)
  await say(shop, words)
  await expectPayment(shop, payment)
  await expectDisputes(shop, payment)
}

const pickDispute = ({ seller, random }: Shop): Dispute | undefined => {
  const running = seller.disputes.filter(({ status }) => status === 'open' || status === 'under_review')
  const among = random.chance(0.85) ? running : seller.disputes.slice(-RECENT)
  return among[random.between(0, among.length - 1)]
}

/** Claims that came through the sandbox are decided there too: only it knows their references. */
const BY_SANDBOX = 'sandbox'

const resolve = async (shop: Shop, { id, reference }: Dispute, outcome: string) => {
  const { client, account } = shop
  const reply = await client.post(`sandbox/disputes/${id}/resolve`, { as: account, body: { outcome } })
  expectReply('resolve', reply, ok(202))
  await hearWord(shop, { kind: 'dispute', reference, state: { status: outcome } })
}

export const verdict = async (shop: Shop): Promise<void> => {
  const { random } = shop
  const one = pickDispute(shop)
  if (one === undefined) return
  const status = random.pick(['won', 'lost', 'lost', 'canceled'])
  note(shop, `${one.reference} ${status}`)
  if (one.reference.startsWith(BY_SANDBOX)) await resolve(shop, one, status === 'canceled' ? 'won' : status)
  else await say(shop, [{ kind: 'dispute', reference: one.reference, state: { status } }])
  await expectPayment(shop, one.payment)
  await expectDisputes(shop, one.payment)
}

export const defend = async (shop: Shop): Promise<void> => {
  const { client, account, world } = shop
  const one = pickDispute(shop)
  if (one === undefined || one.id === '') return
  const found = await client.get(`disputes/${one.id}`, { as: account })
  expectReply('dispute', found, ok(200, disputeView(one)))
  const isLate = world.nowMs > one.respondByMs
  note(shop, `${one.reference}${isLate ? ' late' : ''}`)
  const form = new FormData()
  form.append('text', 'It was delivered.')
  const reply = await client.post(`disputes/${one.id}/defense`, { as: account, form })
  if (one.status !== 'open') return expectReply('defense', reply, refused(409, 'dispute.not_open'))
  if (isLate) return expectReply('defense', reply, refused(409, 'dispute.defense_too_late'))
  one.status = 'under_review'
  expectReply('defense', reply, ok(200, disputeView(one)))
}

/** A claim through the hands of the sandbox: both doors must lead to the same. */
export const disputeSandbox = async (shop: Shop): Promise<void> => {
  const { client, account, seller } = shop
  const payment = pickPayment(shop, ({ status, method }) => method === 'pix' && WAS_PAID.includes(status))
  if (payment === undefined || payment.status === 'in_dispute') return
  note(shop, payment.id)
  const reply = await client.post(`sandbox/payments/${payment.id}/dispute`, { as: account, body: { type: 'med' } })
  expectReply('dispute', reply, ok(202))
  const { nowMs } = shop.world
  const respondBy = new Date(nowMs + DEFENSE_MS).toISOString()
  const claim = { chargeReference: referenceOf(payment.id), amount: payment.paidAmount, respondBy }
  const state = { status: 'open', ...claim }
  const reference = `${BY_SANDBOX}${seller.disputes.length}`
  await hearWord(shop, { kind: 'dispute', reference, state })
  await expectPayment(shop, payment)
  await expectDisputes(shop, payment)
}
