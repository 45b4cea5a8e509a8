import type { Clock } from '../../clock.ts'
import type { Actor } from '../../domain/actor.ts'
import { centavos, toBps, toPercentage } from '../../domain/money.ts'
import type { ProviderCost } from '../../domain/provider-cost.ts'
import { toTimestamp } from '../../domain/timestamp.ts'
import { NIL_UUID } from '../../domain/uuid.ts'
import type { Reads, Transact } from '../../repositories.ts'
import type { KnownCosts } from './known-costs.ts'
import type { ProviderCostRow } from './provider-costs.repository.ts'
import type { ProviderCostsBody } from './provider-costs.schemas.ts'

type Dependencies = {
  read: Pick<Reads, 'providerCosts'>
  transact: Transact
  clock: Clock
  knownCosts: KnownCosts
}

const costsOf = ({ costs }: ProviderCostsBody): ProviderCost[] =>
  costs.map(({ percentage, fixedAmount, ...rest }) => ({
    ...rest,
    percentage: toBps(percentage),
    fixedAmount: centavos(fixedAmount),
  }))

const shown = <Cost extends ProviderCost>({ percentage, ...rest }: Cost) => ({
  ...rest,
  percentage: toPercentage(percentage),
})

const view = (rows: readonly ProviderCostRow[]) => ({
  costs: rows.map(({ updatedAt, ...cost }) => ({ ...shown(cost), updatedAt: toTimestamp(updatedAt) })),
})

/** What providers charge the platform for payments. Posted with each payment that is paid from then on. */
export const createProviderCostsService = ({ read, transact, clock, knownCosts }: Dependencies) => ({
  async list() {
    return view(await read.providerCosts.list())
  },

  async set(actor: Actor, body: ProviderCostsBody) {
    const rows = await transact(async (tx) => {
      const now = clock.now()
      const before = await tx.providerCosts.list()
      const after = costsOf(body)
      await tx.providerCosts.replace(after, now)
      const change = { before: { costs: view(before).costs }, after: { costs: after.map(shown) } }
      // There is one table, which has no id.
      const target = { targetType: 'provider_costs', targetId: NIL_UUID }
      await tx.audit.add({ actor, action: 'provider_costs.set', ...target, ...change }, now)
      return tx.providerCosts.list()
    })
    knownCosts.forget()
    return view(rows)
  },
})

export type ProviderCostsService = ReturnType<typeof createProviderCostsService>
