import { and, desc, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Reader, Writer } from '../db/client.ts'
import { ledgerProofs } from './ledger-proofs.tables.ts'

export type LedgerProof = typeof ledgerProofs.$inferSelect

export const createLedgerProofsQueries = (db: Reader) => ({
  /** The proof that has begun and not ended. */
  async findRunning(): Promise<LedgerProof | undefined> {
    const [proof] = await db.select().from(ledgerProofs).where(isNull(ledgerProofs.finishedAt))
    return proof
  },

  /** The proof that ended last. */
  async findLatest(): Promise<(LedgerProof & { finishedAt: Date }) | undefined> {
    const [proof] = await db
      .select()
      .from(ledgerProofs)
      .where(isNotNull(ledgerProofs.finishedAt))
      .orderBy(desc(ledgerProofs.finishedAt))
      .limit(1)
    return proof?.finishedAt ? { ...proof, finishedAt: proof.finishedAt } : undefined
  },
})

export const createLedgerProofsRepository = (db: Writer) => ({
  ...createLedgerProofsQueries(db),

  /** Begins a proof, unless one is running. */
  async insertOnce(proof: LedgerProof): Promise<void> {
    await db.insert(ledgerProofs).values(proof).onConflictDoNothing()
  },

  /** Notes one step of a proof. False: another process took that step first. */
  async advance({ id, ...step }: LedgerProof, provenThrough: string): Promise<boolean> {
    const { rowCount } = await db
      .update(ledgerProofs)
      .set(step)
      .where(
        and(eq(ledgerProofs.id, id), eq(ledgerProofs.provenThrough, provenThrough), isNull(ledgerProofs.finishedAt)),
      )
    return rowCount === 1
  },
})
