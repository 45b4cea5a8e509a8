import { eq } from 'drizzle-orm'
import type { Reader, Writer } from '../db/client.ts'
import type { LocalDate } from '../domain/calendar.ts'
import { mailDigests } from './mail.tables.ts'

export const createMailDigestsQueries = (db: Reader) => ({
  /** Whether the digest of a day has been looked into. */
  async find(date: LocalDate): Promise<boolean> {
    return (await db.$count(mailDigests, eq(mailDigests.date, date))) > 0
  },
})

export const createMailDigestsRepository = (db: Writer) => ({
  ...createMailDigestsQueries(db),

  /** Notes that the digest of a day is looked into by this transaction. False: another one did. */
  async insertOnce(date: LocalDate, now: Date): Promise<boolean> {
    const { rowCount } = await db.insert(mailDigests).values({ date, createdAt: now }).onConflictDoNothing()
    return rowCount === 1
  },
})
