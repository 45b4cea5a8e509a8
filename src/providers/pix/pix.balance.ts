import { ZERO } from '../../domain/money.ts'
import type { BalanceCapability } from '../provider.port.ts'
import type { Balance } from './api/efi/balance.ts'
import { readFailure } from './pix.outcomes.ts'

/** What lies on the account at the PSP. What a court holds is nobody's to count on, claims are ours until they are decided. */
export const createPixBalance = (balance: Balance): BalanceCapability => ({
  async get(signal) {
    const result = await balance.get({ signal })
    if (result.kind !== 'ok') return readFailure(result)
    const { available, blocked } = result.value
    return { outcome: 'found', balance: { availableAmount: available, disputedAmount: blocked?.med ?? ZERO } }
  },
})
