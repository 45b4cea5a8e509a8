import { pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt } from '../db/columns.ts'

/**
 * The key of the chain under each encryption key that ever was listed, sealed: links outlive the key of the environment. Whether
 * these can be opened also tells at the start whether that is the right one.
 */
export const ledgerChainKeys = pgTable('ledger_chain_keys', {
  /** Tells the keys apart without saying anything of them. */
  fingerprint: text('fingerprint').primaryKey(),
  keySealed: text('key_sealed').notNull(),
  createdAt: createdAt(),
})
