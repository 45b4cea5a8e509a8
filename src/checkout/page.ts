import type { PublicLink } from '../areas/payment-links/public-links.view.ts'
import type { HexColor } from '../domain/brand-color.ts'
import { type Html, html, toText } from '../html.ts'
import { brandStyleUrl } from './brand-style.ts'
import { MODULE_URLS, SCRIPT_URL, STYLE_URL } from './checkout.assets.ts'
import type { Locale } from './formats.ts'

/** A seller, as payers see them. */
export type ShownSeller = Pick<PublicLink, 'sellerName' | 'sellerLogo' | 'sellerColor'>

/** What a page says, before it is a document. */
export type Page = {
  locale: Locale
  title: string
  /** What social networks and the browser are told beside the title. */
  head?: Html
  /** Whose name and logo are above it. Absent: nobody's. */
  seller?: ShownSeller
  /** In which colour it is, where that is not the seller's above it. */
  color?: HexColor | null
  main: Html
  /** Seconds after which the page asks for itself again where no script does. */
  refreshSeconds?: number | undefined
}

/** A sign that nothing depends on. */
export const LOCK = html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M7 10V7a5 5 0 0 1 10 0v3h1.5v11h-13V10zm2 0h6V7a3 3 0 0 0-6 0z"/></svg>`

/** Where the operator says on which terms people pay, and what becomes of what they type. */
export type LegalPages = Readonly<{ termsUrl?: string | undefined; privacyUrl?: string | undefined }>

type Surroundings = {
  /** No money moves here, and whoever looks at the page is told so. */
  isTest: boolean
  legalPages?: LegalPages
}

const legalLinks = ({ texts }: Locale, { termsUrl, privacyUrl }: LegalPages): Html | false =>
  (termsUrl ?? privacyUrl) !== undefined &&
  html`<p class="legal">${termsUrl !== undefined && html`<a href="${termsUrl}" rel="noreferrer">${texts.terms}</a>`}${privacyUrl !== undefined && html`<a href="${privacyUrl}" rel="noreferrer">${texts.privacy}</a>`}</p>`

const monogram = (name: string): string => [...name.trim()].at(0)?.toLocaleUpperCase('pt-BR') ?? ''

/** The name stands beside it, so that it need not be said. Its path alone: the page may be reached under another name. */
export const logoImage = ({ url, width, height }: NonNullable<PublicLink['sellerLogo']>): Html =>
  html`<img class="logo" src="${new URL(url).pathname}" alt="" width="${width}" height="${height}">`

const sellerMark = ({ sellerName, sellerLogo }: ShownSeller): Html =>
  sellerLogo === null
    ? html`<span class="monogram" aria-hidden="true">${monogram(sellerName)}</span>`
    : logoImage(sellerLogo)

const banner = ({ locale: { texts }, seller }: Page, isTest: boolean): Html => html`<header class="banner">
  ${
    seller !== undefined &&
    html`<div class="seller">${sellerMark(seller)}
      <p><span class="muted">${texts.payTo}</span><strong>${seller.sellerName}</strong></p></div>`
  }
  ${isTest ? html`<p class="test">${texts.test}</p>` : html`<p class="secure">${LOCK}<span>${texts.secure}</span></p>`}
</header>`

/** A whole document. `main` brings its own <main id="main">, because the script replaces that part alone. */
export const documentOf = (page: Page, { isTest, legalPages = {} }: Surroundings): string => {
  const { locale, title, head, main, refreshSeconds, seller } = page
  const color = page.color ?? seller?.sellerColor ?? null
  return toText(html`<!doctype html>
<html lang="${locale.texts.languageTag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
${head}
<link rel="icon" href="/favicon.ico" type="image/svg+xml">
<link rel="stylesheet" href="${STYLE_URL}">
${color !== null && html`<link rel="stylesheet" href="${brandStyleUrl(color)}">`}
${MODULE_URLS.map((url) => html`<link rel="modulepreload" href="${url}">`)}
<script type="module" src="${SCRIPT_URL}"></script>
${refreshSeconds !== undefined && html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`}
</head>
<body>
<a class="skip" href="#main">${locale.texts.skip}</a>
${banner(page, isTest)}
${main}
<p class="away" role="status" data-away="${locale.texts.away}"></p>
<footer class="footer"><p>${isTest ? locale.texts.testFooter : locale.texts.footer}</p>${legalLinks(locale, legalPages)}</footer>
</body>
</html>
`)
}
