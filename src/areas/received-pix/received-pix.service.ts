import type { FastifyBaseLogger } from 'fastify'
import type { AuditEntry } from '../../audit/audit.repository.ts'
import type { Clock } from '../../clock.ts'
import { type PageRequest, toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import { invariant } from '../../domain/invariant.ts'
import type { NewId } from '../../ids.ts'
import type { NotificationHandler } from '../../providers/notification-routing.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import { createReceivedPixHandler } from './received-pix.booking.ts'
import { receivedPixErrors } from './received-pix.errors.ts'
import { createReceivedPixRefunding } from './received-pix.refunding.ts'
import type { ReceivedPix, ReceivedPixFilter } from './received-pix.repository.ts'
import type { ResolveReceivedPixBody } from './received-pix.schemas.ts'
import { receivedPixView } from './received-pix.view.ts'

type Dependencies = {
  read: Pick<Reads, 'receivedPix'>
  transact: Transact
  providers: Pick<ProviderRegistry, 'find'>
  newId: NewId
  clock: Clock
  logger: Pick<FastifyBaseLogger, 'error' | 'warn'>
  applyToPayments: NotificationHandler<'charge'>
  refundsUnmatched: boolean
  /** Called after the commit so that the refund goes out at once. Never throws. */
  refundSoon: () => Promise<void>
}

const lockOpen = async (tx: Repositories, endToEndId: string): Promise<ReceivedPix> => {
  const row = await tx.receivedPix.lockByEndToEndId(endToEndId)
  if (row === undefined) throw receivedPixErrors.not_found()
  if (row.status !== 'open') throw receivedPixErrors.not_open()
  return row
}

const resolutionEntry = (actor: Actor, { id, status, endToEndId, explanation, sellerId }: ReceivedPix): AuditEntry => ({
  actor,
  ...{ action: 'received_pix.resolve', targetType: 'received_pix', targetId: id },
  ...(sellerId === null ? {} : { sellerId }),
  before: { status: 'open' },
  after: { status, endToEndId, reason: explanation },
})

/** All money that came in by Pix, and what is to become of that which is no payment. */
export const createReceivedPixService = (dependencies: Dependencies) => {
  const { read, transact, clock, refundSoon } = dependencies
  return {
    async list({ page, ...filter }: ReceivedPixFilter & { page: PageRequest }) {
      return toListResponse(await read.receivedPix.list(filter, page), page, receivedPixView)
    },

    /** Decides about one that is open. Throws received_pix.not_found and received_pix.not_open. */
    async resolve(actor: Actor, endToEndId: string, { resolution, reason }: ResolveReceivedPixBody) {
      const to = resolution === 'explain' ? 'explained' : 'refunding'
      const resolved = await transact(async (tx) => {
        const row = await lockOpen(tx, endToEndId)
        const now = clock.now()
        const changes = { resolvedBy: actor.userId, explanation: reason, lastAttemptAt: null, updatedAt: now }
        const moved = await tx.receivedPix.move(row, { from: 'open', to, ...changes })
        invariant(moved !== undefined, 'a locked Pix was moved by someone else')
        await tx.audit.add(resolutionEntry(actor, moved), now)
        return moved
      })
      if (to === 'refunding') await refundSoon()
      return receivedPixView(resolved)
    },

    /** Applies what providers say about money that came in. */
    handleNotifications: createReceivedPixHandler(dependencies),

    findOpen: read.receivedPix.findOpen,

    jobs: createReceivedPixRefunding(dependencies),
  }
}

export type ReceivedPixService = ReturnType<typeof createReceivedPixService>
