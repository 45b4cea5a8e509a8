import type { MailLanguage } from '../../domain/mail.ts'

const TIME_ZONE = 'America/Sao_Paulo'

type Words = { tag: string; moneyTag: string; inBrasilia: string }

const WORDS: Readonly<Record<MailLanguage, Words>> = {
  pt: { tag: 'pt-BR', moneyTag: 'pt-BR', inBrasilia: 'horário de Brasília' },
  // Day, month, year: as in Brazil, and with the month in letters understood everywhere.
  en: { tag: 'en-GB', moneyTag: 'en-US', inBrasilia: 'Brasília time' },
}

const createFormats = ({ tag, moneyTag, inBrasilia }: Words) => {
  const money = new Intl.NumberFormat(moneyTag, { style: 'currency', currency: 'BRL' })
  const day = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: TIME_ZONE })
  const moment = new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'short', timeZone: TIME_ZONE })
  return {
    /** Centavos as `R$ 1.234,56`. */
    money: (amount: number): string => money.format(amount / 100),
    /** The day of an instant in São Paulo. */
    day: (instant: string): string => day.format(new Date(instant)),
    /** An instant, in São Paulo’s time. */
    moment: (instant: string): string => `${moment.format(new Date(instant))} (${inBrasilia})`,
  }
}

/** How amounts and times are written in a language. */
export type Formats = ReturnType<typeof createFormats>

// Making a formatter costs a hundred times what using it does.
const FORMATS: Readonly<Record<MailLanguage, Formats>> = { pt: createFormats(WORDS.pt), en: createFormats(WORDS.en) }

export const formatsOf = (language: MailLanguage): Formats => FORMATS[language]
