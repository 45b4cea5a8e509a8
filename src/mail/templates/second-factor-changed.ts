import { facts, paragraph } from '../text/blocks.ts'
import { template } from '../text/template.ts'

type Change = 'enabled' | 'disabled' | 'reset'
type Facts = {
  /** `reset`: an administrator took it away from somebody who lost it. */
  change: Change
  changedAt: string
}

const PORTUGUESE: Readonly<Record<Change, { subject: string; text: string }>> = {
  enabled: {
    subject: 'Verificação em duas etapas ativada',
    text: 'A verificação em duas etapas está ativa: para entrar na sua conta, além da senha, é preciso um código do aplicativo.',
  },
  disabled: {
    subject: 'Verificação em duas etapas desativada',
    text: 'A verificação em duas etapas da sua conta foi desativada: a senha sozinha volta a entrar.',
  },
  reset: {
    subject: 'Verificação em duas etapas removida',
    text: 'Um administrador removeu a verificação em duas etapas da sua conta e encerrou todas as sessões. A senha sozinha volta a entrar.',
  },
}

const ENGLISH: typeof PORTUGUESE = {
  enabled: {
    subject: 'Two-step verification turned on',
    text: 'Two-step verification is on: to log in, your account asks for a code of the app beside the password.',
  },
  disabled: {
    subject: 'Two-step verification turned off',
    text: 'Two-step verification of your account was turned off: the password alone logs in again.',
  },
  reset: {
    subject: 'Two-step verification taken away',
    text: 'An administrator took the two-step verification of your account away and ended all sessions. The password alone logs in again.',
  },
}

/** To somebody whose second factor was set up or taken away. */
export const secondFactorChanged = template<Facts>('security', {
  pt: ({ change, changedAt }, { moment }) => ({
    subject: PORTUGUESE[change].subject,
    body: [
      paragraph(PORTUGUESE[change].text),
      facts(['Alterada em', moment(changedAt)]),
      paragraph('Se não foi você quem fez ou pediu isso, troque sua senha e fale conosco imediatamente.'),
    ],
  }),
  en: ({ change, changedAt }, { moment }) => ({
    subject: ENGLISH[change].subject,
    body: [
      paragraph(ENGLISH[change].text),
      facts(['Changed on', moment(changedAt)]),
      paragraph('If you neither did nor asked for this, change your password and contact us immediately.'),
    ],
  }),
})
