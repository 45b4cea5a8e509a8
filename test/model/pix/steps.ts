import type { Answer } from '../../support/app.ts'
import { runPixJobs } from '../../support/psp/pix-app.ts'
import { until } from '../../support/until.ts'
import { agree, type Payment, type Received, type World } from './world.ts'

const DUE_MS = 30 * 86_400_000

export const reais = (amount: number): string => (amount / 100).toFixed(2)

export const pick = ({ random, payments }: World, fits: (payment: Payment) => boolean): Payment | undefined => {
  const fitting = payments.filter(fits)
  return fitting[random.between(0, fitting.length - 1)]
}

/** A minute passes, after which what has no end is asked about again. */
export const later = async ({ app }: World, jobs: Parameters<typeof runPixJobs>[1]): Promise<void> => {
  app.clock.setOffsetMs(app.clock.offsetMs() + 61_000)
  await runPixJobs(app, jobs)
}

/** All that the PSP has told, or has in its list, is worked on. */
export const hear = async ({ app }: World, isLost: boolean): Promise<void> => {
  if (isLost) await runPixJobs(app, ['readReceivedPix'])
  else await app.services.providerEvents.idle()
}

const noted = async ({ app, payments }: World, { status, body }: Answer, isOfLink = false): Promise<void> => {
  agree('the answer to a new payment', [status, body.status], [201, 'pending'])
  const { id, amount } = body
  // What a payer through a link is answered does not say it.
  const { rows } = await app.sql.query(
    "select reference as txid from provider_references where kind = 'charge' and resource_id = $1",
    [id],
  )
  payments.push({
    ...{ id, amount, txid: rows[0].txid, status: 'pending', paidBy: undefined },
    ...{ hasClaim: false, openClaim: undefined, expiresAt: new Date(body.expiresAt), isOfLink },
  })
}

export const create = async (world: World): Promise<void> => {
  const { app, random, seller } = world
  const body = { method: 'pix', amount: random.between(100, 50_000) }
  await noted(world, await app.api.post('payments', { token: seller.token, body }))
}

/** One that falls due in a month, with a fine after that. */
export const createDue = async (world: World): Promise<void> => {
  const { app, random, seller } = world
  const dueDate = new Date(app.clock.now().getTime() + DUE_MS).toISOString().slice(0, 10)
  const customer = { name: 'Francisco da Silva', document: '52998224725' }
  const body = { method: 'pix', amount: random.between(100, 50_000), dueDate, fine: { percentage: 2 }, customer }
  await noted(world, await app.api.post('payments', { token: seller.token, body }))
}

/** Somebody whom nobody knows pays through the link. */
export const createOfLink = async (world: World): Promise<void> => {
  await noted(
    world,
    await world.app.api.post(`payment-links/${world.linkHash}/payments`, { body: { method: 'pix' } }),
    true,
  )
}

const judge = (payment: Payment, pix: Received): void => {
  if (payment.paidBy !== undefined || pix.amount < payment.amount) return
  pix.end = 'booked'
  payment.paidBy = pix
  payment.status = 'paid'
}

const CALLBACKS = ['told', 'told', 'told', 'double', 'drop'] as const

/** A payer pays: what is asked for or another amount, again, after the end; its callback comes once, twice or never. */
export const pay = async (world: World): Promise<void> => {
  const { psp, random, received } = world
  const payment = pick(world, () => true)
  if (payment === undefined) return
  const amount = random.chance(0.7) ? payment.amount : Math.max(1, payment.amount + random.between(-60, 60))
  const callback = random.pick(CALLBACKS)
  world.trace.push(`  ${reais(amount)} of ${reais(payment.amount)}, ${callback}, ${payment.id}`)
  if (callback !== 'told') await psp.control.plant({ on: 'callback', action: { kind: callback }, count: 1 })
  const { endToEndId } = await psp.control.pay({ txid: payment.txid, amount: reais(amount), force: true })
  const pix: Received = { endToEndId, amount, end: 'open', backAmount: 0 }
  received.push(pix)
  judge(payment, pix)
  if (callback !== 'drop') {
    await until(`the callback of ${endToEndId} is here`, async () => {
      const { rows } = await world.app.sql.query('select from received_pix where end_to_end_id = $1', [endToEndId])
      return rows.length > 0
    })
  }
  await hear(world, callback === 'drop')
}

/** Somebody pays the platform's key, and no charge. */
export const payKey = async (world: World): Promise<void> => {
  const amount = world.random.between(1, 9_000)
  const { endToEndId } = await world.psp.control.pay({ key: world.psp.client.key, amount: reais(amount) })
  world.received.push({ endToEndId, amount, end: 'open', backAmount: 0 })
  await hear(world, true)
}

export const cancel = async (world: World): Promise<void> => {
  const payment = pick(world, ({ status }) => status === 'pending')
  if (payment === undefined) return
  const { status } = await world.app.api.post(`payments/${payment.id}/cancel`, { token: world.seller.token })
  // What came in short leaves the charge paid at the PSP, which ends it no more.
  if (status === 200) payment.status = 'canceled'
  else agree('the answer to a cancellation', status, 409)
}

export const refund = async (world: World): Promise<void> => {
  const { app, random, seller } = world
  const payment = pick(
    world,
    ({ paidBy, hasClaim }) => paidBy !== undefined && !hasClaim && paidBy.backAmount < paidBy.amount,
  )
  const pix = payment?.paidBy
  if (payment === undefined || pix === undefined) return
  const amount = random.between(1, pix.amount - pix.backAmount)
  const headers = { 'idempotency-key': `r-${random.between(0, 1e12)}` }
  const asked = { token: seller.token, headers, body: { amount } }
  const { status } = await app.api.post(`payments/${payment.id}/refunds`, asked)
  if (status === 422) return
  agree('the answer to a refund', status, 201)
  await runPixJobs(app, ['sendRefunds'])
  pix.backAmount += amount
  await until('the refund has an end', async () => {
    await later(world, ['reconcileRefunds'])
    const { body } = await app.api.get(`payments/${payment.id}`, { token: seller.token })
    return body.refundedAmount === pix.backAmount
  })
}

/** An administrator sends money back that is no payment. */
export const sendBack = async (world: World): Promise<void> => {
  const { app, random, received, admin } = world
  const open = received.filter(({ end }) => end === 'open')
  const pix = open[random.between(0, open.length - 1)]
  if (pix === undefined) return
  const body = { resolution: 'refund_payer', reason: 'Not ours.' }
  const { status } = await app.api.post(`admin/received-pix/${pix.endToEndId}/resolve`, { token: admin, body })
  agree('the answer to a resolution', status, 200)
  await until('it has gone back', async () => {
    await later(world, ['refundReceivedPix'])
    const { rows } = await app.sql.query('select status from received_pix where end_to_end_id = $1', [pix.endToEndId])
    return rows[0].status === 'refunded'
  })
  pix.end = 'refunded'
  pix.backAmount = pix.amount
}

/** Two days pass: what nobody paid is over, but for what falls due later. */
export const expire = async ({ app, payments }: World): Promise<void> => {
  app.clock.setOffsetMs(app.clock.offsetMs() + 2 * 86_400_000)
  await runPixJobs(app, ['expirePayments'])
  const now = app.clock.now()
  for (const payment of payments) {
    if (payment.status === 'pending' && payment.expiresAt <= now) payment.status = 'expired'
  }
}
