import type { Language } from '../domain/language.ts'
import type { AppError } from '../errors.ts'
import type { Locale } from './formats.ts'

// Nothing is written into the page that could run, and nothing comes from elsewhere but the frame of the card.
const policy = (frameOrigin: string | undefined): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    `frame-src ${frameOrigin ?? "'none'"}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** The headers of every page. `frameOrigin` is the provider's, on pages with card fields. */
export const pageHeaders = (language: Language, frameOrigin: string | undefined) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-language': language === 'pt' ? 'pt-BR' : 'en',
  'cache-control': 'no-store',
  'content-security-policy': policy(frameOrigin),
  'x-frame-options': 'DENY',
  // Not no-referrer: with that, browsers hide the Origin of our own forms too.
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
})

const BY_STATUS: Readonly<Record<number, 'unknown' | 'deleted' | 'crossSite' | 'tooMany' | 'unavailable'>> = {
  403: 'crossSite',
  404: 'unknown',
  410: 'deleted',
  429: 'tooMany',
  503: 'unavailable',
}

/** What a payer is told of a refusal: never its own words, which are for programmers. */
export const noticeOf = ({ texts: { states } }: Locale, { status, code }: AppError) => {
  if (code === 'payment.not_found') return states.unknownPayment
  return states[BY_STATUS[status] ?? (status >= 500 ? 'broken' : 'invalid')]
}
