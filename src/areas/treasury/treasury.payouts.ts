import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import { PLATFORM_BOOK_ID } from '../../domain/platform-transfers.ts'
import { eachApart } from '../../each-apart.ts'
import type { GuardedProvider } from '../../providers/guarded-provider.ts'
import type { Payout, PayoutState } from '../../providers/provider.port.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Transact } from '../../repositories.ts'
import { applyTreasuryNews } from './treasury.outcome.ts'
import type { TreasuryPayout } from './treasury.repository.ts'

const BATCH_MAX = 20
const ASK_AFTER_MS = 30_000

type Dependencies = {
  transact: Transact
  providers: ProviderRegistry
  clock: Clock
  logger: Pick<FastifyBaseLogger, 'error' | 'warn'>
}

type Payouts = NonNullable<GuardedProvider['payouts']>

/** Sends payouts of the platform, and asks about those without an outcome. */
export const createTreasuryPayouts = ({ transact, providers, clock, logger }: Dependencies) => {
  const write = ({ id }: TreasuryPayout, state: PayoutState, reference: string | null) =>
    transact((tx) => applyTreasuryNews(tx, { id, state, reference }, { now: clock.now(), logger }))

  const writePayout = (row: TreasuryPayout, { state, reference }: Payout) => write(row, state, reference)

  // Its id is the payout's key, so sending it again cannot pay twice. Unknown is not failed: it stays out.
  const send = async (payouts: Payouts, row: TreasuryPayout): Promise<void> => {
    const { id, amount, pixKeyType, pixKey } = row
    const holder = pixKeyType === 'cpf' || pixKeyType === 'cnpj' ? { name: null, document: pixKey } : null
    const to = { pixKeyType, pixKey, holder, description: null }
    const result = await payouts.create({ withdrawalId: id, sellerId: PLATFORM_BOOK_ID, amount, ...to })
    if (result.outcome === 'accepted') await writePayout(row, result.payout)
    else if (result.outcome === 'refused') await write(row, { status: 'failed', reason: result.reason }, null)
    else logger.warn({ treasuryPayoutId: id, reason: result.reason }, 'the outcome of a payout is not known yet')
  }

  const ask = async (payouts: Payouts, row: TreasuryPayout): Promise<void> => {
    const found = await payouts.get({ withdrawalId: row.id, reference: row.reference })
    if (found.outcome === 'found') await writePayout(row, found.payout)
    else if (found.outcome === 'missing') await send(payouts, row)
  }

  // Each goes to the provider that it was ordered from, for life.
  const through = async (row: TreasuryPayout, work: (payouts: Payouts, row: TreasuryPayout) => Promise<void>) => {
    const payouts = providers.find(row.provider)?.payouts
    if (payouts !== undefined) return work(payouts, row)
    logger.error({ treasuryPayoutId: row.id }, 'the provider of a payout is not configured')
  }

  return {
    payTreasury: {
      /** Sends what is approved, and asks about what was sent half a minute ago or earlier. Answers how many were sent. */
      async runOnce(): Promise<number> {
        const now = clock.now()
        const askedBefore = new Date(now.getTime() - ASK_AFTER_MS)
        const unanswered = await transact((tx) => tx.treasury.claimUnanswered(askedBefore, BATCH_MAX, now))
        const approved = await transact((tx) => tx.treasury.claimApproved(BATCH_MAX, now))
        const due = [...unanswered.map((row) => ({ row, work: ask })), ...approved.map((row) => ({ row, work: send }))]
        await eachApart(
          due,
          ({ row, work }) => through(row, work),
          'outcomes of the platform’s payouts could not be written',
        )
        return approved.length
      },
    },
  }
}
