import { brCode } from '../../domain/br-code.ts'
import { bps, centavos, ZERO } from '../../domain/money.ts'
import type { EventEntries, EventEntry } from '../../events/event-catalogue.ts'
import type { EventType } from '../../events/event-types.ts'
import { paymentEventResponse, settlementEventResponse } from './payment-responses.schemas.ts'
import type { Payment } from './payments.repository.ts'
import { settlementEventData } from './payments.settle.ts'
import { paymentEventData } from './payments.view.ts'

const CREATED_AT = new Date('2026-11-21T13:05:12.481Z')
const PAID_AT = new Date('2026-11-21T13:05:58.120Z')
const LATER = new Date('2026-11-24T09:30:00.007Z')

const PAYMENT_ID = '01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00'
const SELLER_ID = '01939f3e-1111-7b1e-9d6a-3f5b8c2d1e00'

const pix: Payment = {
  sellerId: SELLER_ID,
  id: PAYMENT_ID,
  customerId: null,
  paymentLinkId: null,
  externalReference: 'order-77',
  method: 'pix',
  status: 'pending',
  statusReason: null,
  amount: centavos(10_000),
  paidAmount: ZERO,
  refundedAmount: ZERO,
  feeAmount: ZERO,
  netAmount: ZERO,
  reserveAmount: ZERO,
  installments: 1,
  description: 'Pedido 77',
  customer: {
    name: 'Francisco da Silva',
    document: '52998224725',
    email: 'francisco@example.com',
    phone: '11912345678',
  },
  metadata: { order: '77' },
  provider: 'sandbox',
  feeId: '01939f3e-2222-7b1e-9d6a-3f5b8c2d1e00',
  feePercentage: bps(99),
  feeFixedAmount: ZERO,
  feeMinAmount: null,
  feeMaxAmount: null,
  settlementDays: 0,
  reservePercentage: bps(1_000),
  reserveDays: 30,
  pixTxid: null,
  pixQrCode: brCode({
    merchantName: 'Padaria da Maria',
    merchantCity: 'Sao Paulo',
    url: 'pix.example.com/qr/01939f3e7c1a7b1e9d6a3f5b8c2d1e00',
  }),
  pixEndToEndId: null,
  boletoLine: null,
  boletoBarcode: null,
  boletoDueDate: null,
  boletoPdfUrl: null,
  dueTerms: null,
  paidFineAmount: null,
  paidInterestAmount: null,
  paidDiscountAmount: null,
  cardToken: null,
  cardId: null,
  cardCapture: null,
  cardBrand: null,
  cardLast4: null,
  cardExpMonth: null,
  cardExpYear: null,
  cardAuthorizationCode: null,
  expiresAt: new Date('2026-11-21T14:05:12.481Z'),
  paidAt: null,
  canceledAt: null,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
}

const paid: Payment = {
  ...pix,
  status: 'paid',
  paidAmount: centavos(10_000),
  feeAmount: centavos(99),
  netAmount: centavos(9_901),
  reserveAmount: centavos(990),
  pixEndToEndId: 'E12345678202611211305abcdefghijk',
  paidAt: PAID_AT,
  updatedAt: PAID_AT,
}

const card: Payment = {
  ...pix,
  method: 'credit_card',
  pixQrCode: null,
  expiresAt: null,
  cardBrand: 'visa',
  cardLast4: '0001',
  cardExpMonth: 12,
  cardExpYear: 2030,
}

const entry = (description: string, row: Payment): EventEntry => ({
  description,
  data: { name: 'PaymentEventData', schema: paymentEventResponse },
  example: paymentEventData(row),
  happenedAt: row.updatedAt,
})

const settled = {
  sellerId: SELLER_ID,
  id: '01939f3e-3333-7b1e-9d6a-3f5b8c2d1e00',
  paymentId: PAYMENT_ID,
  installment: 1,
  amount: centavos(9_901),
  canceledAmount: ZERO,
  availableOn: '2026-11-21',
  status: 'available' as const,
  settledAt: PAID_AT,
  createdAt: PAID_AT,
  updatedAt: PAID_AT,
}

/** Every event of a payment and of its parts, as the code that sends it makes it. */
export const paymentEvents: EventEntries<Extract<EventType, `payment.${string}` | 'balance.settled'>> = {
  'payment.created': entry('A payment was made. A Pix can be paid from now on.', pix),
  'payment.pending': entry(
    'The provider has taken the payment: a boleto can be paid, a card is being judged or is authorized, or less than the amount arrived. See `status` and `statusReason`.',
    { ...card, status: 'authorized', cardAuthorizationCode: 'A1B2C3', expiresAt: LATER, updatedAt: PAID_AT },
  ),
  'payment.paid': entry('The money is there. Deliver what was bought.', paid),
  'payment.failed': entry('The provider or the card’s issuer refused it for good; `statusReason` says why.', {
    ...card,
    status: 'failed',
    statusReason: 'card_denied',
    updatedAt: PAID_AT,
  }),
  'payment.canceled': entry(
    'You canceled it before it was paid. Should it be paid all the same, `payment.paid` follows.',
    {
      ...pix,
      status: 'canceled',
      canceledAt: LATER,
      updatedAt: LATER,
    },
  ),
  'payment.expired': entry('Nobody paid in time. Should it be paid all the same, `payment.paid` follows.', {
    ...pix,
    status: 'expired',
    updatedAt: LATER,
  }),
  'payment.partially_refunded': entry('A part of it went back to the payer.', {
    ...paid,
    status: 'partially_refunded',
    refundedAmount: centavos(2_500),
    updatedAt: LATER,
  }),
  'payment.refunded': entry('All of it went back to the payer.', {
    ...paid,
    status: 'refunded',
    refundedAmount: centavos(10_000),
    updatedAt: LATER,
  }),
  'payment.disputed': entry('The payer claims the money back: see the dispute.', {
    ...paid,
    status: 'in_dispute',
    updatedAt: LATER,
  }),
  'payment.charged_back': entry('A dispute was lost: the money went back to the payer.', {
    ...paid,
    status: 'charged_back',
    updatedAt: LATER,
  }),
  'balance.settled': {
    description: 'A part of a payment has become available; what a reserve holds back of it is `reserveAmount`.',
    data: { name: 'SettlementEventData', schema: settlementEventResponse },
    example: settlementEventData(settled, 990),
    happenedAt: PAID_AT,
  },
}
