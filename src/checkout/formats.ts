import type { Language } from '../domain/language.ts'
import { english } from './texts.en.ts'
import { portuguese, type Texts } from './texts.pt.ts'

const TIME_ZONE = 'America/Sao_Paulo'
const LINE_GROUPS = /^(\d{5})(\d{5})(\d{5})(\d{6})(\d{5})(\d{6})(\d)(\d{14})$/

const createFormats = (language: Language, texts: Texts) => {
  const money = new Intl.NumberFormat(texts.languageTag, { style: 'currency', currency: 'BRL' })
  const plain = new Intl.NumberFormat(texts.languageTag, { minimumFractionDigits: 2, useGrouping: false })
  const moment = new Intl.DateTimeFormat(texts.languageTag, {
    dateStyle: 'short',
    timeStyle: 'short',
    timeZone: TIME_ZONE,
  })
  const day = new Intl.DateTimeFormat(texts.languageTag, { dateStyle: 'long', timeZone: 'UTC' })
  return {
    language,
    texts,
    /** Centavos as `R$ 1.234,56`. */
    money: (amount: number): string => money.format(amount / 100),
    /** Centavos as somebody would type them: `1234,56`. */
    typed: (amount: number): string => plain.format(amount / 100),
    /** An instant, in São Paulo's time. */
    moment: (instant: string): string => moment.format(new Date(instant)),
    /** A calendar date. */
    day: (date: string): string => day.format(new Date(`${date}T00:00:00Z`)),
  }
}

/** A language with everything that is written in it. */
export type Locale = ReturnType<typeof createFormats>

// Making a formatter costs a hundred times what using it does.
const LOCALES: Readonly<Record<Language, Locale>> = {
  pt: createFormats('pt', portuguese),
  en: createFormats('en', english),
}

export const localeOf = (language: Language): Locale => LOCALES[language]

/** The line of a boleto as it is printed: `10490.05539 03698.700006 …`. */
export const groupedLine = (line: string): string => line.replace(LINE_GROUPS, '$1.$2 $3.$4 $5.$6 $7 $8')

/**
 * Centavos of an amount as people type it, `1.234,56` and `1,234.56` alike, or undefined. The last separator is the
 * decimal one where one or two digits follow it.
 */
export const typedAmount = (text: string): number | undefined => {
  const typed = text.replace(/^R\$/, '').replace(/\s/g, '')
  const [, whole = '', cents = ''] = /^([\d.,]*?)(?:[.,](\d{1,2}))?$/.exec(typed) ?? []
  const isGrouped = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*$/.test(whole)
  if (!/^\d{1,13}$/.test(whole) && !isGrouped) return undefined
  return Number(whole.replace(/[.,]/g, '') + cents.padEnd(2, '0'))
}
