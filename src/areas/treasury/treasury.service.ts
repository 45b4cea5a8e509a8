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
import type { Perform } from '../approvals/approvals.service.ts'
import type { Decided } from '../approvals/approvals.view.ts'
import { providerAway, treasuryErrors } from './treasury.errors.ts'
import { type AskedTreasury, createAskTreasury } from './treasury.holdings.ts'
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
const checkPayable = async (tx: Repositories, amount: number, { holdings, asked }: AskedTreasury): Promise<void> => {
  for (const one of asked) if (one.status === 'away') throw providerAway(one.retryAfterMs)
  await tx.ledger.lockPlatformBook()
  const { payableAmount } = treasuryOf(await tx.treasury.findPosition(), holdings)
  if (amount <= payableAmount) return
  const detail = `At most ${payableAmount} centavos of what the platform earned could be paid out now.`
  throw treasuryErrors.amount_exceeds_payable({ detail })
}

const newPayout = (
  { amount, pixKeyType, pixKey, reason }: TreasuryPayoutBody,
  { now, ...facts }: { id: string; provider: string; proposedBy: string; now: Date },
): TreasuryPayout => ({
  ...facts,
  ...{ amount: centavos(amount), pixKeyType, pixKey, reason },
  ...{ status: 'approved', statusReason: null, reference: null, endToEndId: null, approvedBy: null },
  ...{ lastAttemptAt: null, completedAt: null, createdAt: now, updatedAt: now },
})

/** What is the platform's own, and how it takes it out. */
export const createTreasuryService = (dependencies: Dependencies) => {
  const { read, once, providers, clock, newId, propose, payTreasurySoon } = dependencies
  const ask = createAskTreasury(dependencies)

  const payoutProvider = (): string => {
    const { payouts } = providers.routes
    if (payouts === undefined) throw treasuryErrors.unavailable()
    return payouts.name
  }

  const take = async (tx: Repositories, row: TreasuryPayout): Promise<TreasuryPayout> => {
    await tx.treasury.insert(row)
    const [outcome] = await tx.ledger.post([treasuryPaidOut({ payoutId: row.id, amount: row.amount })], row.createdAt)
    invariant(outcome?.posted, 'a payout of the platform could not be booked')
    return row
  }

  return {
    /** What stands on every account over all books, what providers hold, and what of it could be paid out. */
    async get() {
      return treasuryView(await ask(), clock.now())
    },

    /** What providers hold more than the books say, negative for less; null where one does not tell. */
    async findDifference(): Promise<number | null> {
      const { position, holdings } = await ask()
      return treasuryOf(position, holdings).differenceAmount
    },

    /** Newest first. */
    async listPayouts({ page }: TreasuryPayoutsQuery) {
      return toListResponse(await read.treasury.list(page), page, treasuryPayoutView)
    },

    /**
     * Pays out what the platform earned, or proposes it where the policy asks for a second administrator. Throws
     * treasury.unavailable, .amount_exceeds_payable and .provider_away.
     */
    async payOut(
      actor: Actor,
      body: TreasuryPayoutBody,
      idempotency?: Idempotency,
    ): Promise<Decided<TreasuryPayoutView>> {
      const treasury = await ask()
      const decided = await once(idempotency, async (tx): Promise<Decided<TreasuryPayoutView>> => {
        const now = clock.now()
        const row = newPayout(body, { id: newId(), provider: payoutProvider(), proposedBy: actor.userId, now })
        const { id, amount, reason } = row
        await checkPayable(tx, amount, treasury)
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

    /**
     * Answers what takes out what a second administrator approved, by what providers hold now. That throws
     * treasury.amount_exceeds_payable and .provider_away.
     */
    async prepareApproval(): Promise<Perform> {
      const treasury = await ask()
      return async (tx, { subjectId, proposedBy, request }, actor, now) => {
        const facts = { id: subjectId, provider: payoutProvider(), proposedBy, now }
        const row = newPayout(request as TreasuryPayoutBody, facts)
        await checkPayable(tx, row.amount, treasury)
        await take(tx, { ...row, approvedBy: actor.userId })
        return payTreasurySoon
      }
    },

    jobs: createTreasuryPayouts(dependencies),
  }
}

export type TreasuryService = ReturnType<typeof createTreasuryService>
