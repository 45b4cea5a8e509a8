import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import { toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import { invariant } from '../../domain/invariant.ts'
import { centavos } from '../../domain/money.ts'
import { treasuryPaidOut } from '../../domain/platform-transfers.ts'
import { treasuryOf } from '../../domain/treasury.ts'
import type { Idempotency, Once } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import type { Propose } from '../approvals/approvals.propose.ts'
import type { Approval } from '../approvals/approvals.repository.ts'
import type { Decided } from '../approvals/approvals.view.ts'
import { treasuryErrors } from './treasury.errors.ts'
import { createTreasuryPayouts } from './treasury.payouts.ts'
import type { TreasuryPayout } from './treasury.repository.ts'
import type { TreasuryPayoutBody, TreasuryPayoutsQuery } from './treasury.schemas.ts'
import { type TreasuryPayoutView, treasuryPayoutView, treasuryView } from './treasury.view.ts'

type Dependencies = {
  read: Pick<Reads, 'treasury'>
  transact: Transact
  once: Once<Repositories>
  providers: ProviderRegistry
  clock: Clock
  newId: NewId
  propose: Propose
  logger: Pick<FastifyBaseLogger, 'error' | 'warn'>
  /** Lets an approved payout go out now instead of with the next round of the jobs. Never throws. */
  payTreasurySoon: () => Promise<void>
}

// Under the lock of the platform's book payouts follow each other, so that together they never take more than there is.
const checkPayable = async (tx: Repositories, amount: number): Promise<void> => {
  await tx.ledger.lockPlatformBook()
  const { payableAmount } = treasuryOf(await tx.treasury.findPosition())
  if (amount <= payableAmount) return
  const detail = `At most ${payableAmount} centavos of what the platform earned could be paid out now.`
  throw treasuryErrors.amount_exceeds_payable({ detail })
}

/** What is the platform's own, and how it takes it out. */
export const createTreasuryService = (dependencies: Dependencies) => {
  const { read, once, providers, clock, newId, propose, payTreasurySoon } = dependencies

  const payoutProvider = (): string => {
    const { payouts } = providers.routes
    if (payouts === undefined) throw treasuryErrors.unavailable()
    return payouts.name
  }

  const rowOf = (body: TreasuryPayoutBody, id: string, proposedBy: string, now: Date): TreasuryPayout => ({
    id,
    amount: centavos(body.amount),
    pixKeyType: body.pixKeyType,
    pixKey: body.pixKey,
    reason: body.reason,
    status: 'approved',
    statusReason: null,
    provider: payoutProvider(),
    reference: null,
    endToEndId: null,
    proposedBy,
    approvedBy: null,
    lastAttemptAt: null,
    completedAt: null,
    createdAt: now,
    updatedAt: now,
  })

  const take = async (tx: Repositories, row: TreasuryPayout): Promise<TreasuryPayout> => {
    await tx.treasury.insert(row)
    const [outcome] = await tx.ledger.post([treasuryPaidOut({ payoutId: row.id, amount: row.amount })], row.createdAt)
    invariant(outcome?.posted, 'a payout of the platform could not be booked')
    return row
  }

  return {
    /** What stands on every account over all books, and what of it could be paid out. */
    async get() {
      return treasuryView(await read.treasury.findPosition(), clock.now())
    },

    /** Newest first. */
    async listPayouts({ page }: TreasuryPayoutsQuery) {
      return toListResponse(await read.treasury.list(page), page, treasuryPayoutView)
    },

    /**
     * Pays out what the platform earned, or proposes it where the policy asks for a second administrator. Throws
     * treasury.unavailable and .amount_exceeds_payable.
     */
    async payOut(
      actor: Actor,
      body: TreasuryPayoutBody,
      idempotency?: Idempotency,
    ): Promise<Decided<TreasuryPayoutView>> {
      const decided = await once(idempotency, async (tx): Promise<Decided<TreasuryPayoutView>> => {
        const now = clock.now()
        const row = rowOf(body, newId(), actor.userId, now)
        const { id, amount, reason } = row
        await checkPayable(tx, amount)
        const proposal = { kind: 'treasury_payout' as const, subjectId: id, sellerId: null, amount, reason }
        const waiting = await propose(tx, actor, { ...proposal, request: { ...body } }, now)
        if (waiting !== undefined) return { waits: true, view: waiting }
        const target = { targetType: 'treasury_payout', targetId: id }
        await tx.audit.add({ actor, action: 'treasury.pay_out', ...target, after: { amount, reason } }, now)
        return { waits: false, view: treasuryPayoutView(await take(tx, row)) }
      })
      if (!decided.waits) await payTreasurySoon()
      return decided
    },

    /** Takes out what a second administrator approved. Throws treasury.amount_exceeds_payable. */
    async performApproval(tx: Repositories, { subjectId, proposedBy, request }: Approval, actor: Actor, now: Date) {
      const row = rowOf(request as TreasuryPayoutBody, subjectId, proposedBy, now)
      await checkPayable(tx, row.amount)
      await take(tx, { ...row, approvedBy: actor.userId })
      return payTreasurySoon
    },

    jobs: createTreasuryPayouts(dependencies),
  }
}

export type TreasuryService = ReturnType<typeof createTreasuryService>
