import { principalOf } from '../../domain/due-terms.ts'
import { toPercentage } from '../../domain/money.ts'
import { maskTaxId } from '../../domain/tax-id.ts'
import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import type { Payment } from './payments.repository.ts'

const pixView = (row: Payment) =>
  row.pixQrCode === null
    ? null
    : {
        txid: row.id.replaceAll('-', ''),
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
