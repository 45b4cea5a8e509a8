import type { Payee } from '../areas/companies/companies.repository.ts'
import type { PublicPayment } from '../areas/payment-links/public-links.view.ts'
import { writtenPhone } from '../domain/contact.ts'
import { paymentCode } from '../domain/payment-code.ts'
import { writtenTaxId } from '../domain/tax-id.ts'
import { type Html, html } from '../html.ts'
import { CARD_BRANDS } from './card-brands.ts'
import type { Locale } from './formats.ts'

/** A label with its value; nothing where there is no value. */
export type Fact = readonly [label: string, value: string | Html | null | undefined | false]

/** Facts one below the other. */
export const factList = (facts: readonly Fact[]): Html =>
  html`<dl class="facts">${facts.map(
    ([label, value]) => value && html`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  )}</dl>`

/** By which the seller and the payer speak of the same payment. */
export const codeFact = ({ texts }: Locale, { id }: Pick<PublicPayment, 'id'>): Fact => [
  texts.paid.receipt,
  html`<code>${paymentCode(id)}</code>`,
]

/** Who receives the money, with its CNPJ. */
export const payeeFact = ({ texts }: Locale, payee: Payee | undefined): Fact => [
  texts.paid.payee,
  payee?.company &&
    html`${payee.company.companyName}<br><span class="muted">CNPJ ${writtenTaxId(payee.company.cnpj)}</span>`,
]

/** Whom to ask. */
export const contactFact = ({ texts }: Locale, payee: Payee | undefined): Fact => {
  if (!payee?.company) return [texts.paid.contact, null]
  const { contactEmail, contactPhone } = payee.company
  const phone = html`<a href="tel:+55${contactPhone}">${writtenPhone(contactPhone)}</a>`
  return [texts.paid.contact, html`<a href="mailto:${contactEmail}">${contactEmail}</a><br>${phone}`]
}

const paidWith = ({ texts }: Locale, { method, card, installments }: PublicPayment): string => {
  if (card === null) return texts.methods[method]
  const named = texts.paid.cardEnding(CARD_BRANDS[card.brand] ?? card.brand, card.last4)
  return installments > 1 ? `${named}, ${texts.paid.in(installments)}` : named
}

/** What proves a payment. */
export const receiptFacts = (locale: Locale, payment: PublicPayment, payee: Payee | undefined): Html => {
  const { texts, moment } = locale
  return factList([
    [texts.paid.when, payment.paidAt && moment(payment.paidAt)],
    [texts.paid.with, paidWith(locale, payment)],
    codeFact(locale, payment),
    [texts.paid.endToEndId, payment.pix?.endToEndId && html`<code>${payment.pix.endToEndId}</code>`],
    payeeFact(locale, payee),
    contactFact(locale, payee),
  ])
}

/** How much less than was asked for has arrived. */
export const shortfallFacts = (locale: Locale, payment: PublicPayment, payee: Payee | undefined): Html => {
  const { texts, money } = locale
  return factList([
    [texts.underpaid.asked, money(payment.amount)],
    [texts.underpaid.arrived, money(payment.paidAmount)],
    [texts.underpaid.missing, money(payment.amount - payment.paidAmount)],
    codeFact(locale, payment),
    [texts.paid.endToEndId, payment.pix?.endToEndId && html`<code>${payment.pix.endToEndId}</code>`],
    contactFact(locale, payee),
  ])
}
