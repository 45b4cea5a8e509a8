/** The languages that payers are spoken to in. */
export const LANGUAGES = ['pt', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

const qualityOf = (parameters: readonly string[]): number => {
  const quality = parameters.find((parameter) => parameter.startsWith('q='))
  const value = quality === undefined ? 1 : Number(quality.slice(2))
  return value >= 0 && value <= 1 ? value : 0
}

/** The language that an Accept-Language header prefers: Portuguese, unless English is asked for before it. */
export const languageFor = (accept: string | undefined): Language => {
  const best = { pt: 0, en: 0 }
  for (const entry of (accept ?? '').toLowerCase().split(',')) {
    const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim())
    const language = tag.split('-')[0]
    if (language === 'pt' || language === 'en') best[language] = Math.max(best[language], qualityOf(parameters))
  }
  return best.en > best.pt ? 'en' : 'pt'
}
