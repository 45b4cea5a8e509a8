import { chainKey } from '../ledger/chain-seal.ts'
import { proofGauges } from '../ledger/proof-gauges.ts'
import { createChainLedger } from '../workers/chain-ledger.ts'
import { createProveLedger } from '../workers/prove-ledger.ts'
import type { Ground } from './ground.ts'

/** What watches over the books: the chain behind them, and the proof of every night. */
export const composeLedger = (ground: Ground) => {
  const key = chainKey(ground.config.encryptionKey)
  const chainLedger = createChainLedger({ ...ground, key })
  return {
    jobs: { chainLedger, proveLedger: createProveLedger({ ...ground, key, chainLedger }) },
    gauges: proofGauges(ground.read.ledgerProofs.findLatest),
  }
}
