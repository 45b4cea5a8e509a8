import { facts, paragraph } from '../text/blocks.ts'
import { template } from '../text/template.ts'

type Facts = {
  clientId: string
  changedAt: string
  /** Until when the secret before this one works, if it still does. */
  previousValidUntil: string | null
}

/** To a seller whose API credentials have a new secret. */
export const credentialsRotated = template<Facts>('security', {
  pt: ({ clientId, changedAt, previousValidUntil }, { moment }) => ({
    subject: 'Novo segredo das credenciais da API',
    body: [
      paragraph('Um novo segredo foi criado para as credenciais da API da sua conta.'),
      facts(
        ['Credencial', clientId],
        ['Criado em', moment(changedAt)],
        ['O segredo anterior funciona até', previousValidUntil === null ? null : moment(previousValidUntil)],
      ),
      paragraph('Se não foi você, troque sua senha, crie outro segredo e fale conosco imediatamente.'),
    ],
  }),
  en: ({ clientId, changedAt, previousValidUntil }, { moment }) => ({
    subject: 'New secret of your API credentials',
    body: [
      paragraph('A new secret was made for the API credentials of your account.'),
      facts(
        ['Credentials', clientId],
        ['Made on', moment(changedAt)],
        ['The secret before works until', previousValidUntil === null ? null : moment(previousValidUntil)],
      ),
      paragraph('If it was not you, change your password, make another secret and contact us immediately.'),
    ],
  }),
})
