import { z } from 'zod'
import { centavos, fromDecimal } from '../../../src/domain/money.ts'
import type { Bank } from '../bank.ts'
import { payoutView } from '../efi/payout-views.ts'
import { returnPayout, sendPayout, settlePayout } from '../efi/payout-writes.ts'
import { findPayout, type Payout } from '../efi/payouts.ts'
import { putKeyOwner } from '../efi/pix-keys.ts'
import { newHexId } from '../identifiers.ts'
import { amountText } from '../standard/charge-schemas.ts'
import { about, ControlRefusal, type ControlServer, merchantBy, missing } from './operation.ts'

const params = z.object({ idEnvio: z.string().max(35) })
const merchant = z.string().max(60).optional()

const ghostBody = z.strictObject({
  merchant,
  idEnvio: z
    .string()
    .regex(/^[a-zA-Z0-9]{1,35}$/)
    .optional(),
  amount: amountText,
  /** The Pix key that gets the money. */
  key: z.string().min(1).max(77).default('alguem@example.com'),
})

const settleBody = z.strictObject({
  merchant,
  status: z.enum(['REALIZADO', 'NAO_REALIZADO']),
  reason: z.string().max(140).optional(),
})

const returnBody = z.strictObject({
  merchant,
  /** All of it where nothing is said. */
  amount: amountText.optional(),
  reason: z.string().max(140).optional(),
})

const keyBody = z.strictObject({ name: z.string().min(1).max(140), document: z.string().regex(/^[0-9A-Z]{11,14}$/) })

const payoutBy = (bank: Bank, id: string, merchantId: string | undefined): Payout => {
  const payout = findPayout(bank, merchantBy(bank, merchantId).id, id)
  if (payout === undefined) throw missing(`payout: ${id}`)
  return payout
}

/** Payouts that hang, come back, or that no client has asked for. */
export const payoutControls = (app: ControlServer, bank: Bank): void => {
  app.post(
    '/control/payouts',
    {
      ...about('money leaves an account without its merchant: {merchant?, amount, key?}'),
      schema: { body: ghostBody },
    },
    async (request, reply) => {
      const { id, keys } = merchantBy(bank, request.body.merchant)
      const { idEnvio = newHexId(), amount, key: chave } = request.body
      const asked = { amount: fromDecimal(amount), key: keys[0] ?? '', destination: { chave } }
      reply.code(201)
      return payoutView(bank, sendPayout(bank, id, idEnvio, asked))
    },
  )

  app.post(
    '/control/payouts/:idEnvio',
    {
      ...about('brings a payout that hangs to its end: {status: REALIZADO | NAO_REALIZADO, reason?}'),
      schema: { params, body: settleBody },
    },
    async (request) => {
      const payout = payoutBy(bank, request.params.idEnvio, request.body.merchant)
      if (payout.status !== 'EM_PROCESSAMENTO') throw new ControlRefusal(409, `The payout is ${payout.status}.`)
      const { status, reason } = request.body
      return payoutView(
        bank,
        bank.store.transaction(() => settlePayout(bank, payout, status, reason)),
      )
    },
  )

  app.post(
    '/control/payouts/:idEnvio/return',
    { ...about('money of a payout comes back: {amount?, reason?}'), schema: { params, body: returnBody } },
    async (request) => {
      const payout = payoutBy(bank, request.params.idEnvio, request.body.merchant)
      if (payout.status !== 'REALIZADO') throw new ControlRefusal(409, `The payout is ${payout.status}.`)
      const { amount, reason } = request.body
      const returned = amount === undefined ? centavos(payout.amount) : fromDecimal(amount)
      return payoutView(bank, returnPayout(bank, payout, returned, reason))
    },
  )

  app.put(
    '/control/keys/:key',
    {
      ...about('says who is behind a Pix key: {name, document}'),
      schema: { params: z.object({ key: z.string().max(77) }), body: keyBody },
    },
    async (request) => {
      putKeyOwner(bank, request.params.key, request.body)
      return { key: request.params.key, ...request.body }
    },
  )
}
