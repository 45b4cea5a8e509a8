import { createHash } from 'node:crypto'
import type { PaymentMethod } from '../../domain/payment.ts'
import type { Idempotency } from '../../idempotency/once.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Repositories } from '../../repositories.ts'

type Call = { input: { method: PaymentMethod }; idempotency: Idempotency | undefined }
type Named = { provider: string; reference: string }

const hashOf = ({ ownerId, operation, key }: Idempotency): string =>
  createHash('sha256')
    .update(JSON.stringify([ownerId, operation, key]))
    .digest('hex')

const namedBy = (routes: ProviderRegistry['routes'], { input, idempotency }: Call): Named | undefined => {
  const provider = routes[input.method]
  const referenceOf = provider?.charges?.referenceOf
  if (provider === undefined || referenceOf === undefined || idempotency === undefined) return undefined
  return { provider: provider.name, reference: referenceOf(hashOf(idempotency)) }
}

const textOf = ({ provider, reference }: Named): string => `${provider}/${reference}`

/**
 * How the charge of each call is to be called at its provider, in order; null: by its payment. It follows from the request's
 * Idempotency-Key, so that a repeat finds the charge even where a restore has lost everything that we knew of the first.
 * A key that is used anew, when its first answer is long forgotten, names no second charge. The keys are locked.
 */
export const chargeNamesOf = async (
  tx: Pick<Repositories, 'providerReferences'>,
  calls: readonly Call[],
  routes: ProviderRegistry['routes'],
): Promise<(string | null)[]> => {
  const named = calls.map((call) => namedBy(routes, call))
  const taken = new Set<string>()
  for (const provider of new Set(named.flatMap((one) => (one ? [one.provider] : [])))) {
    const references = named.flatMap((one) => (one?.provider === provider ? [one.reference] : []))
    const found = await tx.providerReferences.findMany(provider, 'charge', references)
    for (const { reference } of found) taken.add(textOf({ provider, reference }))
  }
  return named.map((one) => (one && !taken.has(textOf(one)) ? one.reference : null))
}
