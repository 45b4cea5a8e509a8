import { and, asc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { totalRows } from '../../daily-totals/daily-totals.queries.ts'
import type { Reader, Writer } from '../../db/client.ts'
import { moveWhere } from '../../db/move.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readPage } from '../../db/paging.ts'
import { LEDGER_ACCOUNTS, type LedgerAccount } from '../../domain/ledger.ts'
import { type Centavos, centavos, ZERO } from '../../domain/money.ts'
import { type Position, type TreasuryPayoutStatus, treasuryPayoutLifecycle } from '../../domain/treasury.ts'
import { treasuryPayouts } from './treasury.tables.ts'

export type TreasuryPayout = typeof treasuryPayouts.$inferSelect
type Changes = Partial<Pick<TreasuryPayout, 'statusReason' | 'endToEndId' | 'completedAt'>>

type SumRow = { account: LedgerAccount; total: string; owed: string }

export const createTreasuryQueries = (db: Reader) => ({
  /** What stands on every account over all books. Reads each account once: for a look now and then. */
  async findPosition(): Promise<Position> {
    const { rows } = await db.execute<SumRow>(sql`
      select account, sum(balance_amount)::bigint as total, sum(greatest(balance_amount, 0))::bigint as owed
      from ledger_accounts group by account`)
    const { rows: cards } = await db.execute<{ total: string }>(sql`
      select coalesce(sum(amount), 0)::bigint as total from ${totalRows('posting', {})} as total
      where account = 'pending' and method = 'credit_card'`)
    const { rows: leaving } = await db.execute<{ total: string }>(sql`
      select (select coalesce(sum(amount), 0) from treasury_payouts where status in ('approved', 'processing'))
        + (select coalesce(sum(amount), 0) from refunds where status = 'processing') as total`)
    const totals = new Map(rows.map(({ account, total }) => [account, centavos(Number(total))]))
    const balances = Object.fromEntries(LEDGER_ACCOUNTS.map((account) => [account, totals.get(account) ?? ZERO]))
    const ofSellers = ['available', 'pending', 'reserved', 'blocked', 'withdrawing']
    const owed = rows.filter(({ account }) => ofSellers.includes(account)).map((row) => Number(row.owed))
    return {
      balances: balances as Record<LedgerAccount, Centavos>,
      owedToSellersAmount: centavos(owed.reduce((sum, one) => sum + one, 0)),
      cardsPendingAmount: centavos(Number(cards[0]?.total ?? 0)),
      inTransitAmount: centavos(Number(leaving[0]?.total ?? 0)),
    }
  },

  /** Newest first. */
  async list(page: PageRequest): Promise<Page<TreasuryPayout>> {
    return readPage({ db, table: treasuryPayouts, id: treasuryPayouts.id, where: undefined }, page)
  },
})

export const createTreasuryRepository = (db: Writer) => ({
  ...createTreasuryQueries(db),

  async insert(payout: TreasuryPayout): Promise<void> {
    await db.insert(treasuryPayouts).values(payout)
  },

  async lock(id: string): Promise<TreasuryPayout | undefined> {
    const [row] = await db.select().from(treasuryPayouts).where(eq(treasuryPayouts.id, id)).for('update')
    return row
  },

  /** Files how the provider calls a payout. */
  async updateReference(id: string, reference: string, now: Date): Promise<void> {
    await db.update(treasuryPayouts).set({ reference, updatedAt: now }).where(eq(treasuryPayouts.id, id))
  },

  /** Takes approved payouts, oldest first, and marks them as sent, so that nobody else sends them. */
  async claimApproved(limit: number, now: Date): Promise<TreasuryPayout[]> {
    const due = db
      .select({ id: treasuryPayouts.id })
      .from(treasuryPayouts)
      .where(eq(treasuryPayouts.status, 'approved'))
      .orderBy(asc(treasuryPayouts.id))
      .limit(limit)
      .for('update', { skipLocked: true })
    return moveWhere(db, treasuryPayouts, treasuryPayoutLifecycle, {
      from: 'approved',
      to: 'processing',
      changes: { lastAttemptAt: now, updatedAt: now },
      where: inArray(treasuryPayouts.id, sql`(${due})`),
    })
  },

  /** Takes payouts without an outcome that nobody asked about since an instant. */
  async claimUnanswered(askedBefore: Date, limit: number, now: Date): Promise<TreasuryPayout[]> {
    const { lastAttemptAt } = treasuryPayouts
    const due = db
      .select({ id: treasuryPayouts.id })
      .from(treasuryPayouts)
      .where(and(eq(treasuryPayouts.status, 'processing'), or(isNull(lastAttemptAt), lt(lastAttemptAt, askedBefore))))
      .limit(limit)
      .for('update', { skipLocked: true })
    return db
      .update(treasuryPayouts)
      .set({ lastAttemptAt: now })
      .where(inArray(treasuryPayouts.id, sql`(${due})`))
      .returning()
  },

  /** The payout after a change of state; undefined when it is no longer in the state that it was read in. */
  async move(
    { id, status: from }: Pick<TreasuryPayout, 'id' | 'status'>,
    to: TreasuryPayoutStatus,
    changes: Changes,
    now: Date,
  ): Promise<TreasuryPayout | undefined> {
    const [row] = await moveWhere(db, treasuryPayouts, treasuryPayoutLifecycle, {
      from,
      to,
      changes: { ...changes, updatedAt: now },
      where: eq(treasuryPayouts.id, id),
    })
    return row
  },
})
