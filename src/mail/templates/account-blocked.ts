import { facts, paragraph } from '../text/blocks.ts'
import { template } from '../text/template.ts'

type Facts = { changedAt: string }

/** To somebody whom the platform keeps out from now on. */
export const accountBlocked = template<Facts>('security', {
  pt: ({ changedAt }, { moment }) => ({
    subject: 'Sua conta foi bloqueada',
    body: [
      paragraph('A plataforma bloqueou a sua conta. Não é possível entrar nela, receber novos pagamentos nem sacar.'),
      facts(['Bloqueada em', moment(changedAt)]),
      paragraph('O saldo continua registrado. Fale conosco para saber o que fazer.'),
    ],
  }),
  en: ({ changedAt }, { moment }) => ({
    subject: 'Your account was blocked',
    body: [
      paragraph('The platform has blocked your account. It cannot be logged in to, take new payments or withdraw.'),
      facts(['Blocked on', moment(changedAt)]),
      paragraph('Its balance stays on record. Contact us to learn what to do.'),
    ],
  }),
})

/** To somebody who may use the platform again. */
export const accountUnblocked = template<Facts>('security', {
  pt: ({ changedAt }, { moment }) => ({
    subject: 'Sua conta foi desbloqueada',
    body: [
      paragraph('A sua conta foi desbloqueada. Entre de novo para usá-la.'),
      facts(['Desbloqueada em', moment(changedAt)]),
    ],
  }),
  en: ({ changedAt }, { moment }) => ({
    subject: 'Your account was unblocked',
    body: [
      paragraph('Your account was unblocked. Log in again to use it.'),
      facts(['Unblocked on', moment(changedAt)]),
    ],
  }),
})
