import { saoPauloDate } from '../../domain/calendar.ts'
import type { Charge, ChargeRequest, ChargeResult, ChargeState, Seller } from '../../providers/provider.port.ts'
import type { Payment } from './payments.repository.ts'

const methodOf = (payment: Payment, cardToken: string | null) => {
  const { method, dueTerms } = payment
  if (method === 'boleto')
    return { method, dueDate: payment.boletoDueDate ?? saoPauloDate(payment.createdAt), dueTerms }
  if (method === 'pix') return { method, expiresAt: payment.expiresAt ?? payment.createdAt, dueTerms }
  const { installments, cardCapture } = payment
  // Without its token a card cannot be asked for again; a provider refuses an empty one.
  return { method, cardToken: cardToken ?? '', installments, capture: cardCapture ?? true }
}

/**
/**
 * What the provider is asked for. What is to be paid is always the same for the same payment, so that asking twice is safe;
 * of the seller it is what holds at this moment. `cardToken` is the saved card's, where one pays.
 */
export const chargeRequestOf = (
  payment: Payment,
  seller: Seller | undefined,
  cardToken = payment.cardToken,
): ChargeRequest => ({
  paymentId: payment.id,
  reference: payment.pixTxid,
  sellerId: payment.sellerId,
  seller: seller ? { name: seller.name, document: seller.document } : null,
  amount: payment.amount,
  description: payment.description,
  payer: payment.customer,
  requestedAt: payment.createdAt,
  ...methodOf(payment, cardToken),
})

/** What a payment keeps of its charge at the provider. */
export const chargeFields = ({ pix, boleto, card }: Pick<Charge, 'pix' | 'boleto' | 'card'>): Partial<Payment> => ({
  ...(pix ? { pixQrCode: pix.qrCode } : {}),
  ...(boleto ? { boletoLine: boleto.line, boletoBarcode: boleto.barcode } : {}),
  // Where the provider prints none, we do.
  ...(boleto?.pdfUrl ? { boletoPdfUrl: boleto.pdfUrl } : {}),
  ...(card
    ? {
        cardBrand: card.brand,
        cardLast4: card.last4,
        cardExpMonth: card.expMonth,
        cardExpYear: card.expYear,
        cardAuthorizationCode: card.authorizationCode,
      }
    : {}),
})

/**
 * Whether a charge that nobody is known to have made is simply asked for again, by a repeat of the request or by the
 * reconciler. A card is not: who was told to come back must not find it charged all the same.
 */
export const isToBeAskedAgain = ({ method }: Pick<Payment, 'method'>, { outcome }: ChargeResult): boolean =>
  method !== 'credit_card' && (outcome === 'unavailable' || outcome === 'unknown')

/** What a provider said about a charge, whatever becomes of the payment by it. */
export type ChargeNews = { state: ChargeState; fields?: Partial<Payment>; reference: string | null }

/** What the answer to a request for a charge says. An unknown outcome is `processing`, never `failed`. */
export const newsOf = (result: ChargeResult): ChargeNews => {
  if (result.outcome === 'accepted') {
    const { charge } = result
    return { state: charge.state, fields: chargeFields(charge), reference: charge.reference }
  }
  const { reason } = result
  if (result.outcome === 'refused' || result.outcome === 'unavailable')
    return { state: { status: 'failed', reason }, reference: null }
  return { state: { status: 'processing' }, fields: { statusReason: reason }, reference: null }
}
