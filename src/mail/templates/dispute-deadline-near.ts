import { facts, paragraph } from '../text/blocks.ts'
import { template } from '../text/template.ts'

type Facts = { amount: number; reason: string; paymentId: string; respondBy: string }

/** To a seller who has not answered a dispute and soon cannot any more. */
export const disputeDeadlineNear = template<Facts>('disputes', {
  pt: ({ amount, reason, paymentId, respondBy }, { money, moment }) => ({
    subject: `O prazo da contestação de ${money(amount)} está acabando`,
    body: [
      paragraph('Ainda não recebemos a sua defesa nesta contestação.'),
      facts(
        ['Responda até', moment(respondBy)],
        ['Valor contestado', money(amount)],
        ['Motivo', reason],
        ['Pagamento', paymentId],
      ),
      paragraph('Sem a sua defesa até o prazo, o valor vai para quem contestou.'),
    ],
  }),
  en: ({ amount, reason, paymentId, respondBy }, { money, moment }) => ({
    subject: `The time to answer the dispute of ${money(amount)} runs out`,
    body: [
      paragraph('We have not received your defence in this dispute.'),
      facts(
        ['Answer by', moment(respondBy)],
        ['Disputed amount', money(amount)],
        ['Reason', reason],
        ['Payment', paymentId],
      ),
      paragraph('Without your defence in time, the amount goes to the payer.'),
    ],
  }),
})
