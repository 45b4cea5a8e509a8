import { isTopic, type MailCause, type MailLanguage, type MailTopic } from '../../domain/mail.ts'
import { oneLine } from './blocks.ts'
import type { MailLinks } from './links.ts'

type Words = {
  greeting: (name: string) => string
  topics: Readonly<Record<MailTopic, string>>
  about: (topic: string, brand: string) => string
  turnOff: (url: string) => string
  reasons: Readonly<Record<Exclude<MailCause, MailTopic>, (brand: string) => string>>
  automatic: string
}

const WORDS: Readonly<Record<MailLanguage, Words>> = {
  pt: {
    greeting: (name) => `Olá, ${name}.`,
    topics: {
      company: 'a análise da sua empresa',
      withdrawals: 'seus saques',
      disputes: 'contestações de pagamentos',
      daily_digest: 'o resumo diário do que aguarda uma decisão',
    },
    about: (topic, brand) => `Você recebe este e-mail porque tem uma conta em ${brand} e quer saber sobre ${topic}.`,
    turnOff: (url) => `Para não receber mais e-mails sobre isso, mude as notificações da sua conta: ${url}`,
    reasons: {
      security: (brand) =>
        `Você recebe este e-mail porque ele trata da segurança da sua conta em ${brand}. E-mails de segurança não podem ser desativados.`,
      address_given: (brand) =>
        `Você recebe este e-mail porque este endereço foi informado em ${brand}. Se você não esperava por isso, ignore-o: sem o link acima, nada acontece.`,
      payment: (brand) =>
        `Você recebe este e-mail porque fez um pagamento por ${brand} e quem recebeu pediu que enviássemos o comprovante. Ele é enviado uma única vez.`,
    },
    automatic: 'Este e-mail é automático: respostas não são lidas.',
  },
  en: {
    greeting: (name) => `Hello, ${name}.`,
    topics: {
      company: 'the review of your company',
      withdrawals: 'your withdrawals',
      disputes: 'disputes of payments',
      daily_digest: 'the daily digest of what waits for a decision',
    },
    about: (topic, brand) =>
      `You get this e-mail because you have an account at ${brand} and want to hear of ${topic}.`,
    turnOff: (url) => `To get no more e-mails about this, change the notifications of your account: ${url}`,
    reasons: {
      security: (brand) =>
        `You get this e-mail because it is about the security of your account at ${brand}. E-mails about security cannot be turned off.`,
      address_given: (brand) =>
        `You get this e-mail because this address was given at ${brand}. If you did not expect that, ignore it: without the link above nothing happens.`,
      payment: (brand) =>
        `You get this e-mail because you made a payment through ${brand} and whoever received it asked us to send the receipt. It is sent once.`,
    },
    automatic: 'This e-mail was sent automatically: replies are not read.',
  },
}

/** What stands around every mail. */
export type Frame = {
  languageTag: string
  /** Whom the mail is from, as people know it. */
  brand: string
  greeting: string | undefined
  /** Why one gets it, and where it can be turned off. */
  footer: readonly string[]
}

const LANGUAGE_TAGS: Readonly<Record<MailLanguage, string>> = { pt: 'pt-BR', en: 'en' }

type Recipient = { language: MailLanguage; name: string | undefined }

export const frameOf = (cause: MailCause, { language, name }: Recipient, brand: string, links: MailLinks): Frame => {
  const words = WORDS[language]
  const why = isTopic(cause)
    ? [words.about(words.topics[cause], brand), words.turnOff(links.notifications())]
    : [words.reasons[cause](brand)]
  // Whoever names an address that is not theirs has no say in what its owner reads.
  const isKnown = name !== undefined && cause !== 'address_given'
  return {
    languageTag: LANGUAGE_TAGS[language],
    brand,
    greeting: isKnown ? words.greeting(oneLine(name)) : undefined,
    footer: [...why, words.automatic],
  }
}
