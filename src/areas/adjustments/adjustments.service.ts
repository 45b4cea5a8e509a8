import type { Clock } from '../../clock.ts'
import { toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import { absolute, centavos, negate } from '../../domain/money.ts'
import { adjustmentPosted, lossRecovered, lossWrittenOff } from '../../domain/platform-transfers.ts'
import type { Transfer } from '../../domain/transfer.ts'
import type { Idempotency, Once } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { Reads, Repositories } from '../../repositories.ts'
import type { Propose } from '../approvals/approvals.propose.ts'
import type { Approval } from '../approvals/approvals.repository.ts'
import type { Decided } from '../approvals/approvals.view.ts'
import { adjustmentErrors } from './adjustments.errors.ts'
import { adjustmentPostedEvent } from './adjustments.events.ts'
import type { Adjustment } from './adjustments.repository.ts'
import type { AdjustmentBody, AdjustmentsQuery } from './adjustments.schemas.ts'
import { type AdjustmentView, adjustmentView, debtView } from './adjustments.view.ts'

type Dependencies = {
  read: Pick<Reads, 'adjustments'>
  once: Once<Repositories>
  clock: Clock
  newId: NewId
  propose: Propose
}

const transferOf = ({ sellerId, id: adjustmentId, kind, amount, against, forced }: Adjustment): Transfer => {
  if (kind === 'write_off') return lossWrittenOff({ sellerId, adjustmentId, amount })
  if (kind === 'recovery') return lossRecovered({ sellerId, adjustmentId, amount: absolute(amount) })
  return adjustmentPosted({ sellerId, adjustmentId, amount, against, forced })
}

// A debt is written off at most whole, and at most that is recovered later.
const checkBounds = async (tx: Repositories, { sellerId, kind, amount }: Adjustment): Promise<void> => {
  if (kind === 'correction') return
  const { available, losses } = await tx.ledger.findBalances(sellerId)
  if (kind === 'write_off' && amount > negate(available)) throw adjustmentErrors.exceeds_debt()
  if (kind === 'recovery' && absolute(amount) > negate(losses)) throw adjustmentErrors.exceeds_loss()
}

const post = async (tx: Repositories, row: Adjustment): Promise<Adjustment> => {
  const now = row.createdAt
  // The books of one seller wait for each other from here on, so that what is checked is what is posted.
  await tx.ledger.lockBook(row.sellerId)
  await checkBounds(tx, row)
  await tx.adjustments.insert(row)
  await tx.events.add([adjustmentPostedEvent(row)], now)
  const [outcome] = await tx.ledger.post([transferOf(row)], now)
  if (!outcome?.posted) throw adjustmentErrors.balance_insufficient()
  return row
}

/** Corrections of sellers' balances by people: mistakes, debts that are given up, and what is got of those later. */
export const createAdjustmentsService = ({ read, once, clock, newId, propose }: Dependencies) => {
  const rowOf = (body: AdjustmentBody, id: string, proposedBy: string, now: Date): Adjustment => ({
    sellerId: body.sellerId,
    id,
    kind: body.kind,
    amount: centavos(body.amount),
    against: body.against,
    reason: body.reason,
    forced: body.allowNegative,
    proposedBy,
    approvedBy: null,
    createdAt: now,
  })

  return {
    /**
     * Corrects a seller's balance, or proposes it where the policy asks for a second administrator. Throws
     * adjustment.seller_not_found, .exceeds_debt, .exceeds_loss and .balance_insufficient.
     */
    async create(actor: Actor, body: AdjustmentBody, idempotency?: Idempotency): Promise<Decided<AdjustmentView>> {
      return once(idempotency, async (tx): Promise<Decided<AdjustmentView>> => {
        const { sellerId, reason, kind } = body
        if ((await tx.users.find(sellerId))?.role !== 'seller') throw adjustmentErrors.seller_not_found()
        const now = clock.now()
        const row = rowOf(body, newId(), actor.userId, now)
        const { id: subjectId, amount } = row
        const proposal = { subjectId, sellerId, amount, reason, request: { ...body } }
        const waiting = await propose(
          tx,
          actor,
          { kind: kind === 'correction' ? 'adjustment' : 'write_off', ...proposal },
          now,
        )
        if (waiting !== undefined) return { waits: true, view: waiting }
        const view = adjustmentView(await post(tx, row))
        const target = { targetType: 'adjustment', targetId: row.id, sellerId }
        await tx.audit.add({ actor, action: 'adjustment.create', ...target, after: { kind, amount, reason } }, now)
        return { waits: false, view }
      })
    },

    /** Posts what a second administrator approved. Throws what `create` does. */
    async performApproval(tx: Repositories, { subjectId, proposedBy, request }: Approval, actor: Actor, now: Date) {
      const row = rowOf(request as AdjustmentBody, subjectId, proposedBy, now)
      await post(tx, { ...row, approvedBy: actor.userId })
      return undefined
    },

    /** Newest first. */
    async list({ page, ...filter }: AdjustmentsQuery) {
      return toListResponse(await read.adjustments.list(filter, page), page, adjustmentView)
    },

    /** Throws adjustment.not_found. */
    async get(id: string): Promise<AdjustmentView> {
      const row = await read.adjustments.find(id)
      if (row === undefined) throw adjustmentErrors.not_found()
      return adjustmentView(row)
    },

    /** Sellers who owe the platform, the oldest debts first. */
    async listDebts() {
      return { data: (await read.adjustments.listDebts()).map(debtView) }
    },
  }
}

export type AdjustmentsService = ReturnType<typeof createAdjustmentsService>
