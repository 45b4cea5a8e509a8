import type { PublicLink, PublicPayment } from '../areas/payment-links/public-links.view.ts'
import { html } from '../html.ts'
import type { Locale } from './formats.ts'
import { linkSummary, shareTags } from './link-summary.ts'
import { sign } from './notice.page.ts'
import type { Page } from './page.ts'

/** What a payer meets who comes back to a link that they have paid or are paying, by the back button or another tab. */
export const existingPaymentPage = (locale: Locale, link: PublicLink, payment: PublicPayment): Page => {
  const { existing, methods } = locale.texts
  const paid = payment.status === 'paid'
  const heading = paid ? existing.paidHeading : existing.openHeading
  return {
    locale,
    title: `${heading} · ${link.title}`,
    head: shareTags(locale, link),
    seller: link,
    main: html`<main id="main" class="columns">
${linkSummary(locale, link)}
<div class="card notice">
  ${sign(paid ? 'good' : 'waiting')}
  <h2>${heading}</h2>
  <p>${methods[payment.method]} · <strong>${locale.money(payment.amount)}</strong></p>
  <p>${paid ? existing.paidNote : existing.openNote}</p>
  <p class="actions"><a class="button primary" href="/pay/${link.hash}/payments/${payment.id}">${paid ? existing.paidAction : existing.openAction}</a>
  ${link.status === 'active' && html`<a class="button" href="/pay/${link.hash}?again=${payment.id}">${paid ? existing.other : locale.texts.other}</a>`}</p>
</div></main>`,
  }
}
