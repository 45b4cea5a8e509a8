/** Refunds of received Pix: `PUT` and `GET /pix/{e2eid}/devolucao/{id}`. */
import { z } from 'zod'
import type { Centavos } from '../../../domain/money.ts'
import type { Call, CallOptions } from './calls/call.ts'
import { amountSchema, amountText } from './forms/amounts.ts'
import { isSame, named, orNull, words } from './forms/answers.ts'
import { pathPart } from './forms/identifiers.ts'
import { instantSchema } from './forms/instants.ts'
import type { Outcome } from './outcome.ts'
import type { Profile } from './profiles.ts'

const STATUSES = { EM_PROCESSAMENTO: 'processing', DEVOLVIDO: 'completed', NAO_REALIZADO: 'failed' } as const

/** The first two are asked for by us; the others the PSP began, by the special return mechanism (MED). */
const NATURES = {
  ORIGINAL: 'original',
  RETIRADA: 'withdrawal',
  MED_OPERACIONAL: 'med_operational',
  MED_FRAUDE: 'med_fraud',
  MED_PIX_AUTOMATICO: 'med_automatic_pix',
} as const

export const refundSchema = z
  .object({
    id: z.string().min(1).max(64),
    rtrId: orNull(z.string().max(64)),
    valor: amountSchema,
    natureza: orNull(named(NATURES)),
    status: named(STATUSES),
    motivo: orNull(words),
    horario: orNull(z.object({ solicitacao: orNull(instantSchema), liquidacao: orNull(instantSchema) })),
  })
  .transform(({ id, rtrId, valor, natureza, status, motivo, horario }) => ({
    /** Ours, where we asked for it; some id of the PSP's otherwise. */
    id,
    /** In the payment system. */
    returnId: rtrId,
    amount: valor,
    status,
    nature: natureza ?? 'original',
    /** Why it failed, in the PSP's words: not for a log. */
    reason: motivo,
    requestedAt: horario?.solicitacao ?? null,
    settledAt: horario?.liquidacao ?? null,
  }))

/** Money that goes back to the payer of a Pix. */
export type PixRefund = z.infer<typeof refundSchema>

export type RefundInput = {
  amount: Centavos
  /** Shown to the payer, up to 140 characters. */
  description?: string | undefined
}

export type Refunds = ReturnType<typeof createRefunds>

export const createRefunds = (call: Call, { pathOf }: Profile) => {
  const pathTo = (endToEndId: string, id: string): string =>
    pathOf(`/pix/${pathPart('endToEndId', endToEndId)}/devolucao/${pathPart('refundId', id)}`)
  const answerAbout = (id: string) => refundSchema.refine((refund) => isSame(id, refund.id), { path: ['id'] })

  return {
    /**
     * Asks for a refund under an id of ours (1 to 35 letters and digits). An id that is known is a `conflict`, also
     * for the same amount: `get` then tells what became of it.
     */
    put: (
      endToEndId: string,
      id: string,
      { amount, description }: RefundInput,
      options?: CallOptions,
    ): Promise<Outcome<PixRefund>> =>
      call(
        {
          ...{ name: 'devolucao.put', capability: 'pix', method: 'PUT', path: pathTo(endToEndId, id) },
          body: { valor: amountText(amount), ...(description === undefined ? {} : { descricao: description }) },
          isRepeatable: false,
          answer: answerAbout(id),
        },
        options,
      ),

    get: (endToEndId: string, id: string, options?: CallOptions): Promise<Outcome<PixRefund>> =>
      call(
        {
          ...{ name: 'devolucao.get', capability: 'pix', method: 'GET', path: pathTo(endToEndId, id) },
          isRepeatable: true,
          answer: answerAbout(id),
        },
        options,
      ),
  }
}
