import { ZERO } from '../../domain/money.ts'
import type { BalanceCapability } from '../provider.port.ts'
import type { SandboxDependencies } from './sandbox.provider.ts'

/**
 * What lies on the simulated account by the acquirer's own records: what came in, less what went back, was paid out, was lost
 * in disputes and was kept. It pays for cards at once, and holds nothing back for claims.
 */
export const createSandboxBalance = ({ read }: Pick<SandboxDependencies, 'read'>): BalanceCapability => ({
  async get() {
    const availableAmount = await read.sandbox.sumBooked()
    return { outcome: 'found', balance: { availableAmount, disputedAmount: ZERO } }
  },
})
