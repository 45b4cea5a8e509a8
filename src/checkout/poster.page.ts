import type { PublicLink } from '../areas/payment-links/public-links.view.ts'
import { html } from '../html.ts'
import type { Locale } from './formats.ts'
import { logoImage, type Page } from './page.ts'
import { qrDrawing } from './qr-drawing.ts'

/** A sheet for the counter of a shop: the QR code of the link itself. */
export const posterPage = (locale: Locale, link: PublicLink): Page => {
  const { poster } = locale.texts
  return {
    locale,
    title: `${poster.title} · ${link.title}`,
    color: link.sellerColor,
    main: html`<main id="main" class="single poster"><div class="card">
  ${link.sellerLogo && logoImage(link.sellerLogo)}
  <p class="for">${link.sellerName}</p>
  <h1>${link.title}</h1>
  <p class="total"><strong>${link.amount === null ? poster.chosen : locale.money(link.amount)}</strong></p>
  <figure>${qrDrawing(link.url, poster.qrCode)}</figure>
  <p class="scan">${poster.scan}</p>
  <p class="address">${link.url}</p>
  <p class="actions"><button class="button scripted" type="button" data-print>${poster.print}</button></p>
</div></main>`,
  }
}
