import { facts, paragraph } from '../text/blocks.ts'
import { template } from '../text/template.ts'

type Facts = {
  /** Masked. */
  pixKey: string
  changedAt: string
  /** From when on money can go there. */
  usableFrom: string | null
}

/** To a seller whose money will go somewhere else from now on. */
export const payoutDestinationChanged = template<Facts>('security', {
  pt: ({ pixKey, changedAt, usableFrom }, { moment }) => ({
    subject: 'O destino dos seus saques mudou',
    body: [
      paragraph('Um novo destino para os saques da sua conta foi cadastrado.'),
      facts(
        ['Chave Pix', pixKey],
        ['Cadastrado em', moment(changedAt)],
        ['Pode receber a partir de', usableFrom === null ? null : moment(usableFrom)],
      ),
      paragraph('Se não foi você, troque sua senha e fale conosco imediatamente.'),
    ],
  }),
  en: ({ pixKey, changedAt, usableFrom }, { moment }) => ({
    subject: 'Where your withdrawals go has changed',
    body: [
      paragraph('A new destination for the withdrawals of your account was registered.'),
      facts(
        ['Pix key', pixKey],
        ['Registered on', moment(changedAt)],
        ['Can receive money from', usableFrom === null ? null : moment(usableFrom)],
      ),
      paragraph('If it was not you, change your password and contact us immediately.'),
    ],
  }),
})
