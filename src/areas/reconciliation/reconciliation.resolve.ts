import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { add, ZERO } from '../../domain/money.ts'
import { exceptionResolved, PLATFORM_BOOK_ID, payerRefundRequested } from '../../domain/platform-transfers.ts'
import { accountFor, remainingOf } from '../../domain/reconciliation.ts'
import type { NewId } from '../../ids.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Repositories, Transact } from '../../repositories.ts'
import type { Propose } from '../approvals/approvals.propose.ts'
import type { Approval } from '../approvals/approvals.repository.ts'
import type { Decided } from '../approvals/approvals.view.ts'
import { exceptionErrors } from './reconciliation.errors.ts'
import { exceptionEvents } from './reconciliation.events.ts'
import type { ExceptionResolution, ReconciliationException } from './reconciliation.repository.ts'
import type { ResolveExceptionBody } from './reconciliation.schemas.ts'
import { type ExceptionView, exceptionView } from './reconciliation.view.ts'

type Dependencies = {
  transact: Transact
  providers: Pick<ProviderRegistry, 'find'>
  clock: Clock
  newId: NewId
  propose: Propose
  /** Lets money go back to a payer now instead of with the next round of the jobs. Never throws. */
  refundPayersSoon: () => Promise<void>
}

type By = { resolvedBy: string; approvedBy: string | null; now: Date }
type Posted = Pick<ExceptionResolution, 'postedAmount' | 'account' | 'bookId'>

const NOTHING: Posted = { postedAmount: null, account: null, bookId: null }

/** A resolution that is being done; its id names its posting, too, because a difference may be resolved again. */
type Doing = { id: string; row: ReconciliationException; body: ResolveExceptionBody; now: Date }

const postDifference = async (tx: Repositories, { id, row, body, now }: Doing): Promise<Posted> => {
  const against = accountFor(body.resolution, row.kind)
  const amount = remainingOf(row)
  if (against === undefined || amount === 0) return NOTHING
  if (row.sellerId === null && against === 'available') throw exceptionErrors.no_seller()
  if (row.sellerId === null) await tx.ledger.lockPlatformBook()
  const sellerId = row.sellerId ?? PLATFORM_BOOK_ID
  const transfer = exceptionResolved({ sellerId, exceptionId: id, amount, against, forced: body.allowNegative })
  const [outcome] = await tx.ledger.post([{ ...transfer, provider: row.provider }], now)
  if (!outcome?.posted) throw exceptionErrors.balance_insufficient()
  return { postedAmount: amount, account: against, bookId: sellerId }
}

// What lies open among the Pix that came in is decided about by this, and by nothing else.
const claimReceivedPix = async (tx: Repositories, { row, body, now }: Doing): Promise<void> => {
  const pix = row.endToEndId === null ? undefined : await tx.receivedPix.lockByEndToEndId(row.endToEndId)
  if (pix?.status === 'refunding' || pix?.status === 'refunded') throw exceptionErrors.going_back()
  if (pix?.status !== 'open') return
  const changes = { explanation: body.reason, updatedAt: now }
  await tx.receivedPix.move(pix, { from: 'open', to: 'explained', ...changes })
}

const giveBack = async (tx: Repositories, doing: Doing): Promise<Posted> => {
  const { id, row, now } = doing
  await claimReceivedPix(tx, doing)
  const amount = remainingOf(row)
  const { provider, endToEndId, subjectId: paymentId, sellerId, reference: chargeReference } = row
  await tx.reconciliation.insertPayerRefund({
    ...{ id, exceptionId: row.id, provider, endToEndId, chargeReference, paymentId, sellerId, amount },
    ...{ status: 'processing', statusReason: null, reference: null, lastAttemptAt: null, completedAt: null },
    ...{ createdAt: now, updatedAt: now },
  })
  await tx.ledger.lockPlatformBook()
  await tx.ledger.post([payerRefundRequested({ payerRefundId: id, amount })], now)
  return { postedAmount: amount, account: 'withdrawing', bookId: PLATFORM_BOOK_ID }
}

/** What people make of a difference. */
export const createExceptionResolution = (dependencies: Dependencies) => {
  const { transact, providers, clock, newId, propose, refundPayersSoon } = dependencies

  const checkRefundable = (row: ReconciliationException): void => {
    const canRefund = providers.find(row.provider)?.refunds !== undefined
    const cameIn = row.lineKind === 'charge' && row.kind !== 'fee' && remainingOf(row) > 0
    if (!canRefund || !cameIn) throw exceptionErrors.not_refundable()
  }

  const lockOpen = async (
    tx: Repositories,
    id: string,
    { resolution }: ResolveExceptionBody,
  ): Promise<ReconciliationException> => {
    const row = await tx.reconciliation.lockException(id)
    if (row === undefined) throw exceptionErrors.not_found()
    if (row.status !== 'open') throw exceptionErrors.not_open()
    if (resolution === 'refund_payer') checkRefundable(row)
    return row
  }

  const resolveNow = async (
    tx: Repositories,
    before: ReconciliationException,
    body: ResolveExceptionBody,
    { now, ...people }: By,
  ): Promise<ReconciliationException> => {
    const { resolution, reason } = body
    const doing = { id: newId(), row: before, body, now }
    const corrects = resolution === 'refund_payer' || accountFor(resolution, before.kind) !== undefined
    const correctedAmount = corrects ? add(before.correctedAmount ?? ZERO, remainingOf(before)) : before.correctedAmount
    const times = { resolvedAt: now, updatedAt: now }
    const after = { ...before, status: 'resolved' as const, resolution, reason, correctedAmount, ...people, ...times }
    await tx.reconciliation.moveException('open', after)
    await tx.events.add(exceptionEvents(after), now)
    const { id: exceptionId, providerAmount, platformAmount } = before
    const told = { exceptionId, resolution, reason, ...people, run: null, providerAmount, platformAmount }
    const planned = await (resolution === 'refund_payer' ? giveBack(tx, doing) : postDifference(tx, doing))
    await tx.reconciliation.insertResolution({ id: doing.id, ...told, ...planned, createdAt: now })
    return after
  }

  return {
    /**
     * Resolves an exception, or proposes it where the policy asks for a second administrator. Throws
     * reconciliation_exception.not_found, .not_open, .no_seller, .not_refundable, .going_back and .balance_insufficient.
     */
    async resolve(actor: Actor, id: string, body: ResolveExceptionBody): Promise<Decided<ExceptionView>> {
      const decided = await transact(async (tx): Promise<Decided<ExceptionView>> => {
        const before = await lockOpen(tx, id, body)
        const now = clock.now()
        const { sellerId } = before
        const { resolution, reason } = body
        const about = { kind: 'reconciliation' as const, subjectId: id, sellerId, amount: remainingOf(before), reason }
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
      if (!decided.waits && body.resolution === 'refund_payer') await refundPayersSoon()
      return decided
    },

    /** Resolves what a second administrator approved. Throws what `resolve` does. */
    async performApproval(tx: Repositories, { subjectId, proposedBy, request }: Approval, actor: Actor, now: Date) {
      const people = { resolvedBy: proposedBy, approvedBy: actor.userId }
      const body = request as ResolveExceptionBody
      const after = await resolveNow(tx, await lockOpen(tx, subjectId, body), body, { ...people, now })
      return after.resolution === 'refund_payer' ? refundPayersSoon : undefined
    },
  }
}
