import type { PublicLink, PublicPayment } from '../areas/payment-links/public-links.view.ts'
import { type Html, html } from '../http/html.ts'
import { groupedLine, type Speech, shortCode } from './formats.ts'
import { itfBarcode } from './itf-barcode.ts'
import { sign } from './notice.page.ts'
import type { Page } from './page.ts'
import { qrDrawing } from './qr-drawing.ts'

export type PaymentModel = {
  link: Pick<PublicLink, 'hash' | 'title' | 'sellerName'>
  payment: PublicPayment
  now: Date
}

/** How often a page without its script asks for itself, while there is something to wait for. */
const REFRESH_SECONDS = 10
/** A receipt that is looked at later than this stays where it is. */
const RETURN_WITHIN_MS = 120_000
/** Whole minutes are enough for a day, seconds are needed for the last hour. */
const HOUR_SECONDS = 3_600

const remaining = (seconds: number): string => {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  if (seconds >= HOUR_SECONDS)
    return `${Math.floor(seconds / HOUR_SECONDS)} h ${two((seconds % HOUR_SECONDS) / 60)} min`
  return `${two(seconds / 60)}:${two(seconds % 60)}`
}

type Copyable = { id: string; label: string; control: Html; copied: string; action: string }

const copyable = ({ texts }: Speech, { id, label, control, copied, action }: Copyable): Html => html`<div class="copy">
  <label for="${id}">${label}</label>
  ${control}
  <button class="button primary scripted" type="button" data-copy="${copied}" data-from="${id}" data-copied="${texts.copied}" data-failed="${texts.copyFailed}">${action}</button>
  <p class="copy-told" role="status"></p>
</div>`

const amountLine = ({ money, texts }: Speech, { payment }: PaymentModel): Html =>
  html`<p class="total"><span class="muted">${texts.total}</span> <strong>${money(payment.amount)}</strong></p>`

const waiting = (
  { texts }: Speech,
  text: string,
): Html => html`<p class="waiting"><span class="dot" aria-hidden="true"></span>${text}</p>
<p class="reconnecting error" role="status" data-text="${texts.reconnecting}" hidden></p>`

const pixMain = (speech: Speech, model: PaymentModel, qrCode: string): Html => {
  const { texts, moment } = speech
  const { expiresAt } = model.payment
  const left = expiresAt === null ? 0 : Math.max(0, Math.ceil((Date.parse(expiresAt) - model.now.getTime()) / 1_000))
  return html`<h1>${texts.pix.heading}</h1>
${amountLine(speech, model)}
${waiting(speech, texts.pix.waiting)}
${
  expiresAt !== null &&
  html`<p class="muted">${texts.pix.expires} <span role="timer" data-countdown="${left}">${remaining(left)}</span>. ${texts.pix.expiresAt(moment(expiresAt))}</p>`
}
<div class="pix">
  <div>
    ${copyable(speech, {
      id: 'pix-code',
      label: texts.pix.code,
      control: html`<input id="pix-code" type="text" readonly value="${qrCode}">`,
      copied: qrCode,
      action: texts.pix.copy,
    })}
    <ol>${texts.pix.steps.map((step) => html`<li>${step}</li>`)}</ol>
  </div>
  <figure>${qrDrawing(qrCode, texts.pix.qrCode)}</figure>
</div>`
}

const boletoMain = (speech: Speech, model: PaymentModel, boleto: NonNullable<PublicPayment['boleto']>): Html => {
  const { texts, day } = speech
  return html`<h1>${texts.boleto.heading}</h1>
${amountLine(speech, model)}
<dl class="facts"><div><dt>${texts.boleto.due}</dt><dd>${day(boleto.dueDate)}</dd></div>
<div><dt>${texts.payTo}</dt><dd>${model.link.sellerName}</dd></div></dl>
${copyable(speech, {
  id: 'boleto-line',
  label: texts.boleto.line,
  control: html`<textarea id="boleto-line" readonly rows="3">${groupedLine(boleto.line)}</textarea>`,
  copied: boleto.line,
  action: texts.boleto.copy,
})}
<figure>${itfBarcode(boleto.barcode, texts.boleto.barcode)}</figure>
<p>${texts.boleto.note}</p>
${waiting(speech, texts.boleto.waiting)}
<p class="actions"><button class="button scripted" type="button" data-print>${texts.boleto.print}</button>${
    boleto.pdfUrl !== null && html`<a class="button" href="${boleto.pdfUrl}">${texts.boleto.pdf}</a>`
  }</p>`
}

const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  elo: 'Elo',
  hipercard: 'Hipercard',
  amex: 'American Express',
}

const paidWith = ({ texts }: Speech, { method, card, installments }: PublicPayment): string => {
  if (card === null) return texts.methods[method]
  const named = texts.paid.cardEnding(BRANDS[card.brand] ?? card.brand, card.last4)
  return installments > 1 ? `${named}, ${texts.paid.in(installments)}` : named
}

