import type { Clock } from '../../clock.ts'
import { add, type Centavos } from '../../domain/money.ts'
import type { Holdings, Position } from '../../domain/treasury.ts'
import type { GuardedProvider } from '../../providers/guarded-provider.ts'
import type { AccountBalance } from '../../providers/provider.port.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Reads } from '../../repositories.ts'

/** What a provider answered. `untold`: it does not tell what lies on the account, or does not tell us. */
export type AskedProvider = { provider: string; askedAt: Date } & (
  | ({ status: 'told' } & AccountBalance)
  | { status: 'untold' }
  | { status: 'away'; retryAfterMs: number }
)

/** The position of the books, and behind it what providers said that they hold. */
export type AskedTreasury = { position: Position; holdings: Holdings; asked: readonly AskedProvider[] }

type Dependencies = { read: Pick<Reads, 'treasury'>; providers: ProviderRegistry; clock: Clock }

const isTold = (one: AskedProvider) => one.status === 'told'

const heldOf = (asked: readonly AskedProvider[]): Centavos | null => {
  const told = asked.filter(isTold)
  if (told.length < asked.length) return null
  return add(...told.map(({ availableAmount, disputedAmount }) => add(availableAmount, disputedAmount)))
}

/** Asks every provider of the platform what lies on its account. Waits on the network: never within a transaction. */
export const createAskTreasury = ({ read, providers, clock }: Dependencies) => {
  const ask = async ({ name: provider, balance, restsForMs }: GuardedProvider): Promise<AskedProvider> => {
    const result = await balance?.get()
    const who = { provider, askedAt: clock.now() }
    if (result === undefined || result.outcome === 'refused') return { ...who, status: 'untold' }
    if (result.outcome === 'unknown') return { ...who, status: 'away', retryAfterMs: restsForMs() }
    return { ...who, status: 'told', ...result.balance }
  }

  return async (): Promise<AskedTreasury> => {
    const position = await read.treasury.findPosition()
    const asked = await Promise.all(providers.all.map(ask))
    const payer = asked.filter(isTold).find(({ provider }) => provider === providers.routes.payouts?.name)
    const availableAmount = payer?.availableAmount ?? null
    return { position, asked, holdings: { heldAmount: heldOf(asked), availableAmount, before: position } }
  }
}

export type AskTreasury = ReturnType<typeof createAskTreasury>
