import { createChainLedger } from '../jobs/chain-ledger.ts'
import { createProveLedger } from '../jobs/prove-ledger.ts'
import { chainKey } from '../ledger/chain-seal.ts'
import { proofGauges } from '../telemetry/ledger-gauges.ts'
import type { Foundation } from './foundation.ts'

/** What watches over the books: the chain behind them, and the proof of every night. */
export const composeLedger = (foundation: Foundation) => {
  const key = chainKey(foundation.config.encryptionKey)
  const chainLedger = createChainLedger({ ...foundation, ...foundation.patient, key })
  return {
    jobs: { chainLedger, proveLedger: createProveLedger({ ...foundation, ...foundation.patient, key, chainLedger }) },
    gauges: proofGauges(foundation.read.ledgerProofs.findLatest),
  }
}
