import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { invariant } from '../../domain/invariant.ts'
import { type Centavos, centavos, ZERO } from '../../domain/money.ts'
import { PAYMENT_METHODS } from '../../domain/payment.ts'
import { canMovePaymentLink, isLimitTooLow, type LinkEdit, statusAfterEdit } from '../../domain/payment-link.ts'
import { requestErrors } from '../../errors.ts'
import type { EventType } from '../../events/event-types.ts'
import type { NewEvent } from '../../events/events.repository.ts'
import { type ListResponse, pageRequest, toListResponse } from '../../http/pagination.ts'
import { periodOf } from '../../http/period.ts'
import type { Idempotency, Once } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import { sellerErrors } from '../payments/payments.errors.ts'
import { newLinkHash } from './link-hash.ts'
import { paymentLinkErrors } from './payment-links.errors.ts'
import { createExpirePaymentLinks } from './payment-links.expire.ts'
import type { PaymentLink } from './payment-links.repository.ts'
import type { PaymentLinkBody, PaymentLinksQuery, UpdatePaymentLinkBody } from './payment-links.schemas.ts'
import { type LinkUrl, type PaymentLinkView, paymentLinkView } from './payment-links.view.ts'
import { checkSuccessUrl } from './success-url.ts'

type Dependencies = {
  read: Pick<Reads, 'paymentLinks'>
  transact: Transact
  once: Once<Repositories>
  clock: Clock
  newId: NewId
  linkUrl: LinkUrl
  config: { production: boolean }
}

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
const expiryOf = (text: string | null | undefined, now: Date, current: Date | null = null): Date | null => {
  if (text == null) return null
  const expiresAt = new Date(text)
  if (expiresAt <= now && expiresAt.getTime() !== current?.getTime()) {
    throw bodyFault('expiresAt', 'too_early', 'must lie ahead')
  }
  return expiresAt
}

/** What a seller says of a link, whole. */
const fieldsOf = (body: PaymentLinkBody, allowLoopback: boolean) => ({
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

const EVENTS: Readonly<Partial<Record<PaymentLink['status'], EventType>>> = {
  completed: 'payment_link.completed',
  expired: 'payment_link.expired',
}

/** Payment links as their sellers make and change them. */
export const createPaymentLinksService = (dependencies: Dependencies) => {
  const { read, transact, once, clock, newId, linkUrl, config } = dependencies
  const allowLoopback = !config.production

  const eventsOf = (before: PaymentLink, after: PaymentLink, now: Date): NewEvent[] => {
    const type = before.status === after.status ? undefined : EVENTS[after.status]
    return type === undefined ? [] : [{ type, sellerId: after.sellerId, data: paymentLinkView(after, linkUrl, now) }]
  }

  // While a link took any number of payments nobody counted its slots.
  const slotsOf = async (tx: Repositories, link: PaymentLink, maxPayments: number | null): Promise<number> => {
    if (maxPayments === null) return 0
    if (link.maxPayments !== null) return link.reservedSlots
    return link.paymentsCount + (await tx.paymentLinks.countOpenPayments(link))
  }

  const edited = async (tx: Repositories, link: PaymentLink, body: UpdatePaymentLinkBody, now: Date) => {
    const fields = fieldsOf(body, allowLoopback)
    const { maxPayments } = fields
    const expiresAt = expiryOf(body.expiresAt, now, link.expiresAt)
    const reservedSlots = await slotsOf(tx, link, maxPayments)
    const edit: LinkEdit = { status: body.status, maxPayments, expiresAt, reservedSlots }
    if (isLimitTooLow(link, edit)) throw paymentLinkErrors.limit_too_low()
    const status = statusAfterEdit(link, edit, now)
    invariant(status === link.status || canMovePaymentLink(link.status, status), 'an edit moved a link where none goes')
    const excessSlots = maxPayments === link.maxPayments ? link.excessSlots : 0
    return { ...link, ...fields, expiresAt, reservedSlots, excessSlots, status, updatedAt: now }
  }

  return {
    /** Throws seller.not_approved and validation.failed. */
    create: (actor: Actor, body: PaymentLinkBody, idempotency: Idempotency | undefined): Promise<PaymentLinkView> =>
      once(idempotency, async (tx) => {
        const [seller] = await tx.paymentTerms.findSellers([actor.userId])
        if (seller?.approved !== true) throw sellerErrors.not_approved()
        const now = clock.now()
        const link: PaymentLink = {
          ...fieldsOf(body, allowLoopback),
          sellerId: actor.userId,
          id: newId(),
          hash: newLinkHash(),
          expiresAt: expiryOf(body.expiresAt, now),
          ...UNUSED,
          createdAt: now,
          updatedAt: now,
        }
        await tx.paymentLinks.insert(link)
        return paymentLinkView(link, linkUrl, now)
      }),

    /** The seller's own links, newest first; deleted ones only where they are asked for. */
    async list(actor: Actor, query: PaymentLinksQuery): Promise<ListResponse<PaymentLinkView>> {
      const request = pageRequest(query)
      const now = clock.now()
      const filter = { ...periodOf(query), sellerId: actor.userId, statuses: query.status, search: query.search }
      const page = await read.paymentLinks.list(filter, now, request)
      return toListResponse(page, request, (link) => paymentLinkView(link, linkUrl, now))
    },

    /**
     * Replaces what a seller says of a link. Payments that exist keep what they were made with. Throws
     * payment_link.not_found, payment_link.limit_too_low and validation.failed.
     */
    update: (actor: Actor, id: string, body: UpdatePaymentLinkBody): Promise<PaymentLinkView> =>
      transact(async (tx) => {
        const before = await tx.paymentLinks.lockForEdit({ sellerId: actor.userId, id })
        if (before === undefined) throw paymentLinkErrors.not_found()
        const now = clock.now()
        const after = await edited(tx, before, body, now)
        await tx.paymentLinks.updateMany([after])
        await tx.events.add(eventsOf(before, after, now), now)
        return paymentLinkView(after, linkUrl, now)
      }),

    /** Ends a link for good. Its payments stay, and can still be paid. Throws payment_link.not_found. */
    remove: (actor: Actor, id: string): Promise<void> =>
      transact(async (tx) => {
        const link = await tx.paymentLinks.lockForEdit({ sellerId: actor.userId, id })
        if (link === undefined) throw paymentLinkErrors.not_found()
        await tx.paymentLinks.deleteSoftly(link, clock.now())
      }),

    jobs: { expirePaymentLinks: createExpirePaymentLinks(dependencies) },
  }
}

const UNUSED = { reservedSlots: 0, excessSlots: 0, paymentsCount: 0, paidAmount: ZERO, status: 'active' } as const

export type PaymentLinksService = ReturnType<typeof createPaymentLinksService>
