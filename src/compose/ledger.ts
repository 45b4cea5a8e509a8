import { autocommit } from '../db/client.ts'
import { createChainKeys } from '../jobs/chain-keys.ts'
import { createChainLedger } from '../jobs/chain-ledger.ts'
import { createProveLedger } from '../jobs/prove-ledger.ts'
import { createReseal } from '../jobs/reseal.ts'
import { createSealedTextsRepository } from '../jobs/sealed-texts.repository.ts'
import { createChainKeysRepository } from '../ledger/chain-keys.repository.ts'
import { chainKey } from '../ledger/chain-seal.ts'
import { proofGauges } from '../telemetry/ledger-gauges.ts'
import type { Foundation } from './foundation.ts'

/** What watches over the books and over what is sealed: the chain, the proof of every night, and the keys of both. */
export const composeLedger = (foundation: Foundation) => {
  const { config, secretBox, patient, logger } = foundation
  const key = chainKey(config.encryptionKey)
  const sealedTexts = createSealedTextsRepository(autocommit(patient.database))
  const chainKeys = createChainKeys({
    chainKeys: createChainKeysRepository(autocommit(patient.database)),
    sealedTexts,
    secretBox,
    encryptionKeys: [config.encryptionKey, ...config.olderEncryptionKeys],
  })
  const isRotating = config.olderEncryptionKeys.length > 0
  const reseal = createReseal({ sealedTexts, secretBox, isRotating, logger })
  const chainLedger = createChainLedger({ ...foundation, ...patient, key })
  const proveLedger = createProveLedger({ ...foundation, ...patient, findKeys: chainKeys.findAll, chainLedger })
  return {
    chainKeys,
    jobs: { chainLedger, proveLedger, reseal },
    gauges: [
      ...proofGauges(foundation.read.ledgerProofs.findLatest),
      {
        name: 'sealed_under_older_keys',
        help: 'Rows with secrets that another key than the newest sealed. With one key in ENCRYPTION_KEY always 0.',
        read: reseal.countOlder,
      },
    ],
  }
}
