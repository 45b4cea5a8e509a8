import { facts, paragraph } from '../text/blocks.ts'
import { template } from '../text/template.ts'

type Facts = {
  netAmount: number
  feeAmount: number
  /** Masked. */
  pixKey: string
  reason: string | null
}

/** To a seller whose completed withdrawal was sent back by the receiver's bank. */
export const withdrawalReturned = template<Facts>('withdrawals', {
  pt: ({ netAmount, feeAmount, pixKey, reason }, { money }) => ({
    subject: `Saque de ${money(netAmount)} devolvido`,
    body: [
      paragraph('O banco que recebeu o seu saque devolveu o dinheiro. Ele está de novo no saldo disponível.'),
      facts(
        ['Valor devolvido', money(netAmount)],
        ['Tarifa do saque, que não é devolvida', money(feeAmount)],
        ['Chave Pix', pixKey],
        ['Motivo informado pelo banco', reason],
      ),
    ],
  }),
  en: ({ netAmount, feeAmount, pixKey, reason }, { money }) => ({
    subject: `Withdrawal of ${money(netAmount)} returned`,
    body: [
      paragraph('The bank that received your withdrawal sent the money back. It is in your available balance again.'),
      facts(
        ['Amount returned', money(netAmount)],
        ['Fee of the withdrawal, which is not returned', money(feeAmount)],
        ['Pix key', pixKey],
        ['Reason that the bank gave', reason],
      ),
    ],
  }),
})
