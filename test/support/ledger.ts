import type { Pool } from 'pg'
import { systemClock } from '../../src/clock.ts'
import { transactOn } from '../../src/compose/transact.ts'
import { createDatabase, createPool } from '../../src/db/client.ts'
import { LEDGER_ACCOUNTS, type LedgerAccount } from '../../src/domain/ledger.ts'
import { centavos } from '../../src/domain/money.ts'
import { type Transfer, transfer } from '../../src/domain/transfer.ts'
import { createIds } from '../../src/ids.ts'
import type { Repositories } from '../../src/repositories.ts'
import { createTestDatabase } from './database.ts'

export type TestLedger = Awaited<ReturnType<typeof startTestLedger>>

/** A migrated database with the repositories over it, without the server. */
export const startTestLedger = async (connections = 10) => {
  const database = await createTestDatabase()
  const pool: Pool = createPool({ url: database.url, max: connections, onError: () => undefined })
  const newId = createIds(systemClock)
  const db = createDatabase(pool)
  const transact = transactOn(db, newId)
  const openBook = async (): Promise<string> => {
    const sellerId = newId()
    await transact((tx) => tx.ledger.openBook(sellerId))
    return sellerId
  }
  const post = (transfers: readonly Transfer[]) => transact((tx: Repositories) => tx.ledger.post(transfers, new Date()))
  const close = async () => {
    await pool.end()
    await database.drop()
  }
  return { pool, db, url: database.url, newId, transact, openBook, post, close }
}

/** Moves money between two accounts of a book, of no meaning but its arithmetic. */
export const movement = (
  sellerId: string,
  referenceId: string,
  from: LedgerAccount,
  to: LedgerAccount,
  amount: number,
  forced = false,
): Transfer =>
  transfer({
    sellerId,
    kind: 'payment_received',
    referenceType: 'payment',
    referenceId,
    method: 'pix',
    description: 'Movement',
    postings: [
      { account: from, amount: centavos(-amount) },
      { account: to, amount: centavos(amount) },
    ],
    ...(forced ? { forced: true } : {}),
  })

/** A book with nothing in it. */
export const emptyBalances = (): Record<LedgerAccount, number> =>
  Object.fromEntries(LEDGER_ACCOUNTS.map((account) => [account, 0])) as Record<LedgerAccount, number>
