import { facts, paragraph } from '../text/blocks.ts'
import { template } from '../text/template.ts'

type Facts = { ipAddress: string; guessedAt: string }

/** To somebody at whose second factor others guess: they have the password already. */
export const secondFactorGuessed = template<Facts>('security', {
  pt: ({ ipAddress, guessedAt }, { moment }) => ({
    subject: 'Alguém sabe a sua senha: troque-a agora',
    body: [
      paragraph(
        'Várias tentativas de entrar na sua conta tinham a senha certa e o código da verificação em duas etapas errado. Ninguém entrou, e novas tentativas têm de esperar.',
      ),
      facts(['Endereço de rede', ipAddress], ['Última tentativa', moment(guessedAt)]),
      paragraph(
        'Se não foi você, troque sua senha: isso encerra todas as sessões. Você continua entrando pelo navegador de sempre, ou com um código de recuperação.',
      ),
    ],
  }),
  en: ({ ipAddress, guessedAt }, { moment }) => ({
    subject: 'Somebody knows your password: change it now',
    body: [
      paragraph(
        'Several attempts to log in to your account had the right password and a wrong code of the second step. Nobody got in, and further attempts have to wait.',
      ),
      facts(['Network address', ipAddress], ['Last attempt', moment(guessedAt)]),
      paragraph(
        'If it was not you, change your password: that ends all sessions. You still get in with the browser that you always use, or with a recovery code.',
      ),
    ],
  }),
})
