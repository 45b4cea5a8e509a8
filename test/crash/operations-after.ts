import { randomUUID } from 'node:crypto'
import { referenceOf } from '../model/book.ts'
import { callbackText } from '../model/client.ts'
import type { Shop } from '../model/shop.ts'
import { expectStatus, named, type Operation, paidPix, send, tell } from './moves.ts'
import type { Stage } from './stage.ts'

const HOUR_MS = 3_600_000

const refunding = async (stage: Stage, shop: Shop, amount: number): Promise<void> => {
  const id = await paidPix(stage, shop)
  await send(shop, named(`payments/${id}/refunds`, { amount }))
}

/** A claim of the whole of a payment, to be answered within so many hours. */
const openingText = async (
  { client, admin }: Stage,
  id: string,
  reference: string,
  hours = 24 * 7,
): Promise<string> => {
  const { body } = await client.get('sandbox/clock', { as: admin })
  const respondBy = new Date(Date.parse(body.now) + hours * HOUR_MS).toISOString()
  const claim = { type: 'med', amount: 10_000, reason: 'A claim.', respondBy }
  const state = { status: 'open', chargeReference: referenceOf(id), ...claim }
  return callbackText([{ kind: 'dispute', reference, state }])
}

/** A paid Pix whose dispute ends within so many hours. Answers what the dispute is called. */
const disputedPix = async (stage: Stage, shop: Shop, hours?: number): Promise<string> => {
  const reference = `claim${randomUUID()}`
  await tell(stage, await openingText(stage, await paidPix(stage, shop), reference, hours))
  return reference
}

const verdictText = (reference: string, status: string): string =>
  callbackText([{ kind: 'dispute', reference, state: { status } }])

const verdict = (status: string): Operation => ({
  name: `a dispute is ${status}`,
  prepare: async (stage, shop) => {
    const text = verdictText(await disputedPix(stage, shop), status)
    return () => tell(stage, text)
  },
})

const LOSING = 'loseUnansweredDisputes'

/** A paid Pix whose dispute nobody has answered in time. */
const unanswered = async (stage: Stage, shop: Shop): Promise<string> => {
  const reference = await disputedPix(stage, shop, 1)
  await stage.wait(2)
  return reference
}

const releasing = (stage: Stage, shop: Shop) => async (): Promise<void> => {
  const path = `admin/reserve-configs/${shop.reserveConfigId}/releases`
  await send(shop, { ...named(path, { deactivate: true }), by: stage.admin }, 202)
}

/** What becomes of payments after they were paid: reserves, refunds and disputes. */
export const AFTER_OPERATIONS: readonly Operation[] = [
  {
    name: 'a reserve is released',
    prepare: async (stage, shop) => {
      await paidPix(stage, shop, 1)
      await stage.wait(24 * 2)
      return () => stage.run('releaseReserves')
    },
  },
  {
    name: 'a reserve is released early',
    prepare: async (stage, shop) => {
      await paidPix(stage, shop)
      const { client, admin } = stage
      const { body } = await client.get(`admin/reserve-holds?sellerId=${shop.seller.id}`, { as: admin })
      const path = `admin/reserve-holds/${body.data[0].id}/release`
      return async () => expectStatus(await client.post(path, { as: admin }), 200)
    },
  },
  {
    name: 'the release of all reserves is asked for',
    prepare: async (stage, shop) => {
      await paidPix(stage, shop)
      return releasing(stage, shop)
    },
  },
  {
    name: 'all reserves are released',
    prepare: async (stage, shop) => {
      await paidPix(stage, shop)
      await paidPix(stage, shop)
      await releasing(stage, shop)()
      return () => stage.run('releaseAllReserves')
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
    name: 'a refund is begun at the provider',
    prepare: async (stage, shop) => {
      const begun = { chargeReference: referenceOf(await paidPix(stage, shop)), amount: 4_000, reason: null }
      const reference = `begun${randomUUID()}`
      const text = callbackText([{ kind: 'refund', reference, state: { status: 'completed' }, begun }])
      return () => tell(stage, text)
    },
  },
  {
    name: 'a dispute is opened',
    prepare: async (stage, shop) => {
      const text = await openingText(stage, await paidPix(stage, shop), `claim${randomUUID()}`)
      return () => tell(stage, text)
    },
  },
  verdict('won'),
  verdict('lost'),
  {
    name: 'a dispute is lost by the clock',
    prepare: async (stage, shop) => {
      await unanswered(stage, shop)
      return () => stage.run(LOSING)
    },
  },
  {
    name: 'a dispute is reversed',
    prepare: async (stage, shop) => {
      const text = verdictText(await unanswered(stage, shop), 'won')
      await stage.run(LOSING)
      return () => tell(stage, text)
    },
  },
]
