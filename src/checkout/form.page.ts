import type { PublicLink } from '../areas/payment-links/public-links.view.ts'
import type { PaymentMethod } from '../domain/payment.ts'
import { type Html, html } from '../html.ts'
import { CARD_BRANDS } from './card-brands.ts'
import { fieldError, textField } from './form-field.ts'
import type { Locale } from './formats.ts'
import { linkSummary, shareTags } from './link-summary.ts'
import { LOCK, type Page } from './page.ts'
import type { FormValues } from './payment-form.ts'

/** In the order in which faults are listed. */
export const FORM_FIELDS = ['amount', 'method', 'name', 'document', 'email', 'card', 'installments'] as const
export type FormField = (typeof FORM_FIELDS)[number]

export type FormModel = {
  link: PublicLink
  /** Those of the link that can be paid with here. */
  methods: readonly PaymentMethod[]
  values: FormValues
  faults: ReadonlyMap<FormField, string>
  /** What is wrong with the whole. */
  problem: string | undefined
  /** Names this attempt, so that sending it twice pays once. */
  nonce: string
  /** The payment of this browser that the payer knows of. */
  after: string
  /** The address of the provider's card fields, on another origin. */
  cardFieldsUrl: string | undefined
  /** The open payment that ends by going on; empty: none does. */
  replaces: string
}

const DESCRIPTIONS = {
  pix: html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="m12 2 4.2 4.2-3 3a1.7 1.7 0 0 1-2.4 0l-3-3zM6.3 7.7l3 3a3.8 3.8 0 0 0 5.4 0l3-3L22 12l-4.3 4.3-3-3a3.8 3.8 0 0 0-5.4 0l-3 3L2 12zm4.5 7.1a1.7 1.7 0 0 1 2.4 0l3 3L12 22l-4.2-4.2z"/></svg>`,
  boleto: html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M2 5h2v14H2zm3 0h1v14H5zm3 0h3v14H8zm4 0h1v14h-1zm3 0h2v14h-2zm3 0h1v14h-1zm2 0h2v14h-2z"/></svg>`,
  credit_card: html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M2 5h20v3H2zm0 5h20v9H2zm3 4v2h5v-2z"/></svg>`,
} satisfies Record<PaymentMethod, Html>

const methodHint = ({ texts }: Locale, { maxInstallments }: PublicLink, method: PaymentMethod): string =>
  method === 'credit_card' ? texts.methodHints.credit_card(maxInstallments) : texts.methodHints[method]

const methodChoice = (locale: Locale, { link, methods, values, faults }: FormModel): Html => {
  const { texts } = locale
  const chosen = methods.find((method) => method === values.method) ?? methods[0]
  return html`<fieldset class="methods" id="method" tabindex="-1" aria-describedby="method-error">
  <legend>${texts.how}</legend>
  ${fieldError('method', faults.get('method'))}
  ${methods.map(
    (method) =>
      html`<label class="method"><input type="radio" name="method" value="${method}" ${
        method === chosen ? html`checked` : html``
      }>${DESCRIPTIONS[method]}<span><strong>${texts.methods[method]}</strong><span class="muted">${methodHint(locale, link, method)}</span></span></label>`,
  )}
</fieldset>`
}

/** The bounds of an open amount, in words. */
export const amountBounds = ({ texts, money }: Locale, { minAmount, maxAmount }: PublicLink): string =>
  texts.amountHint(minAmount === null ? null : money(minAmount), maxAmount === null ? null : money(maxAmount))

const amountField = (locale: Locale, { link, values, faults }: FormModel): Html | false =>
  link.amount === null &&
  html`<div data-min="${link.minAmount}" data-max="${link.maxAmount}">${textField({
    name: 'amount',
    label: locale.texts.amount,
    hint: amountBounds(locale, link),
    value: values.amount,
    error: faults.get('amount'),
    complaint: locale.texts.errors.amountBounds(amountBounds(locale, link)),
    autocomplete: 'off',
    inputMode: 'decimal',
    maxLength: 20,
    prefix: 'R$',
  })}</div>`

const payerFields = ({ texts }: Locale, { values, faults }: FormModel): Html => html`<fieldset class="payer">
  <legend>${texts.you}</legend>
  ${textField({
    name: 'name',
    label: texts.name,
    value: values.name,
    error: faults.get('name'),
    complaint: texts.errors.name,
    autocomplete: 'name',
    inputMode: 'text',
    maxLength: 120,
  })}
  ${textField({
    name: 'document',
    label: texts.document,
    hint: texts.documentHint,
    value: values.document,
    error: faults.get('document'),
    complaint: texts.errors.document,
    autocomplete: 'off',
    inputMode: 'text',
    maxLength: 20,
  })}
  <div class="card-only">${textField({
    name: 'email',
    label: texts.email,
    hint: texts.emailHint,
    value: values.email,
    error: faults.get('email'),
    complaint: texts.errors.email,
    autocomplete: 'email',
    inputMode: 'email',
    maxLength: 254,
  })}</div>
</fieldset>`

type Option = PublicLink['installmentOptions'][number]

const optionText = ({ texts, money }: Locale, option: Option): string => {
  const { installments: count, eachAmount, totalAmount } = option
  if (count === 1) return texts.once(money(totalAmount))
  return texts.times(count, money(eachAmount))
}

