import { principalOf } from '../../domain/due-terms.ts'
import { add, subtract, toPercentage, ZERO } from '../../domain/money.ts'
import { maskTaxId } from '../../domain/tax-id.ts'
import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import type { Payment } from './payments.repository.ts'
import type { Settlement } from './settlements.repository.ts'

const pixView = (row: Payment) =>
  row.pixQrCode === null
    ? null
    : {
        txid: row.pixTxid ?? row.id.replaceAll('-', ''),
        qrCode: row.pixQrCode,
        endToEndId: row.pixEndToEndId,
        expiresAt: toTimestampOrNull(row.expiresAt),
      }

const boletoView = (row: Payment) =>
  row.boletoLine === null || row.boletoBarcode === null || row.boletoDueDate === null
    ? null
    : { line: row.boletoLine, barcode: row.boletoBarcode, dueDate: row.boletoDueDate, pdfUrl: row.boletoPdfUrl }

const dueTermsView = ({ dueTerms }: Payment) => {
  if (dueTerms === null) return null
  const { dueDate, payableDaysAfterDue, fine, monthlyInterest, discounts } = dueTerms
  return {
    dueDate,
    payableDaysAfterDue,
    fine: fine === null ? null : { percentage: toPercentage(fine) },
    interest: monthlyInterest === null ? null : { monthlyPercentage: toPercentage(monthlyInterest) },
    discounts: discounts.map(({ until, percentage, amount }) => ({
      until,
      percentage: percentage === undefined ? null : toPercentage(percentage),
      amount: amount ?? null,
    })),
  }
}

const amountsReceivedView = ({ paidAmount, paidFineAmount, paidInterestAmount, paidDiscountAmount }: Payment) => {
  if (paidFineAmount === null || paidInterestAmount === null || paidDiscountAmount === null) return null
  const parts = { fine: paidFineAmount, interest: paidInterestAmount, discount: paidDiscountAmount }
  return { principal: principalOf(paidAmount, parts), ...parts }
}

const cardView = (row: Payment) =>
  row.cardBrand === null || row.cardLast4 === null
    ? null
    : {
        cardId: row.cardId,
        brand: row.cardBrand,
        last4: row.cardLast4,
        expMonth: row.cardExpMonth,
        expYear: row.cardExpYear,
        authorizationCode: row.cardAuthorizationCode,
      }

/** A payment as the API shows it to its seller. */
export const paymentView = (row: Payment) => ({
  id: row.id,
  sellerId: row.sellerId,
  customerId: row.customerId,
  paymentLinkId: row.paymentLinkId,
  externalReference: row.externalReference,
  method: row.method,
  amount: row.amount,
  paidAmount: row.paidAmount,
  refundedAmount: row.refundedAmount,
  feeAmount: row.feeAmount,
  netAmount: row.netAmount,
  reserveAmount: row.reserveAmount,
  currency: 'BRL' as const,
  installments: row.installments,
  description: row.description,
  status: row.status,
  statusReason: row.statusReason,
  provider: row.provider,
  customer: row.customer,
  pix: pixView(row),
  boleto: boletoView(row),
  card: cardView(row),
  dueTerms: dueTermsView(row),
  amountsReceived: amountsReceivedView(row),
  metadata: row.metadata,
  expiresAt: toTimestampOrNull(row.expiresAt),
  paidAt: toTimestampOrNull(row.paidAt),
  canceledAt: toTimestampOrNull(row.canceledAt),
  createdAt: toTimestamp(row.createdAt),
  updatedAt: toTimestamp(row.updatedAt),
})

export type PaymentView = ReturnType<typeof paymentView>

const partView = ({ installment, amount, canceledAmount, availableOn, status, settledAt }: Settlement) => ({
  installment,
  amount: subtract(amount, canceledAmount),
  availableOn,
  settledAt: status === 'available' ? toTimestampOrNull(settledAt) : null,
})

/** A payment with when which part of its net becomes available. */
export const settledPaymentView = (row: Payment, parts: readonly Settlement[]) => ({
  ...paymentView(row),
  settlements: parts.map(partView),
})

export type SettledPaymentView = ReturnType<typeof settledPaymentView>

/** A payment as a line of a file: what stands one below the other in it stands side by side. */
export const csvPaymentView = ({ customer, pix, card, settlements, ...payment }: SettledPaymentView) => ({
  id: payment.id,
  sellerId: payment.sellerId,
  status: payment.status,
  method: payment.method,
  amount: payment.amount,
  paidAmount: payment.paidAmount,
  feeAmount: payment.feeAmount,
  netAmount: payment.netAmount,
  refundedAmount: payment.refundedAmount,
  installments: payment.installments,
  externalReference: payment.externalReference,
  description: payment.description,
  customerId: payment.customerId,
  customerName: customer?.name ?? null,
  customerDocument: customer?.document ?? null,
  paymentLinkId: payment.paymentLinkId,
  endToEndId: pix?.endToEndId ?? null,
  cardBrand: card?.brand ?? null,
  cardLast4: card?.last4 ?? null,
  /** What has become available of it, and when all of it will have. */
  settledAmount: add(...settlements.map(({ amount, settledAt }) => (settledAt === null ? ZERO : amount))),
  lastAvailableOn: settlements.at(-1)?.availableOn ?? null,
  paidAt: payment.paidAt,
  createdAt: payment.createdAt,
})

const COLUMNS = [
  'id',
  'sellerId',
  'status',
  'method',
  'amount',
  'paidAmount',
  'feeAmount',
  'netAmount',
  'refundedAmount',
  'installments',
  'externalReference',
  'description',
  'customerId',
  'customerName',
  'customerDocument',
  'paymentLinkId',
  'endToEndId',
  'cardBrand',
  'cardLast4',
  'settledAmount',
  'lastAvailableOn',
  'paidAt',
  'createdAt',
] as const satisfies readonly (keyof ReturnType<typeof csvPaymentView>)[]

/** The list of payments as a file. */
export const PAYMENTS_FILE = { fileName: 'payments.csv', columns: COLUMNS }

const withMaskedDocument = (customer: NonNullable<PaymentView['customer']>) => ({
  ...customer,
  document: customer.document === null ? null : maskTaxId(customer.document),
})

/**
 * A payment as events carry it: the payer's document is masked, and the address of the boleto that shows it is left out,
 * since webhooks end up in many logs.
 */
export const paymentEventData = (row: Payment): PaymentView => {
  const view = paymentView(row)
  return {
    ...view,
    customer: view.customer && withMaskedDocument(view.customer),
    boleto: view.boleto && { ...view.boleto, pdfUrl: null },
  }
}
