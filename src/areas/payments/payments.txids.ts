import { createHash } from 'node:crypto'
import type { PaymentMethod } from '../../domain/payment.ts'
import type { Idempotency } from '../../idempotency/once.ts'
import type { ProviderRegistry } from '../../providers/provider.registry.ts'
import type { Repositories } from '../../repositories.ts'

type Call = { input: { method: PaymentMethod }; idempotency: Idempotency | undefined }

const hashOf = ({ ownerId, operation, key }: Idempotency): string =>
  createHash('sha256')
    .update(JSON.stringify([ownerId, operation, key]))
    .digest('hex')

/**
 * The txids of those payments whose charges are called after the request, in the order of the calls; null: after the payment.
 * They follow from the Idempotency-Key, so that a repeat finds the charge at the provider even where a restore has lost all
 * that we knew of the first request. A key that is used anew, when its first answer is long forgotten, has a charge already
 * and names no second one. The caller holds the keys.
 */
export const txidsOf = async (
  tx: Pick<Repositories, 'providerReferences'>,
  calls: readonly Call[],
  { pix: provider }: ProviderRegistry['routes'],
): Promise<(string | null)[]> => {
  const txidOf = provider?.charges?.referenceOf
  if (provider === undefined || txidOf === undefined) return []
  const txids = calls.map(({ input: { method }, idempotency }) =>
    method === 'pix' && idempotency !== undefined ? txidOf(hashOf(idempotency)) : null,
  )
  const asked = txids.filter((txid) => txid !== null)
  const filed = await tx.providerReferences.findMany(provider.name, 'charge', asked)
  const taken = new Set(filed.map(({ reference }) => reference))
  return txids.map((txid) => (txid === null || taken.has(txid) ? null : txid))
}