// Of an open amount the parts are known once it is typed: the script writes them then.
const installmentOptions = (locale: Locale, { link, values }: FormModel): Html[] => {
  const known = link.installmentOptions.map((option) => [option.installments, optionText(locale, option)] as const)
  const counts = Array.from({ length: link.maxInstallments }, (_, index) => index + 1)
  const options = known.length > 0 ? known : counts.map((count) => [count, locale.texts.timesOnly(count)] as const)
  return options.map(
    ([count, text]) =>
      html`<option value="${count}" ${String(count) === values.installments ? html`selected` : html``}>${text}</option>`,
  )
}

const cardFields = (locale: Locale, model: FormModel): Html | false => {
  const { texts } = locale
  const { faults, cardFieldsUrl, methods } = model
  if (cardFieldsUrl === undefined || !methods.includes('credit_card')) return false
  return html`<fieldset class="card-only card-fields" id="card" tabindex="-1" aria-describedby="card-error card-note">
  <legend>${texts.card}</legend>
  <ul class="brands" aria-label="${texts.brands}">${Object.values(CARD_BRANDS).map((brand) => html`<li>${brand}</li>`)}</ul>
  <noscript><p class="error">${texts.cardNeedsScript}</p></noscript>
  <div class="frame scripted" data-card-fields="${cardFieldsUrl}" data-title="${texts.cardFrame}" data-away="${texts.cardAway}" data-retry="${texts.cardRetry}"></div>
  ${fieldError('card', faults.get('card'))}
  <p class="hint" id="card-note">${texts.cardNote}</p>
  <div class="field">
    <label for="installments">${texts.installments}</label>
    <div class="input"><select id="installments" name="installments" aria-describedby="installments-note installments-error">${installmentOptions(locale, model)}</select></div>
    <p class="hint" id="installments-note" role="status"></p>
    ${fieldError('installments', faults.get('installments'))}
  </div>
  <input type="hidden" name="cardToken" value="">
</fieldset>`
}

const summaryTitle = (texts: Locale['texts'], faults: readonly unknown[]): string =>
  faults.length > 0 ? texts.errorTitle : texts.problemTitle

const errorSummary = ({ texts }: Locale, { faults, problem }: FormModel): Html => {
  const listed = FORM_FIELDS.filter((field) => faults.has(field))
  const isEmpty = problem === undefined && listed.length === 0
  return html`<div class="errors" id="errors" role="alert" tabindex="-1" ${isEmpty ? html`hidden` : html`autofocus`} data-title="${texts.errorTitle}">${
    !isEmpty &&
    html`<h2>${summaryTitle(texts, listed)}</h2>${problem !== undefined && html`<p>${problem}</p>`}${
      listed.length > 0 &&
      html`<ul>${listed.map((field) => html`<li><a href="#${field}">${faults.get(field)}</a></li>`)}</ul>`
    }`
  }</div>`
}

// Of an amount that the payer chooses, the script writes it.
const submitButton = (
  { texts, money }: Locale,
  { link }: FormModel,
): Html => html`<button class="button primary" type="submit">
  <span class="when-any">${texts.submit.any}</span><span class="when-pix">${texts.submit.pix}</span><span class="when-boleto">${texts.submit.boleto}</span><span class="when-card">${texts.submit.credit_card}</span><span class="sum"><span class="between"> · </span><span data-sum>${link.amount !== null && money(link.amount)}</span></span><span class="when-busy">${texts.sending}</span>
</button>
<p class="safe">${LOCK}<span>${texts.safe}</span></p>`

/** The page where a payer chooses how to pay. Works without its script for Pix and boleto. */
export const formPage = (locale: Locale, model: FormModel): Page => {
  const { texts } = locale
  const { link } = model
  const isRefused = model.faults.size > 0 || model.problem !== undefined
  return {
    locale,
    title: `${isRefused ? `${summaryTitle(texts, [...model.faults])}: ` : ''}${link.title} · ${link.sellerName}`,
    head: shareTags(locale, link),
    seller: link,
    main: html`<main id="main" class="columns">
${linkSummary(locale, link)}
<form class="card" method="post" action="/pay/${link.hash}" novalidate data-form data-locale="${texts.languageTag}" data-amount="${link.amount}" data-offline="${texts.offline}" data-offline-title="${texts.offlineTitle}" data-retry="${texts.offlineRetry}" data-once="${texts.once('{total}')}" data-times="${texts.times('{count}', '{each}')}" data-first-part="${texts.firstPart('{first}')}" data-parts-total="${texts.partsTotal('{total}')}" data-document-required="${texts.errors.documentRequired}" data-card-required="${texts.errors.cardRequired}">
  ${errorSummary(locale, model)}
  <input type="hidden" name="nonce" value="${model.nonce}">
  <input type="hidden" name="after" value="${model.after}">
  <input type="hidden" name="replaces" value="${model.replaces}">
  ${link.amount !== null && html`<input type="hidden" name="amount" value="${locale.typed(link.amount)}">`}
  ${amountField(locale, model)}
  ${methodChoice(locale, model)}
  ${model.methods.some((method) => method !== 'pix') && payerFields(locale, model)}
  ${cardFields(locale, model)}
  ${model.replaces !== '' && html`<p class="hint">${texts.replaces}</p>`}
  ${submitButton(locale, model)}
</form>
</main>`,
  }
}
