import { randomUUID } from 'node:crypto'
import { referenceOf } from '../model/book.ts'
import { callbackText, type Reply } from '../model/client.ts'
import type { Shop } from '../model/shop.ts'
import type { Stage } from './stage.ts'

/** One way in which money moves. `prepare` brings a new seller to where it begins and answers what moves it. */
export type Operation = {
  name: string
  prepare: (stage: Stage, shop: Shop) => Promise<() => Promise<void>>
}

const PAYER = { name: 'Francisco da Silva', document: '52998224725' }
const PIX = { method: 'pix', amount: 10_000 }
const BOLETO = { method: 'boleto', amount: 10_000, customer: PAYER }
const CARD = { method: 'credit_card', amount: 10_000, installments: 3, cardToken: 'tok_crash_0001' }
const LOST_CARD = { ...CARD, cardToken: 'tok_crash_0006' }
const RECEIVER = { pixKeyType: 'email', pixKey: 'financeiro@padaria.com.br' }

const expectStatus = ({ status, text, wasCut }: Reply, expected: number): void => {
  // What was cut off after it was done is refused as done when it is asked for again.
  if (status === expected || (wasCut && status === 409)) return
  throw new Error(`answered ${status}: ${text}`)
}

type Named = { path: string; body: object; key: string }

const named = (path: string, body: object): Named => ({ path, body, key: randomUUID() })

const send = async ({ client, account }: Shop, { path, body, key }: Named): Promise<Reply> => {
  const reply = await client.post(path, { as: account, body, key })
  expectStatus(reply, 201)
  return reply
}

const create = async (shop: Shop, body: object): Promise<string> => (await send(shop, named('payments', body))).body.id

const tell = async ({ client, settle }: Stage, text: string): Promise<void> => {
  expectStatus(await client.callBack(text), 200)
  await settle()
}

const chargeText = (id: string, state: Record<string, unknown>): string =>
  callbackText([{ kind: 'charge', reference: referenceOf(id), state }])

const paidText = (id: string): string => chargeText(id, { status: 'paid', paidAmount: 10_000, endToEndId: null })

const setReserve = async ({ client, admin, reserveConfigId }: Shop, days: number): Promise<void> => {
  const body = { reservePercentage: 10, reserveDays: days, isActive: true }
  expectStatus(await client.put(`admin/reserve-configs/${reserveConfigId}`, { as: admin, body }), 200)
}

/** A paid Pix of 100 reais, a tenth of it in reserve. */
const paidPix = async (stage: Stage, shop: Shop, reserveDays = 30): Promise<string> => {
  await setReserve(shop, reserveDays)
  const id = await create(shop, PIX)
  await tell(stage, paidText(id))
  return id
}

const withdrawn = async (stage: Stage, shop: Shop, amount: number): Promise<string> => {
  await paidPix(stage, shop)
  return (await send(shop, named('withdrawals', { amount, ...RECEIVER }))).body.id
}

const approve = async ({ client, admin }: Stage, id: string): Promise<void> =>
  expectStatus(await client.post(`admin/withdrawals/${id}/approve`, { as: admin }), 200)

const creating = (name: string, body: object): Operation => ({
  name,
  prepare: async (_stage, shop) => {
    const request = named('payments', body)
    return async () => void (await send(shop, request))
  },
})

const command = (name: string, body: object, verb: string): Operation => ({
  name,
  prepare: async (_stage, shop) => {
    const id = await create(shop, body)
    return async () => expectStatus(await shop.client.post(`payments/${id}/${verb}`, { as: shop.account }), 200)
  },
})

const refunding = async (stage: Stage, shop: Shop, amount: number): Promise<void> => {
  const id = await paidPix(stage, shop)
  await send(shop, named(`payments/${id}/refunds`, { amount }))
}

const openingText = (id: string, reference: string): string => {
  const claim = { type: 'med', amount: 10_000, reason: 'A claim.', respondBy: '2040-02-01T00:00:00.000Z' }
  const state = { status: 'open', chargeReference: referenceOf(id), ...claim }
  return callbackText([{ kind: 'dispute', reference, state }])
}

const verdict = (status: string): Operation => ({
  name: `a dispute is ${status}`,
  prepare: async (stage, shop) => {
    const reference = `claim${randomUUID()}`
    await tell(stage, openingText(await paidPix(stage, shop), reference))
    const text = callbackText([{ kind: 'dispute', reference, state: { status } }])
    return () => tell(stage, text)
  },
})

