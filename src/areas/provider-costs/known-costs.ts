import type { Clock } from '../../clock.ts'
import type { ProviderCost } from '../../domain/provider-cost.ts'
import type { Repositories } from '../../repositories.ts'

/** How long a process goes on with the table that it read. Another process may have changed it meanwhile. */
const KEPT_MS = 5_000

/**
 * The table of what providers charge, read once in a while: payments are confirmed by the thousand and it changes by the
 * month. In real time.
 */
export const createKnownCosts = ({ wallClock }: { wallClock: Clock }) => {
  let kept: { costs: readonly ProviderCost[]; untilMs: number } | undefined
  return {
    /** The table, read by the transaction that needs it where it is too old. */
    async find(tx: Pick<Repositories, 'providerCosts'>): Promise<readonly ProviderCost[]> {
      const nowMs = wallClock.now().getTime()
      if (kept === undefined || kept.untilMs < nowMs) {
        kept = { costs: await tx.providerCosts.list(), untilMs: nowMs + KEPT_MS }
      }
      return kept.costs
    },

    /** Called after the table was changed by this process. */
    forget(): void {
      kept = undefined
    },
  }
}

export type KnownCosts = ReturnType<typeof createKnownCosts>
