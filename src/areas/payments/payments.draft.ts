import {
  addDays,
  type HolidayOverrides,
  onBusinessDay,
  saoPauloDate,
  startOfSaoPauloDay,
} from '../../domain/calendar.ts'
import { type Centavos, ZERO } from '../../domain/money.ts'
import type { PaymentMethod } from '../../domain/payment.ts'
import { type AppError, requestErrors } from '../../errors.ts'
import type { ChargeRequest } from '../../providers/provider.port.ts'
import { feeErrors } from '../fees/fees.errors.ts'
import type { Fee } from '../fees/fees.repository.ts'
import type { SellerTerms } from './payment-terms.repository.ts'
import { payingCustomerErrors, sellerErrors } from './payments.errors.ts'
import type { Payment } from './payments.repository.ts'
import type { PayerSnapshot } from './payments.tables.ts'

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
  customerId: string | null
  customer: PayerSnapshot | null
  description: string | null
  externalReference: string | null
  paymentLinkId: string | null
  metadata: Record<string, string>
}

/** What holds at the moment of the payment. */
export type Terms = {
  seller: SellerTerms | undefined
  fee: Fee | undefined
  /** The customer's own record; undefined where customerId names none of the seller's. */
  payer: PayerSnapshot | null | undefined
}

const PIX_EXPIRY_SECONDS = 86_400
const BOLETO_DUE_DAYS = 3
const BOLETO_DUE_DAYS_MAX = 365

const bodyFault = (path: string, code: string, message: string): AppError =>
  requestErrors.failed({ errors: [{ in: 'body', path, code, message }] })

const boletoRefusal = (input: NewPayment, payer: PayerSnapshot | null, now: Date): AppError | undefined => {
  const today = saoPauloDate(now)
  if (payer?.document == null) {
    const path = input.customerId === null ? 'customer.document' : 'customerId'
    return bodyFault(path, 'required', 'A boleto needs the name and the CPF or CNPJ of its payer.')
  }
  if (input.dueDate !== null && input.dueDate < today) {
    return bodyFault('dueDate', 'too_early', `The due date must not be in the past. Today is ${today} in São Paulo.`)
  }
  if (input.dueDate !== null && input.dueDate > addDays(today, BOLETO_DUE_DAYS_MAX)) {
    return bodyFault('dueDate', 'too_late', `The due date may be at most ${BOLETO_DUE_DAYS_MAX} days ahead.`)
  }
  return undefined
}

/** Why this payment cannot be made, by the rules that need more than its body; undefined when it can. */
export const refusalOf = (input: NewPayment, { seller, fee, payer }: Terms, now: Date): AppError | undefined => {
  if (seller === undefined || !seller.approved) return sellerErrors.not_approved()
  if (payer === undefined) return payingCustomerErrors.not_found()
  if (fee === undefined) return feeErrors.not_configured()
  return input.method === 'boleto' ? boletoRefusal(input, payer, now) : undefined
}

/** `holidays` is what administrators said about single dates up to this moment. */
type Draft = {
  id: string
  sellerId: string
  provider: string
  input: NewPayment
  now: Date
  holidays: HolidayOverrides
}

// A boleto may be paid all through its due date, or through the next business day where banks are closed on it.
const expiryOf = ({ input, now, holidays }: Draft, dueDate: string | null): Date | null => {
  if (input.method === 'pix') return new Date(now.getTime() + (input.expiresInSeconds ?? PIX_EXPIRY_SECONDS) * 1_000)
  return dueDate === null ? null : startOfSaoPauloDay(addDays(onBusinessDay(dueDate, holidays), 1))
}

type Agreed = { seller: SellerTerms; fee: Fee; payer: PayerSnapshot | null }

/** The row of a payment that has not reached the provider. Fee and reserve are those of this moment, for good. */
export const draftPayment = (draft: Draft, { seller, fee, payer }: Agreed): Payment => {
  const { id, sellerId, provider, input, now } = draft
  const isBoleto = input.method === 'boleto'
  const dueDate = isBoleto ? (input.dueDate ?? addDays(saoPauloDate(now), BOLETO_DUE_DAYS)) : null
  return {
    sellerId,
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
    provider,
    feeId: fee.id,
    feePercentage: fee.percentage,
    feeFixedAmount: fee.fixedAmount,
    feeMinAmount: fee.minAmount,
    feeMaxAmount: fee.maxAmount,
    settlementDays: fee.settlementDays,
    reservePercentage: seller.reservePercentage,
    reserveDays: seller.reserveDays,
    boletoDueDate: dueDate,
    cardToken: input.cardToken,
    cardCapture: input.method === 'credit_card' ? input.capture : null,
    expiresAt: expiryOf(draft, dueDate),
    ...NOT_YET,
    createdAt: now,
    updatedAt: now,
  }
}

const NOT_YET = {
  pixQrCode: null,
  pixEndToEndId: null,
  boletoLine: null,
  boletoBarcode: null,
  boletoPdfUrl: null,
  cardBrand: null,
  cardLast4: null,
  cardExpMonth: null,
  cardExpYear: null,
  cardAuthorizationCode: null,
  paidAt: null,
  canceledAt: null,
} as const

const methodOf = (row: Payment) => {
  if (row.method === 'boleto') return { method: row.method, dueDate: row.boletoDueDate ?? saoPauloDate(row.createdAt) }
  if (row.method === 'pix') return { method: row.method, expiresAt: row.expiresAt ?? row.createdAt }
  const { cardToken, installments, cardCapture } = row
  // Without its token a card cannot be asked for again; a provider refuses an empty one.
  return { method: row.method, cardToken: cardToken ?? '', installments, capture: cardCapture ?? true }
}

/** What the provider is asked for: always the same for the same payment, so that asking twice is safe. */
export const chargeRequestOf = (row: Payment): ChargeRequest => ({
  paymentId: row.id,
  amount: row.amount,
  description: row.description,
  payer: row.customer,
  requestedAt: row.createdAt,
  ...methodOf(row),
})
