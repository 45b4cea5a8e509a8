import { centavos, ZERO } from '../../domain/money.ts'
import type { EventEntries, EventEntry } from '../../events/event-catalogue.ts'
import type { EventType } from '../../events/event-types.ts'
import type { PaymentLink } from './payment-links.queries.ts'
import { paymentLinkResponse } from './payment-links.schemas.ts'
import { paymentLinkView } from './payment-links.view.ts'

const CREATED_AT = new Date('2026-11-20T12:00:00.000Z')
const COMPLETED_AT = new Date('2026-11-21T13:05:58.120Z')
const EXPIRED_AT = new Date('2026-12-01T02:59:59.999Z')

const link: PaymentLink = {
  sellerId: '01939f3e-1111-7b1e-9d6a-3f5b8c2d1e00',
  id: '01939f3e-aaaa-7b1e-9d6a-3f5b8c2d1e00',
  hash: '7Hq2Vd9sKx0LmZ4tRb6NcY',
  title: 'Panetone artesanal',
  description: null,
  amount: centavos(10_000),
  minAmount: null,
  maxAmount: null,
  methods: ['pix'],
  maxInstallments: 1,
  maxPayments: 2,
  reservedSlots: 0,
  excessSlots: 0,
  paymentsCount: 0,
  paidAmount: ZERO,
  successUrl: null,
  externalReference: 'panetone-2026',
  metadata: {},
  status: 'active',
  expiresAt: EXPIRED_AT,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
}

const entry = (description: string, changes: Partial<PaymentLink>, happenedAt: Date): EventEntry => {
  const row = { ...link, ...changes, updatedAt: happenedAt }
  const linkUrl = (hash: string) => `https://pay.example.com/pay/${hash}`
  return {
    description,
    data: { name: 'PaymentLinkEventData', schema: paymentLinkResponse },
    example: paymentLinkView(row, linkUrl, happenedAt),
    happenedAt,
  }
}

/** Every event of a payment link, as the code that sends it makes it. */
export const paymentLinkEvents: EventEntries<Extract<EventType, `payment_link.${string}`>> = {
  'payment_link.completed': entry(
    'A payment link has been paid as often as it may: nobody can pay it any more.',
    { status: 'completed', reservedSlots: 2, paymentsCount: 2, paidAmount: centavos(20_000) },
    COMPLETED_AT,
  ),
  'payment_link.expired': entry('The time of a payment link is over.', { status: 'expired' }, EXPIRED_AT),
}
