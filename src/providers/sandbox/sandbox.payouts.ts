import type { Payout, PayoutCapability, PayoutRequest } from '../provider.port.ts'
import { SANDBOX_CENTAVOS } from './sandbox.amounts.ts'
import { sandboxEndToEndId, sandboxReference } from './sandbox.ids.ts'
import type { SandboxDependencies } from './sandbox.provider.ts'
import type { SandboxRecord } from './sandbox.repository.ts'

const { staysProcessing, isRefused } = SANDBOX_CENTAVOS

const payoutOf = ({ reference, status, endToEndId }: SandboxRecord): Payout => {
  if (status === 'completed') return { reference, state: { status, endToEndId } }
  if (status === 'failed' || status === 'returned') return { reference, state: { status, reason: null } }
  return { reference, state: { status: 'processing' } }
}

// Whose a key is can only be told of one that is a document.
const isAnothers = ({ pixKeyType, pixKey, holder }: PayoutRequest): boolean =>
  holder !== null && (pixKeyType === 'cpf' || pixKeyType === 'cnpj') && pixKey !== holder.document

/** Payouts of the simulated acquirer: done at once, but …91 centavos wait for the tester and …92 are refused. */
export const createSandboxPayouts = ({ read, transact, clock }: SandboxDependencies): PayoutCapability => ({
  async create(request) {
    const { withdrawalId, amount } = request
    if (isAnothers(request)) return { outcome: 'refused', reason: 'payout_key_of_another' }
    if (amount % 100 === isRefused) return { outcome: 'refused', reason: 'payout_refused' }
    const now = clock.now()
    const waits = amount % 100 === staysProcessing
    const record = await transact((tx) =>
      tx.sandbox.insertRecordOnce({
        kind: 'payout',
        reference: sandboxReference(withdrawalId),
        status: waits ? 'processing' : 'completed',
        amount,
        endToEndId: sandboxEndToEndId(now),
        createdAt: now,
        updatedAt: now,
      }),
    )
    return { outcome: 'accepted', payout: payoutOf(record) }
  },

  async get({ withdrawalId }) {
    const record = await read.sandbox.findRecord('payout', sandboxReference(withdrawalId))
    return record === undefined ? { outcome: 'missing' } : { outcome: 'found', payout: payoutOf(record) }
  },
})