const deciding = (name: string, verb: string, body?: object): Operation => ({
  name,
  prepare: async (stage, shop) => {
    const id = await withdrawn(stage, shop, 5_000)
    return async () => {
      const asked = { as: stage.admin, ...(body ? { body } : {}) }
      expectStatus(await stage.client.post(`admin/withdrawals/${id}/${verb}`, asked), 200)
    }
  },
})

const payingOut = (name: string, amount: number): Operation => ({
  name,
  prepare: async (stage, shop) => {
    await approve(stage, await withdrawn(stage, shop, amount))
    return () => stage.run('payWithdrawals')
  },
})

const tellingOfPayout = (name: string, amount: number, status: string): Operation => ({
  name,
  prepare: async (stage, shop) => {
    const id = await withdrawn(stage, shop, amount)
    await approve(stage, id)
    await stage.run('payWithdrawals')
    const state = status === 'completed' ? { status, endToEndId: null } : { status, reason: 'told_so' }
    const text = callbackText([{ kind: 'payout', reference: referenceOf(id), state }])
    return () => tell(stage, text)
  },
})

export const OPERATIONS: readonly Operation[] = [
  creating('a Pix is created', PIX),
  creating('a boleto is created', BOLETO),
  creating('a card is charged', CARD),
  creating('a card is authorized', { ...CARD, capture: false }),
  creating('a card is charged and the answer lost', LOST_CARD),
  command('an authorization is captured', { ...CARD, capture: false }, 'capture'),
  command('an authorization is canceled', { ...CARD, capture: false }, 'cancel'),
  command('a Pix is canceled', PIX, 'cancel'),
  {
    name: 'a Pix is paid',
    prepare: async (stage, shop) => {
      await setReserve(shop, 30)
      const text = paidText(await create(shop, PIX))
      return () => tell(stage, text)
    },
  },
  {
    name: 'a Pix expires',
    prepare: async (stage, shop) => {
      await create(shop, { ...PIX, expiresInSeconds: 3_600 })
      await stage.wait(2)
      return () => stage.run('expirePayments')
    },
  },
  {
    name: 'a lost charge is reconciled',
    prepare: async (stage, shop) => {
      await create(shop, LOST_CARD)
      await stage.wait(1)
      return () => stage.run('reconcilePayments')
    },
  },
  {
    name: 'a boleto settles',
    prepare: async (stage, shop) => {
      await setReserve(shop, 30)
      await tell(stage, paidText(await create(shop, BOLETO)))
      await stage.wait(24 * 6)
      return () => stage.run('settlePayments')
    },
  },
  {
    name: 'a reserve is released',
    prepare: async (stage, shop) => {
      await paidPix(stage, shop, 1)
      await stage.wait(24 * 2)
      return () => stage.run('releaseReserves')
    },
  },
  {
    name: 'a refund is requested',
    prepare: async (stage, shop) => {
      const id = await paidPix(stage, shop)
      const request = named(`payments/${id}/refunds`, { amount: 4_000 })
      return async () => void (await send(shop, request))
    },
  },
  {
    name: 'a refund is sent',
    prepare: async (stage, shop) => {
      await refunding(stage, shop, 4_000)
      return () => stage.run('sendRefunds')
    },
  },
  {
    name: 'a refund is refused',
    prepare: async (stage, shop) => {
      await refunding(stage, shop, 4_092)
      return () => stage.run('sendRefunds')
    },
  },
  {
    name: 'a dispute is opened',
    prepare: async (stage, shop) => {
      const text = openingText(await paidPix(stage, shop), `claim${randomUUID()}`)
      return () => tell(stage, text)
    },
  },
  verdict('won'),
  verdict('lost'),
  {
    name: 'a withdrawal is requested',
    prepare: async (stage, shop) => {
      await paidPix(stage, shop)
      const request = named('withdrawals', { amount: 5_000, ...RECEIVER })
      return async () => void (await send(shop, request))
    },
  },
  deciding('a withdrawal is approved', 'approve'),
  deciding('a withdrawal is rejected', 'reject', { reason: 'not today' }),
  payingOut('a withdrawal is paid out', 5_000),
  payingOut('a payout is refused', 5_092),
  tellingOfPayout('a payout completes late', 5_091, 'completed'),
  tellingOfPayout('a payout fails late', 5_091, 'failed'),
  tellingOfPayout('a payout is returned', 5_000, 'returned'),
]
