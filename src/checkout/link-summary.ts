import type { PublicLink } from '../areas/payment-links/public-links.view.ts'
import { type Html, html } from '../html.ts'
import type { Locale } from './formats.ts'

const DESCRIPTION_MAX = 200

/** What a link asks for, beside whatever can be done with it. */
export const linkSummary = (locale: Locale, link: PublicLink): Html => {
  const { texts, money, moment } = locale
  return html`<section class="summary" aria-labelledby="title">
  <h1 id="title">${link.title}</h1>
  ${link.description !== null && html`<p class="description">${link.description}</p>`}
  ${
    link.amount === null
      ? html`<p class="total open">${texts.openAmount}</p>`
      : html`<p class="total"><span class="muted">${texts.total}</span> <strong>${money(link.amount)}</strong></p>`
  }
  ${link.expiresAt !== null && html`<p class="muted">${texts.validUntil(moment(link.expiresAt))}</p>`}
</section>`
}

/** What people see before they open a link that was sent to them (https://ogp.me). */
export const shareTags = ({ texts, money }: Locale, link: PublicLink): Html => {
  const title = link.amount === null ? link.title : texts.shareTitle(money(link.amount), link.title)
  const description = (link.description ?? texts.shareDescription(link.sellerName)).slice(0, DESCRIPTION_MAX)
  return html`<meta name="description" content="${description}">
<link rel="canonical" href="${link.url}">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:site_name" content="${link.sellerName}">
<meta property="og:url" content="${link.url}">
<meta property="og:locale" content="${texts.openGraphLocale}">
${link.sellerLogo && html`<meta property="og:image" content="${link.sellerLogo.url}">`}
<meta name="twitter:card" content="summary">`
}
