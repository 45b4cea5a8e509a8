import { facts, paragraph } from '../text/blocks.ts'
import { template } from '../text/template.ts'

type Facts = {
  netAmount: number
  feeAmount: number
  /** Masked. */
  pixKey: string
  completedAt: string
  endToEndId: string | null
}

/** To a seller whose withdrawal arrived. */
export const withdrawalCompleted = template<Facts>('withdrawals', {
  pt: ({ netAmount, feeAmount, pixKey, completedAt, endToEndId }, { money, moment }) => ({
    subject: `Saque de ${money(netAmount)} concluído`,
    body: [
      paragraph('O dinheiro do seu saque foi enviado por Pix.'),
      facts(
        ['Valor enviado', money(netAmount)],
        ['Tarifa do saque', money(feeAmount)],
        ['Chave Pix', pixKey],
        ['Concluído em', moment(completedAt)],
        ['Identificador do Pix', endToEndId],
      ),
      paragraph('Se você não pediu este saque, troque sua senha e fale conosco imediatamente.'),
    ],
  }),
  en: ({ netAmount, feeAmount, pixKey, completedAt, endToEndId }, { money, moment }) => ({
    subject: `Withdrawal of ${money(netAmount)} completed`,
    body: [
      paragraph('The money of your withdrawal was sent by Pix.'),
      facts(
        ['Amount sent', money(netAmount)],
        ['Fee of the withdrawal', money(feeAmount)],
        ['Pix key', pixKey],
        ['Completed on', moment(completedAt)],
        ['Identifier of the Pix', endToEndId],
      ),
      paragraph('If you did not ask for this withdrawal, change your password and contact us immediately.'),
    ],
  }),
})
