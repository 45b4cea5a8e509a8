import { button, paragraph } from '../text/blocks.ts'
import { template } from '../text/template.ts'

type Facts = { validUntil: string; secret: { token: string } }

/** To somebody who said that they forgot their password. */
export const passwordRecovery = template<Facts>('security', {
  pt: ({ validUntil, secret }, { links, moment }) => ({
    subject: 'Crie uma nova senha',
    body: [
      paragraph('Recebemos um pedido para criar uma nova senha para a sua conta.'),
      button('Criar nova senha', links.resetPassword(secret.token)),
      paragraph(`O link funciona uma vez, até ${moment(validUntil)}.`),
      paragraph('Se não foi você, não faça nada: sua senha continua a mesma. Nunca envie este link a ninguém.'),
    ],
  }),
  en: ({ validUntil, secret }, { links, moment }) => ({
    subject: 'Choose a new password',
    body: [
      paragraph('We were asked for a new password for your account.'),
      button('Choose a new password', links.resetPassword(secret.token)),
      paragraph(`The link works once, until ${moment(validUntil)}.`),
      paragraph('If it was not you, do nothing: your password stays the same. Never send this link to anybody.'),
    ],
  }),
})
