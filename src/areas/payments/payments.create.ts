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
import { type AppError, requestErrors } from '../../errors.ts'
import type { NewEvent } from '../../events/events.repository.ts'
import type { NewId } from '../../ids.ts'
import type { GuardedProvider } from '../../providers/guarded-provider.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import { feeErrors } from '../fees/fees.errors.ts'
import type { Fee } from '../fees/fees.repository.ts'
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
  /** Why the link that it is made through does not take it. */
  linkRefusal: AppError | undefined
  /** How its charge is to be called, where the provider is yet to be asked for it; null: by the payment. */
  chargeName: string | null
}

/** `holidays` is what administrators said about single dates up to this moment. */
export type Moment = {
  now: Date
  holidays: HolidayOverrides
  newId: NewId
  routes: ProviderRegistry['routes']
  newBoletoUrl: NewBoletoUrl
}

/** Makes the address of a payment's printed boleto, which nobody can guess: whoever has it may see who pays. */
export type NewBoletoUrl = (paymentId: string) => string

/** A payment that was made. `reference` is how the provider calls its charge; null: it has yet to be asked for one. */
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
  cardBrand: null,
  cardLast4: null,
  cardExpMonth: null,
  cardExpYear: null,
  cardAuthorizationCode: null,
  paidAt: null,
  canceledAt: null,
} as const

type ResolvedTerms = Pick<Terms, 'chargeName'> & {
  seller: SellerTerms
  fee: Fee
  payer: PayerSnapshot | null
  provider: GuardedProvider
}

// Fee and reserve are those of this moment, for good.
const draftOf = (input: NewPayment, { seller, fee, payer, provider }: ResolvedTerms, moment: Moment): Payment => {
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
    cardToken: input.cardToken,
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
  { seller, provider, chargeName }: ResolvedTerms,
): Pick<CreatedPayment, 'payment' | 'reference'> => {
  const charge = provider.charges?.compose?.(chargeRequestOf({ payment: draft, seller, reference: null }))
  if (charge !== undefined) {
    return { payment: { ...draft, ...chargeFields(charge), status: 'pending' }, reference: charge.reference }
  }
  const restsForMs = provider.restsForMs()
  if (restsForMs > 0) throw providerAway(restsForMs)
  return { payment: draft, reference: chargeName }
}

const checkTerms = ({ charges }: GuardedProvider, { method, dueTerms }: NewPayment): void => {
  const isTaken = method === 'pix' ? charges?.methods.pix?.dueDate : charges?.methods.boleto?.dueTerms
  if (dueTerms !== null && isTaken !== true) throw paymentErrors.due_terms_unavailable()
}

/**
 * Makes one payment of what was asked for and what holds at this moment. Throws the refusal of the link, seller.not_approved,
 * payment.method_unavailable, payment.due_terms_unavailable, payment.provider_unavailable, customer.not_found,
 * fee.not_configured, and validation.failed for one that is due without its payer or on an impossible day.
 */
export const createPayment = (input: NewPayment, terms: Terms, moment: Moment): CreatedPayment => {
  const { seller, payer, fee, linkRefusal, chargeName } = terms
  if (linkRefusal) throw linkRefusal
  if (seller === undefined || !seller.approved) throw sellerErrors.not_approved()
  const provider = moment.routes[input.method]
  if (provider === undefined) throw paymentErrors.method_unavailable()
  checkTerms(provider, input)
  if (payer === undefined) throw payingCustomerErrors.not_found()
  if (fee === undefined) throw feeErrors.not_configured()
  const refusal = fallsDue(input) ? (payerRefusal(input, payer) ?? dateRefusal(input, moment.now)) : undefined
  if (refusal) throw refusal
  const resolved = { seller, fee, payer, provider, chargeName }
  const { payment, reference } = chargedAtOnce(draftOf(input, resolved, moment), resolved)
  const event: NewEvent = { type: 'payment.created', sellerId: payment.sellerId, data: paymentEventData(payment) }
  return { payment, fee, reference, event }
}
