import { referenceOf } from '../model/book.ts'
import { callbackText } from '../model/client.ts'
import type { Shop } from '../model/shop.ts'
import {
  BOLETO,
  CARD,
  create,
  expectStatus,
  LOST_CARD,
  named,
  type Operation,
  PIX,
  paidPix,
  paidText,
  send,
  setReserve,
  tell,
} from './moves.ts'
import { AFTER_OPERATIONS } from './operations-after.ts'
import type { Stage } from './stage.ts'

const RECEIVER = { pixKeyType: 'email', pixKey: 'financeiro@padaria.com.br' }

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

/** A Pix through a link that takes one payment. Answers its request. */
const payingThrough = async (shop: Shop): Promise<ReturnType<typeof named>> => {
  const link = { title: 'Camiseta azul', amount: 10_000, methods: ['pix'], maxPayments: 1 }
  const { body } = await send(shop, named('payment-links', link))
  return { ...named(`payment-links/${body.hash}/payments`, PIX), by: null }
}

const command = (name: string, body: object, verb: string): Operation => ({
  name,
  prepare: async (_stage, shop) => {
    const id = await create(shop, body)
    return async () => expectStatus(await shop.client.post(`payments/${id}/${verb}`, { as: shop.account }), 200)
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

const callbackOfPayout = (name: string, amount: number, status: string): Operation => ({
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
    name: 'a Pix of a link is created',
    prepare: async (_stage, shop) => {
      const request = await payingThrough(shop)
      return async () => void (await send(shop, request))
    },
  },
  {
    name: 'a Pix of a link is paid',
    prepare: async (stage, shop) => {
      const { body } = await send(shop, await payingThrough(shop))
      const text = paidText(body.id)
      return () => tell(stage, text)
    },
  },
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
  ...AFTER_OPERATIONS,
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
  callbackOfPayout('a payout completes late', 5_091, 'completed'),
  callbackOfPayout('a payout fails late', 5_091, 'failed'),
  callbackOfPayout('a payout is returned', 5_000, 'returned'),
]
