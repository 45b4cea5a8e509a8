import { and, eq, inArray } from 'drizzle-orm'
import type { Reader } from '../db/client.ts'
import { LEDGER_ACCOUNTS, type LedgerAccount } from '../domain/ledger.ts'
import { type Centavos, ZERO } from '../domain/money.ts'
import { ledgerAccounts } from './ledger.tables.ts'

export type Balances = Record<LedgerAccount, Centavos>

export const createLedgerQueries = (db: Reader) => ({
  /** Every balance of a book, in centavos; zero where there is no book. */
  async findBalances(sellerId: string): Promise<Balances> {
    const rows = await db.select().from(ledgerAccounts).where(eq(ledgerAccounts.sellerId, sellerId))
    const known = new Map(rows.map(({ account, balanceAmount }) => [account, balanceAmount]))
    return Object.fromEntries(LEDGER_ACCOUNTS.map((account) => [account, known.get(account) ?? ZERO])) as Balances
  },

  /** One account of several books, by seller; missing where there is no book. */
  async findBalancesOf(account: LedgerAccount, sellerIds: readonly string[]): Promise<ReadonlyMap<string, Centavos>> {
    if (sellerIds.length === 0) return new Map()
    const rows = await db
      .select()
      .from(ledgerAccounts)
      .where(and(inArray(ledgerAccounts.sellerId, [...sellerIds]), eq(ledgerAccounts.account, account)))
    return new Map(rows.map(({ sellerId, balanceAmount }) => [sellerId, balanceAmount]))
  },
})
