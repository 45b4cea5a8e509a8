import { z } from 'zod'
import type { Bank } from '../bank.ts'
import { type ApiServer, merchantOf } from '../http/operation.ts'
import { tellPix } from '../standard/pix-view.ts'
import { findPix } from '../standard/received-pix.ts'
import { efiOperation } from './operations.ts'
import { tellPayout } from './payout-views.ts'
import type { Payout } from './payouts.ts'

const resendBody = z.strictObject({
  tipo: z.enum(['PIX_RECEBIDO', 'PIX_ENVIADO', 'DEVOLUCAO_RECEBIDA', 'DEVOLUCAO_ENVIADA']),
  e2eids: z.array(z.string().max(40)).min(1).max(1_000),
})

const resendOne = (bank: Bank, merchantId: string, isSent: boolean, e2eId: string): void => {
  if (!isSent) {
    const pix = findPix(bank, e2eId)
    if (pix?.merchantId === merchantId) tellPix(bank, pix)
    return
  }
  const payout = bank.store.one<Payout>('SELECT * FROM payouts WHERE e2e_id = ?', e2eId)
  if (payout?.merchant_id === merchantId) tellPayout(bank, payout)
}

/** Efí's `POST /v2/gn/webhook/reenviar`: callbacks again, for what somebody missed. */
export const resendRoute = (app: ApiServer, bank: Bank): void => {
  app.post(
    '/v2/gn/webhook/reenviar',
    {
      config: efiOperation('webhook.reenviar', 'webhook.write', 'WebhookOperacaoInvalida', 'webhook'),
      schema: { body: resendBody },
    },
    async (request, reply) => {
      const { tipo, e2eids } = request.body
      const isSent = tipo === 'PIX_ENVIADO' || tipo === 'DEVOLUCAO_RECEBIDA'
      for (const e2eId of e2eids) resendOne(bank, merchantOf(request).id, isSent, e2eId)
      return reply.code(202).send()
    },
  )
}
