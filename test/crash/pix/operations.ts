import type { Shop } from '../../model/shop.ts'
import { create, expectStatus, named, type Operation, PIX, send } from '../moves.ts'
import { paid, pay, payKey, tell } from './moves.ts'
import { MONEY_OUT } from './operations-out.ts'
import { AGAIN_HOURS, type PixStage } from './stage.ts'

const PAYER = { name: 'Francisco da Silva', document: '52998224725' }
const DUE_DAYS = 30
const DAY_MS = 86_400_000

const creating = (name: string, bodyOf: () => object): Operation<PixStage> => ({
  name,
  prepare: async (_stage, shop) => {
    const request = named('payments', bodyOf())
    return async () => void (await send(shop, request))
  },
})

const withDueDate = () => {
  const dueDate = new Date(Date.now() + DUE_DAYS * DAY_MS).toISOString().slice(0, 10)
  return { ...PIX, dueDate, fine: { percentage: 2 }, customer: PAYER }
}

/** A Pix through a link that takes one payment. Answers its request. */
const payingThrough = async (shop: Shop) => {
  const link = { title: 'Camiseta azul', amount: 10_000, methods: ['pix'], maxPayments: 1 }
  const { body } = await send(shop, named('payment-links', link))
  return { ...named(`payment-links/${body.hash}/payments`, PIX), by: null }
}

const CREATION: readonly Operation<PixStage>[] = [
  creating('a Pix is created', () => PIX),
  creating('a Pix with a due date is created', withDueDate),
  {
    name: 'a Pix of a link is created',
    prepare: async (_stage, shop) => {
      const request = await payingThrough(shop)
      return async () => void (await send(shop, request))
    },
  },
  {
    name: 'a charge whose answer was lost is asked for again',
    prepare: async ({ psp, ...stage }, shop) => {
      const { client, account } = shop
      await psp.control.plant({ operation: 'cob.put', when: 'after', action: { kind: 'cut' } })
      expectStatus(await client.once('POST', 'payments', { as: account, body: PIX, key: 'lost' }), 503)
      await psp.control.must('DELETE', '/faults')
      await stage.wait(AGAIN_HOURS)
      return () => stage.run('reconcilePayments')
    },
  },
  {
    name: 'a Pix is canceled',
    prepare: async (_stage, shop) => {
      const id = await create(shop, PIX)
      return async () => expectStatus(await shop.client.post(`payments/${id}/cancel`, { as: shop.account }), 200)
    },
  },
  {
    name: 'a Pix expires',
    prepare: async (stage, shop) => {
      await create(shop, { ...PIX, expiresInSeconds: 60 })
      await stage.wait(AGAIN_HOURS)
      return () => stage.run('expirePayments')
    },
  },
]

const MONEY_IN: readonly Operation<PixStage>[] = [
  {
    name: 'a Pix is paid, and the PSP calls back',
    prepare: async (stage, shop) => {
      const pix = await pay(stage, await create(shop, PIX))
      return () => tell(stage, pix)
    },
  },
  {
    name: 'a Pix is paid, and found in the list',
    prepare: async (stage, shop) => {
      await pay(stage, await create(shop, PIX))
      return () => stage.run('readReceivedPix')
    },
  },
  {
    name: 'a Pix of a link is paid',
    prepare: async (stage, shop) => {
      const { body } = await send(shop, await payingThrough(shop))
      const pix = await pay(stage, body.id)
      return () => tell(stage, pix)
    },
  },
  {
    name: 'a Pix is paid twice',
    prepare: async (stage, shop) => {
      const { id } = await paid(stage, shop)
      const again = await pay(stage, id, { force: true })
      return () => tell(stage, again)
    },
  },
  {
    name: 'money without a charge is found in the list',
    prepare: async (stage) => {
      await payKey(stage)
      return () => stage.run('readReceivedPix')
    },
  },
]

/** The money of a Pix account, in and out, as a PSP and its payers move it. */
export const PIX_OPERATIONS: readonly Operation<PixStage>[] = [...CREATION, ...MONEY_IN, ...MONEY_OUT]
