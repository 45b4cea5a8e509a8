import { button, paragraph } from '../text/blocks.ts'
import { template } from '../text/template.ts'

type Facts = { validUntil: string; secret: { token: string } }

/** To an address that somebody registered with, so that they show that it is theirs. */
export const emailVerification = template<Facts>('address_given', {
  pt: ({ validUntil, secret }, { links, moment }) => ({
    subject: 'Confirme seu e-mail',
    body: [
      paragraph('Alguém criou uma conta com este endereço. Se foi você, confirme que ele é seu.'),
      button('Confirmar e-mail', links.verifyEmail(secret.token)),
      paragraph(`O link funciona uma vez, até ${moment(validUntil)}.`),
    ],
  }),
  en: ({ validUntil, secret }, { links, moment }) => ({
    subject: 'Confirm your e-mail address',
    body: [
      paragraph('Somebody opened an account with this address. If it was you, confirm that it is yours.'),
      button('Confirm e-mail address', links.verifyEmail(secret.token)),
      paragraph(`The link works once, until ${moment(validUntil)}.`),
    ],
  }),
})
