import { button, paragraph } from '../text/blocks.ts'
import { template } from '../text/template.ts'

type Facts = {
  /** Who invites. */
  invitedBy: string
  /** What to: the name of a seller's company, or of the platform for its administrators. */
  team: string
  validUntil: string
  secret: { token: string }
}

/** To somebody who is invited to work in an account. */
export const invitation = template<Facts>('address_given', {
  pt: ({ invitedBy, team, validUntil, secret }, { links, moment }) => ({
    subject: `Convite para a equipe de ${team}`,
    body: [
      paragraph(`${invitedBy} convidou você para a equipe de ${team}.`),
      button('Aceitar convite', links.acceptInvitation(secret.token)),
      paragraph(`O convite vale até ${moment(validUntil)}.`),
    ],
  }),
  en: ({ invitedBy, team, validUntil, secret }, { links, moment }) => ({
    subject: `Invitation to the team of ${team}`,
    body: [
      paragraph(`${invitedBy} invited you to the team of ${team}.`),
      button('Accept invitation', links.acceptInvitation(secret.token)),
      paragraph(`The invitation is valid until ${moment(validUntil)}.`),
    ],
  }),
})
