import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { type SecretBox, SecretBoxError } from '../crypto/secret-box.ts'
import type { ChainKeysRepository, KeptChainKey } from '../ledger/chain-keys.repository.ts'
import { chainKey } from '../ledger/chain-seal.ts'
import { canOpen } from './reseal.ts'
import { SEALED_PLACES, type SealedTextsRepository } from './sealed-texts.repository.ts'

type Dependencies = {
  chainKeys: ChainKeysRepository
  sealedTexts: Pick<SealedTextsRepository, 'list'>
  secretBox: SecretBox
  /** Every listed encryption key. */
  encryptionKeys: readonly string[]
}

const fingerprintOf = (encryptionKey: string): string =>
  createHmac('sha256', encryptionKey).update('fingerprint').digest('hex').slice(0, 32)

/** The keys of the ledger's chain, which are kept sealed when the encryption keys that they come from are gone. */
export const createChainKeys = ({ chainKeys, sealedTexts, secretBox, encryptionKeys }: Dependencies) => {
  const keptOf = (encryptionKey: string): KeptChainKey => ({
    fingerprint: fingerprintOf(encryptionKey),
    keySealed: secretBox.seal(chainKey(encryptionKey).export().toString('base64url')),
  })

  return {
    /** All that links may have been sealed under. What was under one that cannot be opened, the proof finds. */
    async findAll(): Promise<KeyObject[]> {
      const kept = (await chainKeys.list()).filter(({ keySealed }) => canOpen(secretBox, keySealed))
      const opened = kept.map(({ keySealed }) => createSecretKey(Buffer.from(secretBox.open(keySealed), 'base64url')))
      return [...encryptionKeys.map(chainKey), ...opened]
    },

    /**
     * Keeps what comes from the listed keys, at every start. Throws SecretBoxError, and changes nothing, where none of them
     * opens what the database holds.
     */
    async keep(): Promise<void> {
      for (const place of SEALED_PLACES) {
        const isOfChain = place.table === 'ledger_chain_keys'
        // Of a database from before there were kept keys, one row of each place says enough.
        const rows = await sealedTexts.list(place, undefined, isOfChain ? 1_000 : 1)
        if (!rows.every((row) => canOpen(secretBox, row.text)))
          throw new SecretBoxError(`none of the keys opens ${place.table}`)
      }
      await chainKeys.insertNew(encryptionKeys.map(keptOf))
    },
  }
}
