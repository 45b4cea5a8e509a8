import { randomUUID } from 'node:crypto'
import { referenceOf } from '../model/book.ts'
import { type Account, callbackText, type Reply } from '../model/client.ts'
import type { Shop } from '../model/shop.ts'
import type { Stage } from './stage.ts'

/** One way in which money moves. `prepare` brings a new seller to where it begins and answers what moves it. */
export type Operation<Where extends Stage = Stage> = {
  name: string
  prepare: (stage: Where, shop: Shop) => Promise<() => Promise<void>>
}

const PAYER = { name: 'Francisco da Silva', document: '52998224725' }
export const PIX = { method: 'pix', amount: 10_000 }
export const BOLETO = { method: 'boleto', amount: 10_000, customer: PAYER }
export const CARD = { method: 'credit_card', amount: 10_000, installments: 3, cardToken: 'tok_crash_0001' }
export const LOST_CARD = { ...CARD, cardToken: 'tok_crash_0006' }

export const expectStatus = ({ status, text, wasCut }: Reply, expected: number): void => {
  // What was cut off after it was done is refused as done when it is asked for again.
  if (status === expected || (wasCut && status === 409)) return
  throw new Error(`answered ${status}: ${text}`)
}

/** A request under a key. `by`: the seller, unless said otherwise; null: somebody whom nobody knows. */
type Named = { path: string; body: object; key: string; by?: Account | null }

export const named = (path: string, body: object): Named => ({ path, body, key: randomUUID() })

export const send = async ({ client, account }: Shop, request: Named, status = 201): Promise<Reply> => {
  const { path, body, key, by = account } = request
  const reply = await client.post(path, { as: by, body, key })
  expectStatus(reply, status)
  return reply
}

export const create = async (shop: Shop, body: object): Promise<string> =>
  (await send(shop, named('payments', body))).body.id

export const tell = async ({ client, settle }: Stage, text: string): Promise<void> => {
  expectStatus(await client.callBack(text), 200)
  await settle()
}

const chargeText = (id: string, state: Record<string, unknown>): string =>
  callbackText([{ kind: 'charge', reference: referenceOf(id), state }])

export const paidText = (id: string): string => chargeText(id, { status: 'paid', paidAmount: 10_000, endToEndId: null })

export const setReserve = async ({ client, admin, reserveConfigId }: Shop, days: number): Promise<void> => {
  const body = { reservePercentage: 10, reserveDays: days, isActive: true }
  expectStatus(await client.put(`admin/reserve-configs/${reserveConfigId}`, { as: admin, body }), 200)
}

/** A paid Pix of 100 reais, a tenth of it in reserve. */
export const paidPix = async (stage: Stage, shop: Shop, reserveDays = 30): Promise<string> => {
  await setReserve(shop, reserveDays)
  const id = await create(shop, PIX)
  await tell(stage, paidText(id))
  return id
}
