import {
  addDays,
  type HolidayOverrides,
  onBusinessDay,
  saoPauloDate,
  startOfSaoPauloDay,
} from '../../domain/calendar.ts'
import { type DueTerms, lastPayableDate } from '../../domain/due-terms.ts'
import { type Centavos, ZERO } from '../../domain/money.ts'
import type { PaymentMethod } from '../../domain/payment.ts'
import { isCardExpired } from '../../domain/saved-card.ts'
import { type AppError, requestErrors } from '../../errors.ts'
import type { NewEvent } from '../../events/events.repository.ts'
import type { NewId } from '../../ids.ts'
import type { GuardedProvider } from '../../providers/guarded-provider.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import { feeErrors } from '../fees/fees.errors.ts'
import type { Fee } from '../fees/fees.repository.ts'
import { savedCardErrors } from '../saved-cards/saved-cards.errors.ts'
import type { ActiveCard } from '../saved-cards/saved-cards.repository.ts'
import type { SellerTerms } from './payment-terms.repository.ts'
import { chargeFields, chargeRequestOf } from './payments.charge.ts'
import { payingCustomerErrors, paymentErrors, providerAway, sellerErrors } from './payments.errors.ts'
import type { Payment } from './payments.repository.ts'
import type { PayerSnapshot } from './payments.tables.ts'
import { paymentEventData } from './payments.view.ts'

/** A payment as it is asked for, checked by its schema. */
export type NewPayment = {
  method: PaymentMethod
  amount: Centavos
  installments: number
  capture: boolean
  cardToken: string | null
  /** A saved card of the customer, in place of a token. */
  cardId: string | null
  /** Seconds from now; null: the method's default. */
  expiresInSeconds: number | null
  /** São Paulo date; null: the default. */
  dueDate: string | null
  /** What it costs by the day; null: the same each day. */
  dueTerms: DueTerms | null
  customerId: string | null
  customer: PayerSnapshot | null
  description: string | null
  externalReference: string | null
  paymentLinkId: string | null
  metadata: Record<string, string>
}

/** What holds for a payment at the moment at which it is made. */
export type Terms = {
  seller: SellerTerms | undefined
  fee: Fee | undefined
  /** The customer's own record; undefined where customerId names none of the seller's. */
  payer: PayerSnapshot | null | undefined
  /** The customer's saved card; undefined where cardId names none of theirs. */
  card: ActiveCard | null | undefined
  /** Why the link that it is made through does not take it. */
  linkRefusal: AppError | undefined
  /** How its charge is to be called, where that follows from the request; null: from the payment's id. */
  pixTxid: string | null
}

/** `holidays` is what administrators said about single dates up to this moment. */
export type Moment = {
  now: Date
  holidays: HolidayOverrides
  newId: NewId
  providers: Pick<ProviderRegistry, 'routes' | 'find'>
  newBoletoUrl: NewBoletoUrl
}

/** Makes the address of a payment's printed boleto, which nobody can guess: whoever has it may see who pays. */
export type NewBoletoUrl = (paymentId: string) => string

/** A payment that was made. `reference` is the provider's name of its charge; null: nobody knows it yet. */
export type CreatedPayment = { payment: Payment; fee: Fee; reference: string | null; event: NewEvent }

const PIX_EXPIRY_SECONDS = 86_400
const BOLETO_DUE_DAYS = 3
const DUE_DAYS_MAX = 365

const bodyFault = (path: string, code: string, message: string): AppError =>
  requestErrors.failed({ errors: [{ in: 'body', path, code, message }] })

const fallsDue = ({ method, dueTerms }: NewPayment): boolean => method === 'boleto' || dueTerms !== null

// A charge with a due date is in somebody's name.
const payerRefusal = ({ method, customerId }: NewPayment, payer: PayerSnapshot | null): AppError | undefined => {
  if (payer?.document != null) return undefined
  const path = customerId === null ? 'customer.document' : 'customerId'
  const what = method === 'boleto' ? 'A boleto' : 'A Pix with a due date'
  return bodyFault(path, 'required', `${what} needs the name and the CPF or CNPJ of its payer.`)
}

const dateRefusal = (input: NewPayment, now: Date): AppError | undefined => {
  const today = saoPauloDate(now)
  if (input.dueDate !== null && input.dueDate < today) {
    return bodyFault('dueDate', 'too_early', `The due date must not be in the past. Today is ${today} in São Paulo.`)
  }
  if (input.dueDate !== null && input.dueDate > addDays(today, DUE_DAYS_MAX)) {
    return bodyFault('dueDate', 'too_late', `The due date may be at most ${DUE_DAYS_MAX} days ahead.`)
  }
  return undefined
}

// It may be paid all through its last day, or through the next business day where banks are closed on it.
const expiryOf = (input: NewPayment, dueDate: string | null, { now, holidays }: Moment): Date | null => {
  if (input.dueTerms !== null) return startOfSaoPauloDay(addDays(lastPayableDate(input.dueTerms, holidays), 1))
  if (input.method === 'pix') return new Date(now.getTime() + (input.expiresInSeconds ?? PIX_EXPIRY_SECONDS) * 1_000)
  return dueDate === null ? null : startOfSaoPauloDay(addDays(onBusinessDay(dueDate, holidays), 1))
}

const NOT_YET = {
  pixQrCode: null,
  pixEndToEndId: null,
  boletoLine: null,
  boletoBarcode: null,
  paidFineAmount: null,
  paidInterestAmount: null,
  paidDiscountAmount: null,
  cardAuthorizationCode: null,
  paidAt: null,
  canceledAt: null,
} as const

