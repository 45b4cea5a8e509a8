import type { LedgerProof } from '../ledger/ledger-proofs.repository.ts'
import type { GaugeSource } from './gauge.ts'

type FinishedProof = LedgerProof & { finishedAt: Date }
type FindLatest = () => Promise<FinishedProof | undefined>

const gauge = (
  name: string,
  help: string,
  findLatest: FindLatest,
  measure: (proof: FinishedProof) => number,
): GaugeSource => ({
  name,
  help,
  // Absent until the first proof has ended.
  read: async () => {
    const latest = await findLatest()
    return latest === undefined ? {} : measure(latest)
  },
})

/** How the last nightly proof of the ledger ended, for whoever is to be woken. */
export const proofGauges = (findLatest: FindLatest): GaugeSource[] => [
  gauge(
    'ledger_proof_findings',
    'What the last proof of the ledger found wrong: anything but 0 is an emergency.',
    findLatest,
    ({ findingsCount }) => findingsCount,
  ),
  gauge(
    'ledger_proof_finished_timestamp_seconds',
    'When the last proof of the ledger ended.',
    findLatest,
    ({ finishedAt }) => finishedAt.getTime() / 1_000,
  ),
  gauge(
    'ledger_proof_duration_seconds',
    'How long the last proof of the ledger took.',
    findLatest,
    ({ durationMs }) => durationMs / 1_000,
  ),
]
