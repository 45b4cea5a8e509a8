import { type Centavos, centavos } from '../../domain/money.ts'
import { PAYMENT_METHODS } from '../../domain/payment.ts'
import { isLimitTooLow, type LinkEdit, statusAfterEdit } from '../../domain/payment-link.ts'
import { requestErrors } from '../../errors.ts'
import type { Repositories } from '../../repositories.ts'
import { paymentLinkErrors } from './payment-links.errors.ts'
import type { PaymentLink } from './payment-links.queries.ts'
import type { PaymentLinkBody, UpdatePaymentLinkBody } from './payment-links.schemas.ts'
import { checkSuccessUrl } from './success-url.ts'

const amountOrNull = (value: number | null | undefined): Centavos | null => (value == null ? null : centavos(value))

const bodyFault = (path: string, code: string, message: string) =>
  requestErrors.failed({ errors: [{ in: 'body', path, code, message }] })

/** Throws validation.failed for a URL that payers are not to be sent to. */
const successUrlOf = (text: string | null | undefined, allowLoopback: boolean): string | null => {
  if (text == null) return null
  const checked = checkSuccessUrl(text, { allowLoopback })
  if (!checked.ok) throw bodyFault('successUrl', 'invalid_url', checked.message)
  return checked.url
}

/** Throws validation.failed for an instant that has passed, unless it is the one that the link has already. */
export const expiryOf = (asked: Date | null | undefined, now: Date, current: Date | null = null): Date | null => {
  const expiresAt = asked ?? null
  if (expiresAt === null) return null
  if (expiresAt <= now && expiresAt.getTime() !== current?.getTime()) {
    throw bodyFault('expiresAt', 'too_early', 'must lie ahead')
  }
  return expiresAt
}

/** What a seller says of a link, whole. Throws validation.failed for a URL that payers are not to be sent to. */
export const fieldsOf = (body: PaymentLinkBody, allowLoopback: boolean) => ({
  title: body.title,
  description: body.description ?? null,
  amount: amountOrNull(body.amount),
  minAmount: amountOrNull(body.minAmount),
  maxAmount: amountOrNull(body.maxAmount),
  methods: body.methods ?? [...PAYMENT_METHODS],
  maxInstallments: body.maxInstallments ?? 1,
  maxPayments: body.maxPayments ?? null,
  successUrl: successUrlOf(body.successUrl, allowLoopback),
  externalReference: body.externalReference ?? null,
  metadata: body.metadata ?? {},
})

// While a link took any number of payments nobody counted its slots.
const slotsOf = async (tx: Repositories, link: PaymentLink, maxPayments: number | null): Promise<number> => {
  if (maxPayments === null) return 0
  if (link.maxPayments !== null) return link.reservedSlots
  return link.paymentsCount + (await tx.paymentLinks.countOpenPayments(link))
}

/**
 * A locked link as an edit makes it. Throws payment_link.limit_too_low, and validation.failed for what only the moment or
 * the configuration forbids.
 */
export const edited = async (
  tx: Repositories,
  link: PaymentLink,
  body: UpdatePaymentLinkBody,
  { now, allowLoopback }: { now: Date; allowLoopback: boolean },
): Promise<PaymentLink> => {
  const fields = fieldsOf(body, allowLoopback)
  const { maxPayments } = fields
  const expiresAt = expiryOf(body.expiresAt, now, link.expiresAt)
  const reservedSlots = await slotsOf(tx, link, maxPayments)
  const edit: LinkEdit = { status: body.status, maxPayments, expiresAt, reservedSlots }
  if (isLimitTooLow(link, edit)) throw paymentLinkErrors.limit_too_low()
  const status = statusAfterEdit(link, edit, now)
  const excessSlots = maxPayments === link.maxPayments ? link.excessSlots : 0
  return { ...link, ...fields, expiresAt, reservedSlots, excessSlots, status, updatedAt: now }
}
