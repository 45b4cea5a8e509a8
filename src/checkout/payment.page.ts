import type { Payee } from '../areas/companies/companies.repository.ts'
import type { PublicLink, PublicPayment } from '../areas/payment-links/public-links.view.ts'
import { issuingBank } from '../domain/bank.ts'
import { saoPauloDate } from '../domain/calendar.ts'
import { type Html, html } from '../html.ts'
import { groupedLine, type Locale } from './formats.ts'
import { itfBarcode } from './itf-barcode.ts'
import { sign } from './notice.page.ts'
import type { Page, ShownSeller } from './page.ts'
import { codeFact, contactFact, factList, payeeFact, receiptFacts, shortfallFacts } from './payment-facts.ts'
import { qrDrawing } from './qr-drawing.ts'

export type PaymentModel = {
  link: Pick<PublicLink, 'hash' | 'title'> & ShownSeller
  payment: PublicPayment
  /** Undefined: nobody knows any more. */
  payee: Payee | undefined
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

const copyable = ({ texts }: Locale, { id, label, control, copied, action }: Copyable): Html => html`<div class="copy">
  <label for="${id}">${label}</label>
  ${control}
  <button class="button primary scripted" type="button" data-copy="${copied}" data-from="${id}" data-copied="${texts.copied}" data-failed="${texts.copyFailed}">${action}</button>
  <p class="copy-told" role="status"></p>
</div>`

const amountLine = ({ money, texts }: Locale, { payment }: PaymentModel): Html =>
  html`<p class="total"><span class="muted">${texts.total}</span> <strong>${money(payment.amount)}</strong></p>`

const waiting = (
  { texts }: Locale,
  text: string,
): Html => html`<p class="waiting"><span class="dot" aria-hidden="true"></span>${text}</p>
<p class="reconnecting error" role="status" data-text="${texts.reconnecting}" hidden></p>`

const pixMain = (locale: Locale, model: PaymentModel, qrCode: string): Html => {
  const { texts, moment } = locale
  const { expiresAt } = model.payment
  const left = expiresAt === null ? 0 : Math.max(0, Math.ceil((Date.parse(expiresAt) - model.now.getTime()) / 1_000))
  return html`<h1>${texts.pix.heading}</h1>
${amountLine(locale, model)}
${waiting(locale, texts.pix.waiting)}
${
  expiresAt !== null &&
  html`<p class="muted">${texts.pix.expires} <span role="timer" data-countdown="${left}">${remaining(left)}</span>. ${texts.pix.expiresAt(moment(expiresAt))}</p>`
}
<div class="pix">
  <div>
    ${copyable(locale, {
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

// Of a provider's own there is one size.
const pdfLinks = ({ texts }: Locale, url: string): Html =>
  html`<a class="button" href="${url}">${texts.boleto.pdf}</a>
${url.includes('/pay/boletos/') && html`<a class="button" href="${url}?size=phone">${texts.boleto.pdfPhone}</a>`}
`

const boletoMain = (locale: Locale, model: PaymentModel, boleto: NonNullable<PublicPayment['boleto']>): Html => {
  const { texts, day } = locale
  const bank = issuingBank(boleto.barcode)
  return html`<h1>${texts.boleto.heading}</h1>
${amountLine(locale, model)}
${factList([
  [texts.boleto.due, day(boleto.dueDate)],
  payeeFact(locale, model.payee),
  [texts.boleto.bank, `${bank.name} (${bank.code})`],
  [texts.boleto.issued, day(saoPauloDate(new Date(model.payment.createdAt)))],
  codeFact(locale, model.payment),
])}
${copyable(locale, {
  id: 'boleto-line',
  label: texts.boleto.line,
  control: html`<textarea id="boleto-line" readonly rows="3">${groupedLine(boleto.line)}</textarea>`,
  copied: boleto.line,
  action: texts.boleto.copy,
})}
<figure>${itfBarcode(boleto.barcode, texts.boleto.barcode)}</figure>
<p>${texts.boleto.note}</p>
${waiting(locale, texts.boleto.waiting)}
<p class="actions">${boleto.pdfUrl !== null && pdfLinks(locale, boleto.pdfUrl)}<button class="button scripted" type="button" data-print>${texts.boleto.print}</button></p>`
}

const paidMain = (locale: Locale, model: PaymentModel): Html => {
  const { texts } = locale
  const { payment, now, link } = model
  const { successUrl, paidAt } = payment
  const isFresh = paidAt !== null && now.getTime() - Date.parse(paidAt) < RETURN_WITHIN_MS
  return html`${sign('good')}
<h1>${texts.paid.heading}</h1>
${amountLine(locale, model)}
<p>${texts.paid.note(link.sellerName)}</p>
${receiptFacts(locale, payment, model.payee)}
${
  successUrl !== null &&
  isFresh &&
  html`<p class="leaving scripted" data-leave><span role="status">${texts.paid.leaving}</span> <button class="link" type="button" data-stay>${texts.paid.stay}</button></p>`
}
<p class="actions">${successUrl !== null && html`<a class="button primary" href="${successUrl}" rel="noreferrer" data-back>${texts.paid.back}</a>`}
<button class="button scripted" type="button" data-print>${texts.paid.print}</button></p>`
}

const isShort = ({ statusReason }: PublicPayment): boolean => statusReason === 'underpaid'

const endOf = ({ texts }: Locale, { status, statusReason }: PublicPayment) => {
  if (statusReason === 'underpaid') return texts.underpaid
  if (status === 'refunded') return texts.refunded
  if (status === 'canceled') return texts.canceled
  if (status === 'expired') return texts.lapsed
  return statusReason === 'card_declined' ? texts.declined : texts.failed
}

const endMain = (locale: Locale, model: PaymentModel): Html => {
  const { texts } = locale
  const { payment, link } = model
  const { heading, note } = endOf(locale, payment)
  const again = `/pay/${link.hash}?method=${payment.method}`
  const isRefunded = payment.status === 'refunded'
  return html`${sign(isRefunded ? 'good' : 'bad')}
<h1>${heading}</h1>
${amountLine(locale, model)}
<p>${note}</p>
${isShort(payment) && shortfallFacts(locale, payment, model.payee)}
${isRefunded && receiptFacts(locale, payment, model.payee)}
${!isRefunded && html`<p class="actions"><a class="button primary" href="${again}">${texts.again}</a></p>`}`
}

/** A provider that has not answered by then may take long. */
const LATE_AFTER_MS = 20_000

const processingMain = (locale: Locale, { payment, payee, now, link }: PaymentModel): Html => {
  const { texts } = locale
  const lateInMs = Date.parse(payment.createdAt) + LATE_AFTER_MS - now.getTime()
  const isLate = lateInMs <= 0
  return html`${sign('waiting')}
<h1>${texts.processing.heading}</h1>
${amountLine(locale, { link, payment, payee, now })}
<p data-until-late ${isLate && html`hidden`}>${texts.processing.note}</p>
<div class="late" data-late-in="${Math.max(0, lateInMs)}" ${!isLate && html`hidden`}><p role="status">${texts.processing.late}</p>
${factList([codeFact(locale, payment), payeeFact(locale, payee), contactFact(locale, payee)])}</div>
${waiting(locale, texts.processing.title)}`
}

const isOpen = ({ status }: PublicPayment): boolean => status === 'pending' || status === 'processing'

const contentOf = (locale: Locale, model: PaymentModel): Html => {
  const { status, pix, boleto } = model.payment
  if (status === 'paid') return paidMain(locale, model)
  // What arrived cannot be topped up: the code is not to be paid any more.
  if (isShort(model.payment)) return endMain(locale, model)
  if (status === 'pending' && pix !== null) return pixMain(locale, model, pix.qrCode)
  if (status === 'pending' && boleto !== null) return boletoMain(locale, model, boleto)
  return isOpen(model.payment) ? processingMain(locale, model) : endMain(locale, model)
}

const titleOf = (locale: Locale, payment: PublicPayment): string => {
  const { texts } = locale
  if (payment.status === 'paid') return texts.paid.title
  if (isShort(payment)) return texts.underpaid.title
  if (payment.status === 'pending') return payment.method === 'boleto' ? texts.boleto.title : texts.pix.title
  return isOpen(payment) ? texts.processing.title : endOf(locale, payment).title
}

// A payer without script may look for themselves; one with script is told.
const further = ({ texts }: Locale, { payment, link }: PaymentModel): Html | false =>
  payment.status === 'pending' &&
  !isShort(payment) &&
  html`<p class="further"><a href="/pay/${link.hash}/payments/${payment.id}">${texts.check}</a>
<a href="/pay/${link.hash}?again=${payment.id}">${texts.other}</a></p>`

/** The page of one payment: how to pay it while it is open, then how it ended. */
export const paymentPage = (locale: Locale, model: PaymentModel): Page => {
  const { link, payment } = model
  const api = `/api/v1/payment-links/${link.hash}/payments/${payment.id}`
  const open = isOpen(payment)
  return {
    locale,
    title: `${titleOf(locale, payment)} · ${link.title}`,
    seller: link,
    refreshSeconds: open ? REFRESH_SECONDS : undefined,
    main: html`<main id="main" class="single payment" tabindex="-1" data-payment="${api}" data-status="${payment.status}" data-reason="${payment.statusReason}" data-open="${open ? 'yes' : 'no'}"><div class="card">
<p class="for">${link.title}</p>
${contentOf(locale, model)}
${further(locale, model)}
</div></main>`,
  }
}
