import type { Link, Payment } from './book.ts'
import { expectReply, type Shop } from './shop.ts'
import { expectRows, readAll, timeOf } from './views.ts'

/** What its seller sees of a link. */
export const linkView = ({ terms: { expiresAtMs, ...terms }, status, paymentsCount, paidAmount }: Link) => ({
  ...terms,
  expiresAt: timeOf(expiresAtMs),
  status,
  paymentsCount,
  paidAmount,
})

const PUBLIC_STATUSES: Readonly<Record<string, string>> = {
  created: 'processing',
  authorized: 'processing',
  partially_refunded: 'paid',
  in_dispute: 'paid',
  charged_back: 'refunded',
}

/** Where whoever pays can do something about it. */
const publicReason = ({ status, statusReason, method }: Payment): string | null => {
  if (statusReason === 'underpaid') return statusReason
  return status === 'failed' && method === 'credit_card' ? 'card_declined' : null
}

/** What a payer sees of their payment. */
export const publicPaymentView = (payment: Payment, isExact: boolean) => ({
  method: payment.method,
  amount: payment.amount,
  installments: payment.installments,
  status: PUBLIC_STATUSES[payment.status] ?? payment.status,
  statusReason: publicReason(payment),
  ...(isExact ? { expiresAt: timeOf(payment.expiresAtMs), paidAt: timeOf(payment.paidAtMs) } : {}),
})

const expectLinksOf = async (shop: Shop, links: readonly Link[], query: string): Promise<void> => {
  const rows = await readAll(shop, `payment-links${query}`)
  for (const link of links) {
    if (link.hash === '') link.hash = String(rows.find(({ id }) => id === link.id)?.hash ?? '')
  }
  expectRows('payment links', rows, links, linkView)
}

/** Throws Mismatch where the links that a seller has are not the model's. */
export const expectLinks = (shop: Shop): Promise<void> =>
  expectLinksOf(
    shop,
    shop.seller.links.filter(({ status }) => status !== 'deleted'),
    '',
  )

export const expectAllLinks = async (shop: Shop): Promise<void> => {
  await expectLinks(shop)
  const deleted = shop.seller.links.filter(({ status }) => status === 'deleted')
  await expectLinksOf(shop, deleted, '?status=deleted')
}

/** What anybody sees who opens a link. Of a seller who may not sell they see that it takes nothing now. */
export const expectPublicLink = async ({ client, seller }: Shop, { hash, status, terms }: Link): Promise<void> => {
  const reply = await client.get(`payment-links/${hash}`)
  if (status === 'deleted') return expectReply('public link', reply, { status: 410, code: 'payment_link.deleted' })
  const shown = status === 'active' && !seller.isApproved ? 'inactive' : status
  const { amount, methods } = terms
  expectReply('public link', reply, { status: 200, view: { status: shown, amount, methods } })
}

/** Throws Mismatch where a payer sees something else than became of their payment. */
export const expectPublicPayment = async ({ client, platform }: Shop, payment: Payment): Promise<void> => {
  const path = `payment-links/${payment.link?.hash}/payments/${payment.id}`
  const view = publicPaymentView(payment, platform.isExact)
  expectReply(`GET ${path}`, await client.get(path), { status: 200, view })
}
