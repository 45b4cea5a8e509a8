import { facts, paragraph } from '../text/blocks.ts'
import { template } from '../text/template.ts'

type Facts = { changedAt: string }

/** To somebody whose password was changed. */
export const passwordChanged = template<Facts>('security', {
  pt: ({ changedAt }, { moment }) => ({
    subject: 'Sua senha foi alterada',
    body: [
      paragraph('A senha da sua conta foi alterada, e as outras sessões foram encerradas.'),
      facts(['Alterada em', moment(changedAt)]),
      paragraph('Se não foi você, fale conosco imediatamente.'),
    ],
  }),
  en: ({ changedAt }, { moment }) => ({
    subject: 'Your password was changed',
    body: [
      paragraph('The password of your account was changed, and the other sessions were ended.'),
      facts(['Changed on', moment(changedAt)]),
      paragraph('If it was not you, contact us immediately.'),
    ],
  }),
})
