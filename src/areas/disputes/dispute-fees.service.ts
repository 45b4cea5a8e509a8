import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { DISPUTE_TYPES, type DisputeType } from '../../domain/dispute.ts'
import { centavos, ZERO } from '../../domain/money.ts'
import { toTimestampOrNull } from '../../domain/timestamp.ts'
import type { NewId } from '../../ids.ts'
import type { Reads, Transact } from '../../repositories.ts'
import type { DisputeFee } from './dispute-fees.repository.ts'
import type { PutDisputeFeeBody } from './dispute-fees.schemas.ts'

type Dependencies = { read: Pick<Reads, 'disputeFees'>; transact: Transact; clock: Clock; newId: NewId }

const disputeFeeView = (type: DisputeType, fee: DisputeFee | undefined) => ({
  type,
  feeAmount: fee?.feeAmount ?? ZERO,
  updatedAt: toTimestampOrNull(fee?.updatedAt ?? null),
})

/** What administrators charge for lost disputes. A dispute keeps the fee that it was opened with. */
export const createDisputeFeesService = ({ read, transact, clock, newId }: Dependencies) => ({
  async list() {
    const fees = await read.disputeFees.list()
    const feeOf = (type: DisputeType) => fees.find((fee) => fee.type === type)
    return { data: DISPUTE_TYPES.map((type) => disputeFeeView(type, feeOf(type))) }
  },

  async set(actor: Actor, type: DisputeType, body: PutDisputeFeeBody) {
    return transact(async (tx) => {
      const now = clock.now()
      const before = await tx.disputeFees.lock(type)
      const feeAmount = centavos(body.feeAmount)
      const after = await tx.disputeFees.put({
        id: newId(),
        createdAt: now,
        ...before,
        type,
        feeAmount,
        updatedAt: now,
      })
      const change = { before: { type, feeAmount: before?.feeAmount ?? ZERO }, after: { type, feeAmount } }
      const target = { targetType: 'dispute_fee', targetId: after.id }
      await tx.audit.add({ actor, action: 'dispute_fee.set', ...target, ...change }, now)
      return disputeFeeView(type, after)
    })
  },
})

export type DisputeFeesService = ReturnType<typeof createDisputeFeesService>
