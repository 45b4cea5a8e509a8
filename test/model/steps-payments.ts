import type { Answer, Method, Payment } from './book.ts'
import { ok, referenceOf, refused } from './book.ts'
import { callbackText } from './client.ts'
import { type Asked, hearCharge, makePayment } from './payments.ts'
import { expectReply, hearWord, note, type Shop, sendNamed } from './shop.ts'
import { expectPayment, paymentView } from './views.ts'

const HOUR_MS = 3_600_000
const RECENT = 12
export const PAYER = { name: 'Francisco da Silva', document: '52998224725' }

/** Mostly one of the last payments, so that things happen to the same one; undefined while there is none. */
export const pickPayment = (
  { seller, random }: Shop,
  fits: (payment: Payment) => boolean = () => true,
): Payment | undefined => {
  const fitting = seller.payments.filter(fits)
  const among = random.chance(0.8) ? fitting.slice(-RECENT) : fitting
  return among[random.between(0, among.length - 1)]
}

/** Amounts at which rounding, fees and reserves are interesting. */
export const pickAmount = ({ random }: Shop): number =>
  random.pick([
    random.between(1, 60),
    random.between(61, 2_000),
    random.between(2_001, 50_000),
    random.between(2_001, 50_000),
    random.between(50_001, 3_000_000),
    random.between(1, 400) * 100 + random.pick([50, 91, 92]),
  ])

/** A card by what its acquirer will do. */
export const pickCard = ({ random }: Shop): string =>
  `tok_model_000${random.pick(['0', '1', '4', '0', '1', '4', '2', '3', '5', '6', '6', '7', '8'])}`

type Body = Asked & { customer?: object }

const newBody = (shop: Shop): Body => {
  const { random, platform } = shop
  const method = random.pick<Method>(['pix', 'pix', 'pix', 'boleto', 'credit_card', 'credit_card'])
  const amount = pickAmount(shop)
  if (method === 'boleto') return { method, amount, customer: PAYER }
  if (method === 'pix') {
    // Half past the hour, so that no jump of the clock ends in the very moment. The default is a day to the second,
    // which only a clock that stands still tells from a jump of a day.
    const expiresInSeconds = random.between(1, 200) * 3_600 + 1_800
    return random.chance(0.5) && platform.isExact ? { method, amount } : { method, amount, expiresInSeconds }
  }
  const body: Body = { method, amount, cardToken: pickCard(shop) }
  if (random.chance(0.7)) body.installments = random.between(1, 12)
  if (random.chance(0.35)) body.capture = random.chance(0.2)
  return body
}

const act = ({ seller, world, platform }: Shop, body: Body, id: string): Answer => {
  if (!seller.isApproved) return refused(403, 'seller.not_approved')
  const payment = makePayment(world, seller, body, { id, link: undefined })
  return payment ? ok(201, paymentView(payment, platform.isExact)) : refused(422, 'fee.not_configured')
}

export const createPayment = async (shop: Shop): Promise<void> => {
  const { random, client, account, platform } = shop
  const body = newBody(shop)
  note(shop, JSON.stringify(body))
  if (platform.isExact && random.chance(0.1)) {
    const reply = await client.post('payments', { as: account, body })
    return expectReply('POST payments', reply, act(shop, body, reply.body?.id))
  }
  const key = `payment-${random.between(0, 1e12)}`
  await sendNamed(shop, { path: 'payments', key, body, act: (id) => act(shop, body, id) })
}

/** A client repeats itself, sometimes with another body by mistake. */
export const repeat = async (shop: Shop): Promise<void> => {
  const { named, random } = shop
  const among = random.chance(0.8) ? named.slice(-RECENT) : named
  const sent = among[random.between(0, among.length - 1)]
  if (sent === undefined) return
  const isAltered = random.chance(0.3)
  note(shop, `${sent.path} ${sent.key}${isAltered ? ' altered' : ''}`)
  const first = shop.seller.answers.get(`${sent.path} ${sent.key}`)
  // Another body under a key whose day is over would be a new request, which the model does not know how to do.
  const isFresh = first !== undefined && shop.world.nowMs - first.atMs < 24 * HOUR_MS
  const { mistakenBody = { ...sent.body, amount: 7 } } = sent
  const body = isAltered && isFresh ? mistakenBody : sent.body
  await sendNamed(shop, { ...sent, body })
}

