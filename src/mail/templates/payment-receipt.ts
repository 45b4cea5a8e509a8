import type { PaymentMethod } from '../../domain/payment.ts'
import { facts, paragraph } from '../text/blocks.ts'
import { template } from '../text/template.ts'

type Facts = {
  /** What the seller trades as. */
  sellerName: string
  paidAmount: number
  method: PaymentMethod
  paidAt: string
  description: string | null
  paymentId: string
  endToEndId: string | null
}

const PORTUGUESE: Readonly<Record<PaymentMethod, string>> = {
  pix: 'Pix',
  boleto: 'Boleto',
  credit_card: 'Cartão de crédito',
}

const ENGLISH: typeof PORTUGUESE = { pix: 'Pix', boleto: 'Boleto', credit_card: 'Credit card' }

/** To whoever paid, where the seller wants that. */
export const paymentReceipt = template<Facts>('payment', {
  pt: ({ sellerName, paidAmount, method, paidAt, description, paymentId, endToEndId }, { money, moment }) => ({
    subject: `Comprovante: ${money(paidAmount)} para ${sellerName}`,
    body: [
      paragraph(`${sellerName} recebeu o seu pagamento.`),
      facts(
        ['Valor', money(paidAmount)],
        ['Referente a', description],
        ['Forma de pagamento', PORTUGUESE[method]],
        ['Pago em', moment(paidAt)],
        ['Código do pagamento', paymentId],
        ['Identificador do Pix', endToEndId],
      ),
      paragraph(`Dúvidas sobre a compra? Fale com ${sellerName}.`),
    ],
  }),
  en: ({ sellerName, paidAmount, method, paidAt, description, paymentId, endToEndId }, { money, moment }) => ({
    subject: `Receipt: ${money(paidAmount)} to ${sellerName}`,
    body: [
      paragraph(`${sellerName} received your payment.`),
      facts(
        ['Amount', money(paidAmount)],
        ['For', description],
        ['Paid with', ENGLISH[method]],
        ['Paid on', moment(paidAt)],
        ['Code of the payment', paymentId],
        ['Identifier of the Pix', endToEndId],
      ),
      paragraph(`Questions about the purchase? Ask ${sellerName}.`),
    ],
  }),
})
