import type { PublicLink } from '../areas/payment-links/public-links.view.ts'
import { html } from '../http/html.ts'
import type { Speech } from './formats.ts'
import type { Page } from './page.ts'
import { qrDrawing } from './qr-drawing.ts'

/** A sheet for the counter of a shop: the QR code of the link itself. */
export const posterPage = (speech: Speech, link: PublicLink): Page => {
  const { poster } = speech.texts
  return {
    speech,
    title: `${poster.title} · ${link.title}`,
    main: html`<main id="main" class="single poster"><div class="card">
  <p class="for">${link.sellerName}</p>
  <h1>${link.title}</h1>
  <p class="total"><strong>${link.amount === null ? poster.chosen : speech.money(link.amount)}</strong></p>
  <figure>${qrDrawing(link.url, poster.qrCode)}</figure>
  <p class="scan">${poster.scan}</p>
  <p class="address">${link.url}</p>
  <p class="actions"><button class="button scripted" type="button" data-print>${poster.print}</button></p>
</div></main>`,
  }
}
