import { and, eq, inArray, lte, ne, sql } from 'drizzle-orm'
import type { Writer } from '../../db/client.ts'
import { loginDevices } from './authentication.tables.ts'

const { userId: ownerId, fingerprint, lastSeenAt } = loginDevices

type Fingerprints = { newest: string; older: string[] }

const createForget = (db: Writer) => async (userId: string, fingerprints: string[]) => {
  const { rowCount } = await db.delete(loginDevices).where(and(eq(ownerId, userId), inArray(fingerprint, fingerprints)))
  return rowCount !== 0
}

export const createLoginDevicesRepository = (db: Writer, forget = createForget(db)) => ({
  /**
   * Notes that somebody logged in from a device, which may be known by its fingerprint under an older key. `isNew`: for the
   * first time; `isFirst`: and from no other before.
   */
  async note(
    userId: string,
    { newest: device, older }: Fingerprints,
    now: Date,
  ): Promise<{ isNew: boolean; isFirst: boolean }> {
    const known = older.length > 0 && (await forget(userId, older))
    const { rowCount } = await db
      .insert(loginDevices)
      .values({ userId, fingerprint: device, lastSeenAt: now })
      .onConflictDoNothing()
    if (rowCount === 1) {
      if (known) return { isNew: false, isFirst: false }
      const others = await db.$count(loginDevices, and(eq(ownerId, userId), ne(fingerprint, device)))
      return { isNew: true, isFirst: others === 0 }
    }
    await db
      .update(loginDevices)
      .set({ lastSeenAt: now })
      .where(and(eq(ownerId, userId), eq(fingerprint, device)))
    return { isNew: false, isFirst: false }
  },

  async deleteOf(userId: string): Promise<void> {
    await db.delete(loginDevices).where(eq(ownerId, userId))
  },

  /** Forgets devices that nobody has used since an instant. Answers how many. */
  async deleteBefore(instant: Date, limit: number): Promise<number> {
    const old = db
      .select({ userId: ownerId, fingerprint })
      .from(loginDevices)
      .where(lte(lastSeenAt, instant))
      .limit(limit)
      .for('update', { skipLocked: true })
    const { rowCount } = await db.delete(loginDevices).where(inArray(sql`(${ownerId}, ${fingerprint})`, sql`(${old})`))
    return rowCount ?? 0
  },
})
