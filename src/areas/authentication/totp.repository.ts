import { and, eq, inArray, isNotNull, isNull, lt, or } from 'drizzle-orm'
import type { Reader, Writer } from '../../db/client.ts'
import { totpRecoveryCodes, totpSecrets } from './totp.tables.ts'

export type TotpSecret = typeof totpSecrets.$inferSelect

const { userId: ownerId, confirmedAt, lastStep } = totpSecrets

export const createTotpQueries = (db: Reader) => ({
  /** A user's secret, confirmed or not. */
  async find(userId: string): Promise<TotpSecret | undefined> {
    const [found] = await db.select().from(totpSecrets).where(eq(ownerId, userId))
    return found
  },

  async countRecoveryCodes(userId: string): Promise<number> {
    return db.$count(totpRecoveryCodes, eq(totpRecoveryCodes.userId, userId))
  },
})

/** Whoever locks the user of a secret too locks the user first. */
export const createTotpRepository = (db: Writer) => ({
  ...createTotpQueries(db),

  /** The secret that a log-in needs a code of, locked until the transaction ends. */
  async lockConfirmed(userId: string): Promise<TotpSecret | undefined> {
    const [found] = await db
      .select()
      .from(totpSecrets)
      .where(and(eq(ownerId, userId), isNotNull(confirmedAt)))
      .for('update')
    return found
  },

  /** Sets a secret that waits for its first code, in place of one that waited. False: there is a confirmed one. */
  async putPending(secret: Pick<TotpSecret, 'userId' | 'secretSealed' | 'createdAt'>): Promise<boolean> {
    const { rowCount } = await db
      .insert(totpSecrets)
      .values(secret)
      .onConflictDoUpdate({ target: ownerId, set: secret, setWhere: isNull(confirmedAt) })
    return rowCount === 1
  },

  /** Puts a secret in force with its first code. False: it was confirmed, replaced or taken away meanwhile. */
  async confirm({ userId, secretSealed }: TotpSecret, step: number, now: Date): Promise<boolean> {
    const { rowCount } = await db
      .update(totpSecrets)
      .set({ confirmedAt: now, lastStep: step })
      .where(and(eq(ownerId, userId), eq(totpSecrets.secretSealed, secretSealed), isNull(confirmedAt)))
    return rowCount === 1
  },

  /** Spends the codes of a step and of all before it. False: they were spent already. */
  async spend(userId: string, step: number): Promise<boolean> {
    const { rowCount } = await db
      .update(totpSecrets)
      .set({ lastStep: step })
      .where(and(eq(ownerId, userId), or(isNull(lastStep), lt(lastStep, step))))
    return rowCount === 1
  },

  async insertRecoveryCodes(userId: string, codeHashes: readonly string[]): Promise<void> {
    await db.insert(totpRecoveryCodes).values(codeHashes.map((codeHash) => ({ userId, codeHash })))
  },

  /** Uses a recovery code up, by its hashes under each key. False: there is no such code, or it was used. */
  async spendRecoveryCode(userId: string, hashes: string[]): Promise<boolean> {
    const { rowCount } = await db
      .delete(totpRecoveryCodes)
      .where(and(eq(totpRecoveryCodes.userId, userId), inArray(totpRecoveryCodes.codeHash, hashes)))
    return rowCount === 1
  },

  /** Takes a secret away with its recovery codes. True: it was in force. */
  async delete(userId: string): Promise<boolean> {
    const [taken] = await db.delete(totpSecrets).where(eq(ownerId, userId)).returning({ confirmedAt })
    return taken !== undefined && taken.confirmedAt !== null
  },
})
