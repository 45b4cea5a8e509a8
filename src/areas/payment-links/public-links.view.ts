import type { HexColor } from '../../domain/brand-color.ts'
import { allocate, type Centavos, centavos } from '../../domain/money.ts'
import type { PaymentMethod, PaymentStatus } from '../../domain/payment.ts'
import {
  type InstallmentOption,
  installmentOptions,
  linkStatusAt,
  type PaymentLinkStatus,
} from '../../domain/payment-link.ts'
import { toTimestampOrNull } from '../../domain/timestamp.ts'
import { type LogoUrl, type ShownLogo, shownLogo } from '../branding/branding.view.ts'
import type { PaymentView } from '../payments/payments.view.ts'
import type { OfferedLink } from './payment-links.queries.ts'
import type { LinkUrl } from './payment-links.view.ts'

/** What a payer may see of a link: of the seller what they trade as, and how they want to look. */
export type PublicLink = {
  hash: string
  url: string
  title: string
  description: string | null
  sellerName: string
  sellerColor: HexColor | null
  sellerLogo: ShownLogo | null
  currency: 'BRL'
  amount: Centavos | null
  minAmount: Centavos | null
  maxAmount: Centavos | null
  methods: PaymentMethod[]
  maxInstallments: number
  /** Of the fixed amount; none where the payer chooses it, or where no card is taken. */
  installmentOptions: InstallmentOption[]
  expiresAt: string | null
  status: PaymentLinkStatus
}

export const PUBLIC_PAYMENT_STATUSES = [
  'processing',
  'pending',
  'paid',
  'refunded',
  'failed',
  'canceled',
  'expired',
] as const
export type PublicPaymentStatus = (typeof PUBLIC_PAYMENT_STATUSES)[number]

// What is between the seller and the acquirer, as a dispute is, is nobody else's.
const STATUSES: Readonly<Record<PaymentStatus, PublicPaymentStatus>> = {
  created: 'processing',
  pending: 'pending',
  processing: 'processing',
  authorized: 'processing',
  paid: 'paid',
  partially_refunded: 'paid',
  in_dispute: 'paid',
  refunded: 'refunded',
  charged_back: 'refunded',
  failed: 'failed',
  canceled: 'canceled',
  expired: 'expired',
}

const FINAL: ReadonlySet<PublicPaymentStatus> = new Set(['paid', 'refunded', 'failed', 'canceled', 'expired'])

/** Whether a payer has nothing more to wait for. */
export const isFinal = ({ status }: Pick<PublicPayment, 'status'>): boolean => FINAL.has(status)

/** Where links and logos are found. */
export type Addresses = { linkUrl: LinkUrl; logoUrl: LogoUrl }

export const publicLinkView = (
  { link, sellerName, sellerColor, sellerLogo, sellerApproved }: OfferedLink,
  { linkUrl, logoUrl }: Addresses,
  now: Date,
): PublicLink => {
  const status = linkStatusAt(link, now)
  const { amount, maxInstallments } = link
  const hasOptions = link.methods.includes('credit_card')
  return {
    hash: link.hash,
    url: linkUrl(link.hash),
    title: link.title,
    description: link.description,
    sellerName,
    sellerColor,
    sellerLogo: sellerLogo && shownLogo(sellerLogo, logoUrl),
    currency: 'BRL',
    amount,
    minAmount: link.minAmount,
    maxAmount: link.maxAmount,
    methods: link.methods,
    maxInstallments,
    installmentOptions: hasOptions && amount !== null ? installmentOptions(amount, maxInstallments) : [],
    expiresAt: toTimestampOrNull(link.expiresAt),
    // Of a seller who may not receive right now, payers need not know more than that.
    status: status === 'active' && !sellerApproved ? 'inactive' : status,
  }
}

// Why an issuer declined, or that it suspects a fraud, is not told to whoever holds the card.
const reasonOf = ({ status, statusReason, method }: PaymentView): 'card_declined' | 'underpaid' | null => {
  if (statusReason === 'underpaid') return statusReason
  return status === 'failed' && method === 'credit_card' ? 'card_declined' : null
}

/** What a payer may see of a payment: how to pay it and where it stands, and nothing of whoever pays. */
export const publicPaymentView = (payment: PaymentView, successUrl: string | null) => {
  const { pix, boleto, card } = payment
  const status = STATUSES[payment.status]
  return {
    id: payment.id,
    method: payment.method,
    amount: payment.amount,
    paidAmount: payment.paidAmount,
    currency: payment.currency,
    installments: payment.installments,
    installmentAmounts: allocate(centavos(payment.amount), payment.installments),
    status,
    statusReason: reasonOf(payment),
    pix: pix && { qrCode: pix.qrCode, endToEndId: pix.endToEndId, expiresAt: pix.expiresAt },
    boleto,
    card: card && { brand: card.brand, last4: card.last4 },
    // Whoever has not paid has no business there.
    successUrl: status === 'paid' ? successUrl : null,
    expiresAt: payment.expiresAt,
    paidAt: payment.paidAt,
    createdAt: payment.createdAt,
    updatedAt: payment.updatedAt,
  }
}

export type PublicPayment = ReturnType<typeof publicPaymentView>
