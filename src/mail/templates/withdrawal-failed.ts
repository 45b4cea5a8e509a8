import { facts, paragraph } from '../text/blocks.ts'
import { template } from '../text/template.ts'

type Facts = {
  amount: number
  /** Masked. */
  pixKey: string
  reason: string | null
}

/** To a seller whose withdrawal could not be paid. */
export const withdrawalFailed = template<Facts>('withdrawals', {
  pt: ({ amount, pixKey, reason }, { money }) => ({
    subject: `Saque de ${money(amount)} não realizado`,
    body: [
      paragraph('Não foi possível enviar o seu saque. O valor voltou inteiro para o saldo disponível.'),
      facts(['Valor', money(amount)], ['Chave Pix', pixKey], ['Motivo informado pelo banco', reason]),
      paragraph('Confira a chave Pix antes de pedir o saque de novo.'),
    ],
  }),
  en: ({ amount, pixKey, reason }, { money }) => ({
    subject: `Withdrawal of ${money(amount)} failed`,
    body: [
      paragraph('Your withdrawal could not be sent. The whole amount is back in your available balance.'),
      facts(['Amount', money(amount)], ['Pix key', pixKey], ['Reason that the bank gave', reason]),
      paragraph('Check the Pix key before you ask for the withdrawal again.'),
    ],
  }),
})
