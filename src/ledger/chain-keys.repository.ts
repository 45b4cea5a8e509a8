import type { Reader, Writer } from '../db/client.ts'
import { databaseNow } from '../db/columns.ts'
import { ledgerChainKeys } from './chain-keys.tables.ts'

export type KeptChainKey = Pick<typeof ledgerChainKeys.$inferSelect, 'fingerprint' | 'keySealed'>

export const createChainKeysQueries = (db: Reader) => ({
  /** Every key that links may have been sealed under, as it is kept. */
  async list(): Promise<KeptChainKey[]> {
    const { fingerprint, keySealed } = ledgerChainKeys
    return db.select({ fingerprint, keySealed }).from(ledgerChainKeys)
  },
})

export const createChainKeysRepository = (db: Writer) => ({
  ...createChainKeysQueries(db),

  /** Keeps keys that are not kept already. */
  async insertNew(keys: readonly KeptChainKey[]): Promise<void> {
    const rows = keys.map((key) => ({ ...key, createdAt: databaseNow }))
    await db.insert(ledgerChainKeys).values(rows).onConflictDoNothing()
  },
})

export type ChainKeysRepository = ReturnType<typeof createChainKeysRepository>
