import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { exceptionResolved, PLATFORM_BOOK_ID } from '../../domain/platform-transfers.ts'
import { accountFor, differenceOf } from '../../domain/reconciliation.ts'
import type { NewId } from '../../ids.ts'
import type { Repositories, Transact } from '../../repositories.ts'
import type { Propose } from '../approvals/approvals.propose.ts'
import type { Approval } from '../approvals/approvals.repository.ts'
import type { Decided } from '../approvals/approvals.view.ts'
import { exceptionErrors } from './reconciliation.errors.ts'
import { exceptionEvents } from './reconciliation.events.ts'
import type { ReconciliationException } from './reconciliation.repository.ts'
import type { ResolveExceptionBody } from './reconciliation.schemas.ts'
import { type ExceptionView, exceptionView } from './reconciliation.view.ts'

type Dependencies = { transact: Transact; clock: Clock; newId: NewId; propose: Propose }

type By = { resolvedBy: string; approvedBy: string | null; now: Date }

// A difference may change and be resolved again: each time it is another posting, in the name of another id.
const post = async (
  tx: Repositories,
  row: ReconciliationException,
  { body, postingId, now }: { body: ResolveExceptionBody; postingId: string; now: Date },
): Promise<void> => {
  const against = accountFor(body.resolution, row.kind)
  const amount = differenceOf(row)
  if (against === undefined || amount === 0) return
  if (row.sellerId === null && against === 'available') throw exceptionErrors.no_seller()
  if (row.sellerId === null) await tx.ledger.lockPlatformBook()
  const sellerId = row.sellerId ?? PLATFORM_BOOK_ID
  const transfer = exceptionResolved({ sellerId, exceptionId: postingId, amount, against, forced: body.allowNegative })
  const [outcome] = await tx.ledger.post([{ ...transfer, provider: row.provider }], now)
  if (!outcome?.posted) throw exceptionErrors.balance_insufficient()
}

/** What people make of a difference. */
export const createExceptionResolution = ({ transact, clock, newId, propose }: Dependencies) => {
  const lockOpen = async (tx: Repositories, id: string): Promise<ReconciliationException> => {
    const row = await tx.reconciliation.lockException(id)
    if (row === undefined) throw exceptionErrors.not_found()
    if (row.status !== 'open') throw exceptionErrors.not_open()
    return row
  }

  const resolveNow = async (
    tx: Repositories,
    before: ReconciliationException,
    body: ResolveExceptionBody,
    { now, ...people }: By,
  ): Promise<ReconciliationException> => {
    const { resolution, reason } = body
    const times = { resolvedAt: now, updatedAt: now }
    const after = { ...before, status: 'resolved' as const, resolution, reason, ...people, ...times }
    await tx.reconciliation.moveException('open', after)
    await tx.events.add(exceptionEvents(after), now)
    await post(tx, before, { body, postingId: newId(), now })
    return after
  }

  return {
    /**
     * Resolves an exception, or proposes it where the policy asks for a second administrator. Throws
     * reconciliation_exception.not_found, .not_open, .no_seller and .balance_insufficient.
     */
    async resolve(actor: Actor, id: string, body: ResolveExceptionBody): Promise<Decided<ExceptionView>> {
      return transact(async (tx): Promise<Decided<ExceptionView>> => {
        const before = await lockOpen(tx, id)
        const now = clock.now()
        const { sellerId } = before
        const { resolution, reason } = body
        const about = { kind: 'reconciliation' as const, subjectId: id, sellerId, amount: differenceOf(before), reason }
        const waiting = await propose(tx, actor, { ...about, request: { ...body } }, now)
        if (waiting !== undefined) return { waits: true, view: waiting }
        const target = {
          targetType: 'reconciliation_exception',
          targetId: id,
          ...(sellerId === null ? {} : { sellerId }),
        }
        const change = { before: { status: before.status }, after: { status: 'resolved', resolution, reason } }
        await tx.audit.add({ actor, action: 'reconciliation_exception.resolve', ...target, ...change }, now)
        const after = await resolveNow(tx, before, body, { resolvedBy: actor.userId, approvedBy: null, now })
        return { waits: false, view: exceptionView(after) }
      })
    },

    /** Resolves what a second administrator approved. Throws what `resolve` does. */
    async performApproval(tx: Repositories, { subjectId, proposedBy, request }: Approval, actor: Actor, now: Date) {
      const people = { resolvedBy: proposedBy, approvedBy: actor.userId }
      await resolveNow(tx, await lockOpen(tx, subjectId), request as ResolveExceptionBody, { ...people, now })
      return undefined
    },
  }
}
