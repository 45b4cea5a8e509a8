import type { GuardedProvider } from './guarded-provider.ts'
import { canServe, ROUTED, type Routed } from './provider.port.ts'

/** Which provider serves what, by name. Left out: nobody does. */
export type ProviderRoutes = Readonly<Partial<Record<Routed, string>>>

/**
 * The providers of this platform. `routes` makes what is new; `find` reaches those that older payments, refunds and payouts
 * were made with, which they go back to for life.
 */
export type ProviderRegistry = {
  routes: Readonly<Partial<Record<Routed, GuardedProvider>>>
  all: readonly GuardedProvider[]
  find(name: string): GuardedProvider | undefined
}

/** Throws a RangeError where a route leads to nobody, or to a provider that cannot do what is routed to it. */
export const createProviderRegistry = (
  providers: readonly GuardedProvider[],
  routes: ProviderRoutes,
): ProviderRegistry => {
  const byName = new Map(providers.map((provider) => [provider.name, provider]))
  const routeOf = (what: Routed): [Routed, GuardedProvider][] => {
    const name = routes[what]
    if (name === undefined) return []
    const provider = byName.get(name)
    if (provider === undefined) throw new RangeError(`no provider is named ${name}`)
    if (!canServe(provider, what)) throw new RangeError(`the provider ${name} does not serve ${what}`)
    return [[what, provider]]
  }
  return {
    routes: Object.fromEntries(ROUTED.flatMap(routeOf)),
    all: providers,
    find: (name) => byName.get(name),
  }
}
