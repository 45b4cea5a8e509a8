import type { Pool } from 'pg'
import type { Finding } from '../../src/ledger/ledger-proof.ts'
import type { Account, Client } from '../model/client.ts'
import type { Shop } from '../model/shop.ts'

/** Where a sweep plays: a platform that dies at a point, and another one that takes over its database. */
export type Stage = {
  client: Client
  admin: Account
  /** The platform's own database. */
  pool: Pool
  newShop(): Promise<Shop>
  /** Lets time pass without what is due in it. */
  wait(hours: number): Promise<void>
  /** Waits until every callback that was answered has been worked on, by whoever still lives. */
  settle(): Promise<void>
  /** Runs a job until nothing of it is due, by another platform where the first one dies of it. */
  run(job: string): Promise<void>
  /** Lets another hour pass, and everything that is due happen. */
  finish(): Promise<void>
  /** From now on the platform dies instead of sending this statement, counted from 1. */
  arm(at: number): Promise<void>
  /** Answers how many statements there were since. */
  disarm(): Promise<number>
  prove(): Promise<Finding[]>
  /** What else must be the same wherever the platform died: what its provider has. */
  providerTraces?: () => Promise<Record<string, unknown[]>>
  close(): Promise<void>
}

/** Half a minute passes: what a platform that died was in the middle of may be taken over. */
export const expireLeases = async (pool: Pool): Promise<void> => {
  await pool.query('update idempotency_keys set leased_until = now() where leased_until is not null')
}
