import type { ProviderRefund, RefundCapability } from '../provider.port.ts'
import { SANDBOX_CENTAVOS } from './sandbox.amounts.ts'
import { sandboxReference } from './sandbox.ids.ts'
import type { SandboxDependencies } from './sandbox.provider.ts'
import type { SandboxRecord } from './sandbox.repository.ts'

const refundOf = ({ reference, status }: SandboxRecord): ProviderRefund => ({
  reference,
  state: status === 'failed' ? { status, reason: null } : { status: status === 'processing' ? status : 'completed' },
})

const { staysProcessing, isRefused } = SANDBOX_CENTAVOS
/** How long, of the platform's time, the former stay. */
const PROCESSING_MS = 3_600_000

/** Refunds of the simulated acquirer: done at once, but …91 centavos take an hour and …92 are refused. */
export const createSandboxRefunds = ({ read, transact, clock }: SandboxDependencies): Required<RefundCapability> => {
  const isOver = ({ createdAt }: SandboxRecord) => clock.now().getTime() >= createdAt.getTime() + PROCESSING_MS

  /** Time completes what waits, seen when somebody looks. */
  const seen = async (record: SandboxRecord): Promise<ProviderRefund> => {
    if (record.status !== 'processing' || !isOver(record)) return refundOf(record)
    const completed = { kind: record.kind, reference: record.reference, status: 'completed', updatedAt: clock.now() }
    await transact((tx) => tx.sandbox.moveRecord(completed, ['processing']))
    return refundOf({ ...record, ...completed })
  }

  return {
    async create({ refundId, amount }) {
      if (amount % 100 === isRefused) return { outcome: 'refused', reason: 'refund_refused' }
      const now = clock.now()
      const status = amount % 100 === staysProcessing ? 'processing' : 'completed'
      const key = { kind: 'refund' as const, reference: sandboxReference(refundId), status }
      const record = await transact((tx) =>
        tx.sandbox.insertRecordOnce({ ...key, amount, endToEndId: null, createdAt: now, updatedAt: now }),
      )
      return { outcome: 'accepted', refund: await seen(record) }
    },

    async get({ refundId }) {
      const record = await read.sandbox.findRecord('refund', sandboxReference(refundId))
      return record === undefined ? { outcome: 'missing' } : { outcome: 'found', refund: await seen(record) }
    },
  }
}