type ResolvedTerms = Pick<Terms, 'pixTxid'> & {
  seller: SellerTerms
  fee: Fee
  payer: PayerSnapshot | null
  card: ActiveCard | null
  provider: GuardedProvider
}

// Of a saved card it is known beforehand, of a token the provider tells.
const cardFieldsOf = (card: ActiveCard | null) => ({
  cardId: card?.id ?? null,
  cardBrand: card?.brand ?? null,
  cardLast4: card?.last4 ?? null,
  cardExpMonth: card?.expMonth ?? null,
  cardExpYear: card?.expYear ?? null,
})

// Fee and reserve are those of this moment, for good.
const draftOf = (input: NewPayment, terms: ResolvedTerms, moment: Moment): Payment => {
  const { seller, fee, payer, card, provider, pixTxid } = terms
  const { now, newId, newBoletoUrl } = moment
  const id = newId()
  const dueDate = input.method === 'boleto' ? (input.dueDate ?? addDays(saoPauloDate(now), BOLETO_DUE_DAYS)) : null
  return {
    sellerId: seller.sellerId,
    id,
    customerId: input.customerId,
    paymentLinkId: input.paymentLinkId,
    externalReference: input.externalReference,
    method: input.method,
    status: 'created',
    statusReason: null,
    amount: input.amount,
    paidAmount: ZERO,
    refundedAmount: ZERO,
    feeAmount: ZERO,
    netAmount: ZERO,
    reserveAmount: ZERO,
    installments: input.installments,
    description: input.description,
    customer: payer,
    metadata: input.metadata,
    provider: provider.name,
    feeId: fee.id,
    feePercentage: fee.percentage,
    feeFixedAmount: fee.fixedAmount,
    feeMinAmount: fee.minAmount,
    feeMaxAmount: fee.maxAmount,
    settlementDays: fee.settlementDays,
    reservePercentage: seller.reservePercentage,
    reserveDays: seller.reserveDays,
    boletoDueDate: dueDate,
    dueTerms: input.dueTerms,
    boletoPdfUrl: dueDate === null ? null : newBoletoUrl(id),
    pixTxid,
    cardToken: input.cardToken,
    ...cardFieldsOf(card),
    cardCapture: input.method === 'credit_card' ? input.capture : null,
    expiresAt: expiryOf(input, dueDate, moment),
    ...NOT_YET,
    createdAt: now,
    updatedAt: now,
  }
}

// A provider that can write a charge by itself, without the network, is not asked for it: the payment is born pending. One
// that does not answer these days is not asked either, and nothing of the payment is kept.
const chargedAtOnce = (
  draft: Payment,
  seller: SellerTerms,
  provider: GuardedProvider,
): Pick<CreatedPayment, 'payment' | 'reference'> => {
  const charge = provider.charges?.compose?.(chargeRequestOf(draft, seller))
  if (charge !== undefined) {
    return { payment: { ...draft, ...chargeFields(charge), status: 'pending' }, reference: charge.reference }
  }
  const restsForMs = provider.restsForMs()
  if (restsForMs > 0) throw providerAway(restsForMs)
  return { payment: draft, reference: draft.pixTxid }
}

const checkTerms = ({ charges }: GuardedProvider, { method, dueTerms }: NewPayment): void => {
  const isTaken = method === 'pix' ? charges?.methods.pix?.dueDate : charges?.methods.boleto?.dueTerms
  if (dueTerms !== null && isTaken !== true) throw paymentErrors.due_terms_unavailable()
}

// Whoever keeps a card charges it, for as long as cards are taken at all.
const providerOf = ({ method }: NewPayment, card: ActiveCard | null, { routes, find }: Moment['providers']) => {
  const provider = card === null || routes[method] === undefined ? routes[method] : find(card.provider)
  if (provider?.charges?.methods[method] === undefined) throw paymentErrors.method_unavailable()
  return provider
}

const checkCard = (card: ActiveCard | null, now: Date): void => {
  if (card !== null && isCardExpired(card, saoPauloDate(now))) throw savedCardErrors.expired()
}

/**
 * Makes one payment of what was asked for and what holds at this moment. Throws the refusal of the link, seller.not_approved,
 * payment.method_unavailable, payment.due_terms_unavailable, payment.provider_unavailable, customer.not_found,
 * card.not_found, card.expired, fee.not_configured, and validation.failed for one that is due without its payer or on an impossible day.
 */
export const createPayment = (input: NewPayment, terms: Terms, moment: Moment): CreatedPayment => {
  const { seller, payer, card, fee, linkRefusal, pixTxid } = terms
  if (linkRefusal) throw linkRefusal
  if (seller === undefined || !seller.approved) throw sellerErrors.not_approved()
  const provider = providerOf(input, card ?? null, moment.providers)
  checkTerms(provider, input)
  if (payer === undefined) throw payingCustomerErrors.not_found()
  if (card === undefined) throw savedCardErrors.not_found()
  checkCard(card, moment.now)
  if (fee === undefined) throw feeErrors.not_configured()
  const refusal = fallsDue(input) ? (payerRefusal(input, payer) ?? dateRefusal(input, moment.now)) : undefined
  if (refusal) throw refusal
  const { payment, reference } = chargedAtOnce(
    draftOf(input, { seller, fee, payer, card, provider, pixTxid }, moment),
    seller,
    provider,
  )
  const event: NewEvent = { type: 'payment.created', sellerId: payment.sellerId, data: paymentEventData(payment) }
  return { payment, fee, reference, event }
}