const receipt = (speech: Speech, { payment }: PaymentModel): Html => {
  const { texts, moment } = speech
  return html`<dl class="facts">
  ${payment.paidAt !== null && html`<div><dt>${texts.paid.when}</dt><dd>${moment(payment.paidAt)}</dd></div>`}
  <div><dt>${texts.paid.with}</dt><dd>${paidWith(speech, payment)}</dd></div>
  <div><dt>${texts.paid.receipt}</dt><dd><code>${shortCode(payment.id)}</code></dd></div>
</dl>`
}

const paidMain = (speech: Speech, model: PaymentModel): Html => {
  const { texts } = speech
  const { payment, now, link } = model
  const { successUrl, paidAt } = payment
  const isFresh = paidAt !== null && now.getTime() - Date.parse(paidAt) < RETURN_WITHIN_MS
  return html`${sign('good')}
<h1>${texts.paid.heading}</h1>
${amountLine(speech, model)}
<p>${texts.paid.note(link.sellerName)}</p>
${receipt(speech, model)}
${
  successUrl !== null &&
  isFresh &&
  html`<p class="leaving scripted" data-leave><span role="status">${texts.paid.leaving}</span> <button class="link" type="button" data-stay>${texts.paid.stay}</button></p>`
}
<p class="actions">${successUrl !== null && html`<a class="button primary" href="${successUrl}" rel="noreferrer" data-back>${texts.paid.back}</a>`}
<button class="button scripted" type="button" data-print>${texts.paid.print}</button></p>`
}

const endOf = ({ texts }: Speech, { status, statusReason }: PublicPayment) => {
  if (statusReason === 'underpaid') return texts.underpaid
  if (status === 'refunded') return texts.refunded
  if (status === 'canceled') return texts.canceled
  if (status === 'expired') return texts.lapsed
  return statusReason === 'card_declined' ? texts.declined : texts.failed
}

const endMain = (speech: Speech, model: PaymentModel): Html => {
  const { texts } = speech
  const { payment, link } = model
  const { heading, note } = endOf(speech, payment)
  const again = `/pay/${link.hash}?method=${payment.method}`
  return html`${sign('bad')}
<h1>${heading}</h1>
${amountLine(speech, model)}
<p>${note}</p>
${payment.status !== 'refunded' && html`<p class="actions"><a class="button primary" href="${again}">${texts.again}</a></p>`}`
}

const processingMain = (speech: Speech, model: PaymentModel): Html => {
  const { texts } = speech
  return html`${sign('waiting')}
<h1>${texts.processing.heading}</h1>
${amountLine(speech, model)}
<p>${texts.processing.note}</p>
${waiting(speech, texts.processing.title)}`
}

const isOpen = ({ status }: PublicPayment): boolean => status === 'pending' || status === 'processing'

const contentOf = (speech: Speech, model: PaymentModel): Html => {
  const { status, pix, boleto } = model.payment
  if (status === 'paid') return paidMain(speech, model)
  if (status === 'pending' && pix !== null) return pixMain(speech, model, pix.qrCode)
  if (status === 'pending' && boleto !== null) return boletoMain(speech, model, boleto)
  return isOpen(model.payment) ? processingMain(speech, model) : endMain(speech, model)
}

const titleOf = (speech: Speech, payment: PublicPayment): string => {
  const { texts } = speech
  if (payment.status === 'paid') return texts.paid.title
  if (payment.status === 'pending') return payment.method === 'boleto' ? texts.boleto.title : texts.pix.title
  return isOpen(payment) ? texts.processing.title : endOf(speech, payment).title
}

// A payer without script may look for themselves; one with script is told.
const further = ({ texts }: Speech, { payment, link }: PaymentModel): Html | false =>
  payment.status === 'pending' &&
  html`<p class="further"><a href="/pay/${link.hash}/payments/${payment.id}">${texts.check}</a>
<a href="/pay/${link.hash}?again=${payment.id}">${texts.other}</a></p>`

/** The page of one payment: how to pay it while it is open, then how it ended. */
export const paymentPage = (speech: Speech, model: PaymentModel): Page => {
  const { link, payment } = model
  const api = `/api/v1/payment-links/${link.hash}/payments/${payment.id}`
  const open = isOpen(payment)
  return {
    speech,
    title: `${titleOf(speech, payment)} · ${link.title}`,
    sellerName: link.sellerName,
    refreshSeconds: open ? REFRESH_SECONDS : undefined,
    main: html`<main id="main" class="single payment" tabindex="-1" data-payment="${api}" data-status="${payment.status}" data-open="${open ? 'yes' : 'no'}"><div class="card">
<p class="for">${link.title}</p>
${contentOf(speech, model)}
${further(speech, model)}
</div></main>`,
  }
}
