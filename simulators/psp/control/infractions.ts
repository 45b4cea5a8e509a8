import { z } from 'zod'
import { centavos, fromDecimal } from '../../../src/domain/money.ts'
import type { Bank } from '../bank.ts'
import { findInfraction, infractionView, moveInfraction, openInfraction } from '../efi/infractions.ts'
import { amountText } from '../standard/charge-schemas.ts'
import { about, ControlRefusal, type ControlServer, missing } from './operation.ts'
import { pixBy } from './refunds.ts'

const openBody = z.strictObject({
  e2eId: z.string().max(40),
  /** The whole Pix where nothing is said. */
  amount: amountText.optional(),
  situation: z
    .enum(['golpe', 'aquisição da conta', 'coerção', 'acesso fraudulento', 'outro', 'desconhecido'])
    .default('golpe'),
  comment: z.string().max(500).optional(),
})

const moveBody = z.strictObject({
  status: z.enum(['EM_DEFESA', 'ACEITA', 'REJEITADA', 'CANCELADA_EFI']),
  /** What the analyst says. */
  reason: z.string().max(500).optional(),
})

const FINAL = ['ACEITA', 'REJEITADA', 'CANCELADA_EFI']

/** Claims of payers by the special return mechanism (MED). */
export const infractionControls = (app: ControlServer, bank: Bank): void => {
  app.post(
    '/control/infractions',
    { ...about('a payer reports a Pix as fraud: {e2eId, amount?, situation?, comment?}'), schema: { body: openBody } },
    async (request, reply) => {
      const { e2eId, amount, situation, comment } = request.body
      const pix = pixBy(bank, e2eId)
      const claimed = amount === undefined ? pix.amount : fromDecimal(amount)
      if (claimed > pix.amount) throw new ControlRefusal(409, 'More than was paid cannot be claimed.')
      reply.code(201)
      return infractionView(bank, openInfraction(bank, pix, { amount: centavos(claimed), situation, comment }))
    },
  )

  app.post(
    '/control/infractions/:id',
    {
      ...about('decides a claim: {status: EM_DEFESA | ACEITA | REJEITADA | CANCELADA_EFI, reason?}'),
      schema: { params: z.object({ id: z.string().max(60) }), body: moveBody },
    },
    async (request) => {
      const infraction = findInfraction(bank, request.params.id)
      if (infraction === undefined) throw missing(`infraction: ${request.params.id}`)
      if (FINAL.includes(infraction.status)) throw new ControlRefusal(409, `The infraction is ${infraction.status}.`)
      return infractionView(bank, moveInfraction(bank, infraction, request.body.status, request.body.reason))
    },
  )
}
