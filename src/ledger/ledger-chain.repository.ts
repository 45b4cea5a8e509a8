import { sql } from 'drizzle-orm'
import type { Writer } from '../db/client.ts'
import type { SealedLink } from './chain-seal.ts'
import { createLedgerChainQueries } from './ledger-chain.queries.ts'
import { ledgerChain } from './ledger-chain.tables.ts'

const CHAIN_LOCK = 'ledger_chain'

export const createLedgerChainRepository = (db: Writer) => ({
  ...createLedgerChainQueries(db),

  /**
   * Takes the chain for this transaction; false while another process has it. Links are written under it alone, with
   * the time of the database: one that is written later never says an earlier time.
   */
  async tryLock(): Promise<boolean> {
    const { rows } = await db.execute<{ locked: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtext(${CHAIN_LOCK})) as locked`,
    )
    return rows[0]?.locked === true
  },

  /** The same, after the process that has it. */
  async lock(): Promise<void> {
    await db.execute(sql`select pg_advisory_xact_lock(hashtext(${CHAIN_LOCK}))`)
  },

  async insert(links: readonly (SealedLink & { hash: Buffer })[]): Promise<void> {
    if (links.length > 0) await db.insert(ledgerChain).values([...links])
  },
})
