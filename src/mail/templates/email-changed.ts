import { facts, paragraph } from '../text/blocks.ts'
import { template } from '../text/template.ts'

type Facts = {
  /** Masked: whoever reads the old address need not learn the new one. */
  newEmail: string
  changedAt: string
}

/** To the old address of somebody who logs in with another one from now on. */
export const emailChanged = template<Facts>('security', {
  pt: ({ newEmail, changedAt }, { moment }) => ({
    subject: 'O e-mail da sua conta foi alterado',
    body: [
      paragraph('A sua conta passou a usar outro endereço de e-mail. Este endereço não entra mais nela.'),
      facts(['Novo e-mail', newEmail], ['Alterado em', moment(changedAt)]),
      paragraph('Se não foi você, fale conosco imediatamente.'),
    ],
  }),
  en: ({ newEmail, changedAt }, { moment }) => ({
    subject: 'The e-mail address of your account was changed',
    body: [
      paragraph('Your account uses another e-mail address from now on. This one no longer logs in.'),
      facts(['New e-mail address', newEmail], ['Changed on', moment(changedAt)]),
      paragraph('If it was not you, contact us immediately.'),
    ],
  }),
})
