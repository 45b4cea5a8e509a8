import type { DisputeType } from '../../domain/dispute.ts'
import { facts, paragraph } from '../text/blocks.ts'
import { template } from '../text/template.ts'

type Facts = { type: DisputeType; amount: number; reason: string; paymentId: string; respondBy: string }

const PORTUGUESE: Readonly<Record<DisputeType, string>> = {
  med: 'Quem pagou por Pix pediu o dinheiro de volta ao próprio banco (Mecanismo Especial de Devolução).',
  chargeback: 'Quem pagou com cartão contestou a compra no banco emissor (chargeback).',
}

const ENGLISH: typeof PORTUGUESE = {
  med: 'Somebody who paid by Pix asked their bank for the money back (Mecanismo Especial de Devolução).',
  chargeback: 'Somebody who paid by card disputed the purchase at their bank (chargeback).',
}

/** To a seller whose payment is disputed. */
export const disputeOpened = template<Facts>('disputes', {
  pt: ({ type, amount, reason, paymentId, respondBy }, { money, moment }) => ({
    subject: `Contestação de ${money(amount)}: responda até o prazo`,
    body: [
      paragraph(PORTUGUESE[type]),
      facts(
        ['Valor contestado', money(amount)],
        ['Motivo', reason],
        ['Pagamento', paymentId],
        ['Responda até', moment(respondBy)],
      ),
      paragraph('O valor fica bloqueado até a decisão. Sem a sua defesa até o prazo, ele vai para quem contestou.'),
    ],
  }),
  en: ({ type, amount, reason, paymentId, respondBy }, { money, moment }) => ({
    subject: `Dispute of ${money(amount)}: answer in time`,
    body: [
      paragraph(ENGLISH[type]),
      facts(
        ['Disputed amount', money(amount)],
        ['Reason', reason],
        ['Payment', paymentId],
        ['Answer by', moment(respondBy)],
      ),
      paragraph('The amount is blocked until it is decided. Without your defence in time, it goes to the payer.'),
    ],
  }),
})
