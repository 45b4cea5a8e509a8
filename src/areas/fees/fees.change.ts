import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { ZERO } from '../../domain/money.ts'
import type { Precondition } from '../../domain/precondition.ts'
import type { Idempotency, Once } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { Repositories, Transact } from '../../repositories.ts'
import type { Propose } from '../approvals/approvals.propose.ts'
import type { Approval } from '../approvals/approvals.repository.ts'
import type { Decided } from '../approvals/approvals.view.ts'
import { changedFee, newFee } from './fee-terms.ts'
import { feeErrors } from './fees.errors.ts'
import type { Fee } from './fees.repository.ts'
import type { CreateFeeBody, UpdateFeeBody } from './fees.schemas.ts'
import { type FeeView, feeView } from './fees.view.ts'

export type FeeChangeDependencies = {
  transact: Transact
  once: Once<Repositories>
  clock: Clock
  newId: NewId
  propose: Propose
}

type Tx = Pick<Repositories, 'fees' | 'users' | 'audit'>

/** What waits for a second administrator. */
type Proposed = ({ operation: 'create' } & CreateFeeBody) | ({ operation: 'update' } & UpdateFeeBody)

const requireSeller = async (tx: Tx, sellerId: string | null): Promise<void> => {
  if (sellerId === null) return
  const user = await tx.users.find(sellerId)
  if (user?.role !== 'seller' || user.deletedAt !== null) throw feeErrors.seller_not_found()
}

const lockActive = async (tx: Tx, id: string): Promise<Fee> => {
  const fee = await tx.fees.lock(id)
  if (fee === undefined) throw feeErrors.not_found()
  if (!fee.isActive) throw feeErrors.closed()
  return fee
}

const requireSameScope = (fee: Fee, { method = fee.method, sellerId = fee.sellerId }: UpdateFeeBody): void => {
  if (method !== fee.method || sellerId !== fee.sellerId) throw feeErrors.scope_fixed()
}

const auditTarget = ({ id, sellerId }: Fee) => ({
  targetType: 'fee',
  targetId: id,
  ...(sellerId === null ? {} : { sellerId }),
})

const proposalOf = ({ id: subjectId, sellerId }: Fee, request: Proposed) => ({
  kind: 'fee' as const,
  subjectId,
  sellerId,
  amount: ZERO,
  reason: null,
  request,
  replaces: true,
})

export const createFeeChanges = ({ transact, once, clock, newId, propose }: FeeChangeDependencies) => {
  // Payments point at a used version: it is closed as it stands, and its successor takes over in the same moment.
  const replace = async (tx: Tx, before: Fee, changed: Fee, now: Date): Promise<Fee> => {
    if (before.usedAt === null) {
      const edited = { ...changed, updatedAt: now }
      await tx.fees.update(before.id, edited)
      return edited
    }
    const closed = { ...before, isActive: false, updatedAt: now }
    await tx.fees.update(before.id, closed)
    if (!changed.isActive) return closed
    const successor = { ...changed, id: newId(), usedAt: null, createdAt: now, updatedAt: now }
    await tx.fees.insert([successor])
    return successor
  }

  const add = async (tx: Tx, actor: Actor, fee: Fee): Promise<FeeView> => {
    await tx.fees.insert([fee])
    const view = feeView(fee)
    await tx.audit.add({ actor, action: 'fee.create', ...auditTarget(fee), after: view }, fee.createdAt)
    return view
  }

  const change = async (tx: Tx, actor: Actor, before: Fee, changed: Fee): Promise<FeeView> => {
    const now = clock.now()
    const after = feeView(await replace(tx, before, changed, now))
    const target = auditTarget(before)
    await tx.audit.add({ actor, action: 'fee.update', ...target, before: feeView(before), after }, now)
    return after
  }

  return {
    /** Makes a fee, or proposes it where two administrators are needed. Throws fee.seller_not_found and fee.overlaps. */
    async create(actor: Actor, body: CreateFeeBody, idempotency: Idempotency | undefined): Promise<Decided<FeeView>> {
      return once(idempotency, async (tx): Promise<Decided<FeeView>> => {
        await requireSeller(tx, body.sellerId ?? null)
        const now = clock.now()
        const fee = newFee(body, newId(), now)
        const waiting = await propose(tx, actor, proposalOf(fee, { operation: 'create', ...body }), now)
        if (waiting !== undefined) return { waits: true, view: waiting }
        return { waits: false, view: await add(tx, actor, fee) }
      })
    },

    /** Does what a second administrator approved. Throws what `create` and `update` do. */
    async performApproval(tx: Repositories, { subjectId, request }: Approval, actor: Actor, now: Date) {
      const { operation, ...body } = request as Proposed
      if (operation === 'create') await add(tx, actor, newFee(body as CreateFeeBody, subjectId, now))
      else {
        const before = await lockActive(tx, subjectId)
        await change(tx, actor, before, changedFee(before, body as UpdateFeeBody))
      }
      return undefined
    },

    /**
     * Changes a fee for new payments, or proposes it where two administrators are needed. One that payments were made with
     * is closed and a new version takes its place; the answer is the version in force. Throws fee.not_found, fee.closed, fee.scope_fixed, fee.overlaps and
     * validation.failed.
     */
    async update(
      actor: Actor,
      id: string,
      body: UpdateFeeBody,
      precondition?: Precondition,
    ): Promise<Decided<FeeView>> {
      return transact(async (tx): Promise<Decided<FeeView>> => {
        const before = await lockActive(tx, id)
        precondition?.(feeView(before))
        requireSameScope(before, body)
        const changed = changedFee(before, body)
        if (isDeepStrictEqual(before, changed)) return { waits: false, view: feeView(before) }
        const waiting = await propose(tx, actor, proposalOf(before, { operation: 'update', ...body }), clock.now())
        if (waiting !== undefined) return { waits: true, view: waiting }
        return { waits: false, view: await change(tx, actor, before, changed) }
      })
    },
  }
}
