import type { DisputeCapability } from '../provider.port.ts'
import type { SandboxDependencies } from './sandbox.provider.ts'

/** Disputes of the simulated acquirer: it takes the defence of every one that has no outcome. */
export const createSandboxDisputes = ({ transact, clock }: SandboxDependencies): DisputeCapability => ({
  async defend({ reference }) {
    const change = { kind: 'dispute' as const, reference, status: 'under_review', updatedAt: clock.now() }
    const taken = await transact((tx) => tx.sandbox.moveRecord(change, ['open', 'under_review']))
    return taken ? { outcome: 'accepted' } : { outcome: 'refused', reason: 'dispute_not_open' }
  },
})
