import type { Clock } from '../../clock.ts'
import { type ListResponse, toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import { ZERO } from '../../domain/money.ts'
import type { Precondition } from '../../domain/precondition.ts'
import type { EventType } from '../../events/event-types.ts'
import type { NewEvent } from '../../events/events.repository.ts'
import type { Idempotency, Once } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import { sellerErrors } from '../payments/payments.errors.ts'
import { newLinkHash } from './link-hash.ts'
import { edited, expiryOf, fieldsOf } from './payment-links.edit.ts'
import { paymentLinkErrors } from './payment-links.errors.ts'
import { createExpirePaymentLinks } from './payment-links.expire.ts'
import type { PaymentLink } from './payment-links.queries.ts'
import type { PaymentLinkBody, PaymentLinksQuery, UpdatePaymentLinkBody } from './payment-links.schemas.ts'
import { type LinkUrl, type PaymentLinkView, paymentLinkView } from './payment-links.view.ts'

type Dependencies = {
  read: Pick<Reads, 'paymentLinks'>
  transact: Transact
  once: Once<Repositories>
  clock: Clock
  newId: NewId
  linkUrl: LinkUrl
  config: { production: boolean }
}

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

  return {
    /** Throws seller.not_approved and validation.failed. */
    create: (actor: Actor, body: PaymentLinkBody, idempotency: Idempotency | undefined): Promise<PaymentLinkView> =>
      once(idempotency, async (tx) => {
        const [seller] = await tx.paymentTerms.findSellers([actor.sellerId])
        if (seller?.approved !== true) throw sellerErrors.not_approved()
        const now = clock.now()
        const link: PaymentLink = {
          ...fieldsOf(body, allowLoopback),
          sellerId: actor.sellerId,
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
    async list(actor: Actor, { page, status, ...filter }: PaymentLinksQuery): Promise<ListResponse<PaymentLinkView>> {
      const now = clock.now()
      const theirs = { ...filter, sellerId: actor.sellerId, statuses: status }
      const found = await read.paymentLinks.list(theirs, now, page)
      return toListResponse(found, page, (link) => paymentLinkView(link, linkUrl, now))
    },

    /** A seller's own link, also a deleted one. Throws payment_link.not_found. */
    async get(actor: Actor, id: string): Promise<PaymentLinkView> {
      const link = await read.paymentLinks.find({ sellerId: actor.sellerId, id })
      if (link === undefined) throw paymentLinkErrors.not_found()
      return paymentLinkView(link, linkUrl, clock.now())
    },

    /**
     * Replaces what a seller says of a link. Payments that exist keep what they were made with. Throws
     * payment_link.not_found, payment_link.limit_too_low and validation.failed.
     */
    update: (
      actor: Actor,
      id: string,
      body: UpdatePaymentLinkBody,
      precondition?: Precondition,
    ): Promise<PaymentLinkView> =>
      transact(async (tx) => {
        const before = await tx.paymentLinks.lockForEdit({ sellerId: actor.sellerId, id })
        if (before === undefined) throw paymentLinkErrors.not_found()
        const now = clock.now()
        precondition?.(paymentLinkView(before, linkUrl, now))
        const after = await edited(tx, before, body, { now, allowLoopback })
        await tx.paymentLinks.moveMany([{ from: before.status, row: after }])
        await tx.events.add(eventsOf(before, after, now), now)
        return paymentLinkView(after, linkUrl, now)
      }),

    /** Ends a link for good. Its payments stay, and can still be paid. Throws payment_link.not_found. */
    remove: (actor: Actor, id: string): Promise<void> =>
      transact(async (tx) => {
        const link = await tx.paymentLinks.lockForEdit({ sellerId: actor.sellerId, id })
        if (link === undefined) throw paymentLinkErrors.not_found()
        await tx.paymentLinks.deleteSoftly(link, clock.now())
      }),

    jobs: { expirePaymentLinks: createExpirePaymentLinks(dependencies) },
  }
}

const UNUSED = { reservedSlots: 0, excessSlots: 0, paymentsCount: 0, paidAmount: ZERO, status: 'active' } as const

export type PaymentLinksService = ReturnType<typeof createPaymentLinksService>
