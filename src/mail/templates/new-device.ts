import { facts, paragraph } from '../text/blocks.ts'
import { template } from '../text/template.ts'

type Facts = {
  /** What the device says of itself. */
  device: string | null
  ipAddress: string
  loggedInAt: string
}

/** To somebody who logged in from a device that the account did not know. */
export const newDevice = template<Facts>('security', {
  pt: ({ device, ipAddress, loggedInAt }, { moment }) => ({
    subject: 'Novo acesso à sua conta',
    body: [
      paragraph('Sua conta foi acessada de um aparelho que não conhecíamos.'),
      facts(['Aparelho', device], ['Endereço de rede', ipAddress], ['Acesso em', moment(loggedInAt)]),
      paragraph('Se foi você, está tudo certo. Se não foi, troque sua senha agora: isso encerra as outras sessões.'),
    ],
  }),
  en: ({ device, ipAddress, loggedInAt }, { moment }) => ({
    subject: 'New log-in to your account',
    body: [
      paragraph('Somebody logged in to your account from a device that we did not know.'),
      facts(['Device', device], ['Network address', ipAddress], ['Logged in on', moment(loggedInAt)]),
      paragraph('If it was you, all is well. If not, change your password now: that ends the other sessions.'),
    ],
  }),
})
