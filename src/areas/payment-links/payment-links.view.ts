import { linkStatusAt } from '../../domain/payment-link.ts'
import { toTimestamp, toTimestampOrNull } from '../../domain/timestamp.ts'
import type { PaymentLink } from './payment-links.queries.ts'

/** Makes the address of a link's page. */
export type LinkUrl = (hash: string) => string

/** A link as its seller sees it, at an instant: expired from its last moment on. */
export const paymentLinkView = (link: PaymentLink, linkUrl: LinkUrl, now: Date) => ({
  id: link.id,
  sellerId: link.sellerId,
  hash: link.hash,
  url: linkUrl(link.hash),
  title: link.title,
  description: link.description,
  amount: link.amount,
  minAmount: link.minAmount,
  maxAmount: link.maxAmount,
  methods: link.methods,
  maxInstallments: link.maxInstallments,
  maxPayments: link.maxPayments,
  paymentsCount: link.paymentsCount,
  paidAmount: link.paidAmount,
  successUrl: link.successUrl,
  expiresAt: toTimestampOrNull(link.expiresAt),
  externalReference: link.externalReference,
  metadata: link.metadata,
  status: linkStatusAt(link, now),
  createdAt: toTimestamp(link.createdAt),
  updatedAt: toTimestamp(link.updatedAt),
})

export type PaymentLinkView = ReturnType<typeof paymentLinkView>