/** The payer, through the hands of the sandbox: what it does is also what the acquirer remembers. */
export const paySandbox = async (shop: Shop): Promise<void> => {
  const { random, client, account } = shop
  const payment = pickPayment(shop, ({ status }) => random.chance(0.2) || !['paid', 'failed'].includes(status))
  if (payment === undefined) return
  const what = random.pick(['pay', 'pay', 'pay', 'pay', 'pay', 'expire', 'fail'])
  const amount = random.chance(0.75) ? payment.amount : Math.max(1, payment.amount + random.between(-50, 50))
  note(shop, `${what} ${payment.id} ${amount}`)
  const body = amount === payment.amount || what !== 'pay' ? undefined : { amount }
  const reply = await client.post(`sandbox/payments/${payment.id}/${what}`, { as: account, body })
  expectReply(what, reply, ok(202, { status: 'accepted' }))
  const states = {
    pay: { status: 'paid', paidAmount: amount },
    expire: { status: 'expired', reason: null },
    fail: { status: 'failed', reason: 'provider_refused' },
  }
  const state = states[what as keyof typeof states]
  payment.charge = { status: state.status, amount: what === 'pay' ? amount : payment.amount }
  await hearWord(shop, { kind: 'charge', reference: referenceOf(payment.id), state })
  await expectPayment(shop, payment)
}

const pickState = (shop: Shop, payment: Payment): Record<string, unknown> => {
  const { random } = shop
  const status = random.pick(['paid', 'paid', 'paid', 'paid', 'failed', 'expired', 'canceled'])
  const paidAmount = random.chance(0.8) ? payment.amount : Math.max(1, payment.amount + random.between(-9, 9))
  return status === 'paid' ? { status, paidAmount, endToEndId: null } : { status, reason: null }
}

/** The acquirer's callbacks: several in any order, the same ones again, some about what nobody knows. */
export const callBack = async (shop: Shop): Promise<void> => {
  const { random, client } = shop
  const payment = pickPayment(shop)
  if (payment === undefined) return
  const reference = random.chance(0.05) ? referenceOf(crypto.randomUUID()) : referenceOf(payment.id)
  const states = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () => pickState(shop, payment))
  note(shop, `${payment.id} ${JSON.stringify(states)}`)
  for (const state of states) {
    const word = { kind: 'charge' as const, reference, state }
    const text = callbackText([word])
    const copies = random.pick([1, 1, 2, 3])
    const replies = await Promise.all(Array.from({ length: copies }, () => client.callBack(text)))
    for (const reply of replies) expectReply('callback', reply, ok(200))
    await hearWord(shop, word)
  }
  await expectPayment(shop, payment)
}

export const cancel = async (shop: Shop): Promise<void> => {
  const { client, account, seller, world, platform } = shop
  const payment = pickPayment(shop)
  if (payment === undefined) return
  note(shop, payment.id)
  const { charge, status } = payment
  const canEnd = charge === undefined || ['pending', 'authorized', 'canceled'].includes(charge.status)
  const isOpen = ['pending', 'authorized'].includes(status) && canEnd
  if (isOpen) {
    if (charge) charge.status = 'canceled'
    hearCharge(world, seller, payment, { status: 'canceled' })
  }
  const isDone = isOpen || status === 'canceled'
  const reply = await client.post(`payments/${payment.id}/cancel`, { as: account })
  const view = () => paymentView(payment, platform.isExact)
  expectReply('cancel', reply, isDone ? ok(200, view()) : refused(409, 'payment.not_cancelable'))
}

export const capture = async (shop: Shop): Promise<void> => {
  const { client, account, seller, world, platform } = shop
  const payment = pickPayment(shop, ({ method }) => method === 'credit_card')
  if (payment === undefined) return
  note(shop, payment.id)
  const { charge } = payment
  const wasDone = payment.status === 'paid' && !payment.capture
  if (payment.status === 'authorized' && charge && ['authorized', 'paid'].includes(charge.status)) {
    charge.status = 'paid'
    hearCharge(world, seller, payment, charge)
  } else if (!wasDone) {
    const reply = await client.post(`payments/${payment.id}/capture`, { as: account })
    return expectReply('capture', reply, refused(409, 'payment.not_capturable'))
  }
  const reply = await client.post(`payments/${payment.id}/capture`, { as: account })
  const isPaid = payment.status === 'paid'
  const view = paymentView(payment, platform.isExact)
  expectReply('capture', reply, isPaid ? ok(200, view) : refused(409, 'payment.not_capturable'))
}
