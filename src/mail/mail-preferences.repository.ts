import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { users } from '../areas/users/users.tables.ts'
import type { Reader, Writer } from '../db/client.ts'
import { type MailLanguage, type MailTopic, USUAL_LANGUAGE } from '../domain/mail.ts'
import { mailPreferences } from './mail.tables.ts'

export type MailPreferences = { language: MailLanguage; turnedOff: readonly MailTopic[]; payerReceipts: boolean }

const USUAL: MailPreferences = { language: USUAL_LANGUAGE, turnedOff: [], payerReceipts: false }

const DIGEST: MailTopic = 'daily_digest'

export const createMailPreferencesQueries = (db: Reader) => ({
  /** What somebody has chosen, or what holds for those who never chose. */
  async find(userId: string): Promise<MailPreferences> {
    const { language, turnedOff, payerReceipts } = mailPreferences
    const [chosen] = await db
      .select({ language, turnedOff, payerReceipts })
      .from(mailPreferences)
      .where(eq(mailPreferences.userId, userId))
    return chosen ?? USUAL
  },

  /** Of these sellers, those whose payers get receipts. */
  async listReceiptSellers(sellerIds: readonly string[]): Promise<string[]> {
    if (sellerIds.length === 0) return []
    const found = await db
      .select({ userId: mailPreferences.userId })
      .from(mailPreferences)
      .where(and(inArray(mailPreferences.userId, [...sellerIds]), mailPreferences.payerReceipts))
    return found.map(({ userId }) => userId)
  },

  /** The administrators who have not turned the daily digest off. */
  async listDigestReaders(): Promise<string[]> {
    const found = await db
      .select({ id: users.id })
      .from(users)
      .leftJoin(mailPreferences, eq(mailPreferences.userId, users.id))
      .where(
        and(
          eq(users.role, 'admin'),
          isNull(users.deletedAt),
          or(isNull(mailPreferences.userId), sql`${DIGEST} <> all(${mailPreferences.turnedOff})`),
        ),
      )
      .orderBy(users.id)
    return found.map(({ id }) => id)
  },
})

export const createMailPreferencesRepository = (db: Writer) => ({
  ...createMailPreferencesQueries(db),

  async put(userId: string, { turnedOff, ...preferences }: MailPreferences, now: Date): Promise<void> {
    const set = { ...preferences, turnedOff: [...turnedOff], updatedAt: now }
    await db
      .insert(mailPreferences)
      .values({ userId, ...set })
      .onConflictDoUpdate({ target: mailPreferences.userId, set })
  },

  async delete(userId: string): Promise<void> {
    await db.delete(mailPreferences).where(eq(mailPreferences.userId, userId))
  },
})
