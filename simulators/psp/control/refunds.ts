import { z } from 'zod'
import { centavos, fromDecimal } from '../../../src/domain/money.ts'
import type { Bank } from '../bank.ts'
import { amountText } from '../standard/charge-schemas.ts'
import { findPix, type ReceivedPix } from '../standard/received-pix.ts'
import { refundByPsp, settle } from '../standard/refund-writes.ts'
import { findRefund, refundableOf, refundView } from '../standard/refunds.ts'
import { about, ControlRefusal, type ControlServer, missing } from './operation.ts'

const byPspBody = z.strictObject({
  /** All that is left of the Pix where nothing is said. */
  amount: amountText.optional(),
  nature: z.enum(['MED_FRAUDE', 'MED_OPERACIONAL', 'MED_PIX_AUTOMATICO']).default('MED_FRAUDE'),
  description: z.string().max(140).optional(),
})

const settleBody = z.strictObject({
  status: z.enum(['DEVOLVIDO', 'NAO_REALIZADO']),
  reason: z.string().max(140).optional(),
})

export const pixBy = (bank: Bank, e2eId: string): ReceivedPix => {
  const pix = findPix(bank, e2eId)
  if (pix === undefined) throw missing(`received Pix: ${e2eId}`)
  return pix
}

/** Refunds that the PSP begins, and the end of those that hang. */
export const refundControls = (app: ControlServer, bank: Bank): void => {
  app.post(
    '/control/pix/:e2eId/refunds',
    {
      ...about('the PSP sends a Pix back: {amount?, nature?: MED_FRAUDE | MED_OPERACIONAL | MED_PIX_AUTOMATICO}'),
      schema: { params: z.object({ e2eId: z.string().max(40) }), body: byPspBody },
    },
    async (request, reply) => {
      const pix = pixBy(bank, request.params.e2eId)
      const { amount, nature, description } = request.body
      const left = centavos(refundableOf(bank, pix))
      const asked = amount === undefined ? left : fromDecimal(amount)
      reply.code(201)
      return refundView(refundByPsp(bank, pix, { amount: asked, nature, description }))
    },
  )

  app.post(
    '/control/refunds/:rtrId',
    {
      ...about('brings a refund that hangs to its end: {status: DEVOLVIDO | NAO_REALIZADO, reason?}'),
      schema: { params: z.object({ rtrId: z.string().max(40) }), body: settleBody },
    },
    async (request) => {
      const refund = findRefund(bank, request.params.rtrId)
      if (refund === undefined) throw missing(`refund: ${request.params.rtrId}`)
      if (refund.status !== 'EM_PROCESSAMENTO') throw new ControlRefusal(409, `The refund is ${refund.status}.`)
      const { status, reason } = request.body
      return refundView(bank.store.transaction(() => settle(bank, refund, status, reason)))
    },
  )
}
