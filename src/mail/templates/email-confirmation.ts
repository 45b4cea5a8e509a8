import { button, paragraph } from '../text/blocks.ts'
import { template } from '../text/template.ts'

type Facts = { validUntil: string; secret: { token: string } }

/** To the new address of somebody who wants to log in with it. */
export const emailConfirmation = template<Facts>('address_given', {
  pt: ({ validUntil, secret }, { links, moment }) => ({
    subject: 'Confirme seu novo e-mail',
    body: [
      paragraph('Alguém pediu para usar este endereço em uma conta que já existe. Se foi você, confirme a troca.'),
      button('Confirmar novo e-mail', links.confirmEmail(secret.token)),
      paragraph(`O link funciona uma vez, até ${moment(validUntil)}. Até lá, a conta continua com o endereço antigo.`),
    ],
  }),
  en: ({ validUntil, secret }, { links, moment }) => ({
    subject: 'Confirm your new e-mail address',
    body: [
      paragraph('Somebody asked to use this address for an account that exists. If it was you, confirm the change.'),
      button('Confirm new e-mail address', links.confirmEmail(secret.token)),
      paragraph(`The link works once, until ${moment(validUntil)}. Until then the account keeps the old address.`),
    ],
  }),
})
