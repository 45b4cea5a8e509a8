import { asc, between, eq } from 'drizzle-orm'
import type { Reader, Writer } from '../../db/client.ts'
import type { HolidayOverrides, LocalDate } from '../../domain/calendar.ts'
import { holidayOverrides } from './holidays.tables.ts'

export type HolidayOverride = typeof holidayOverrides.$inferSelect

export const createHolidaysQueries = (db: Reader) => ({
  /** All that was ever said about single dates: a few rows a year. Read anew by everything that computes a date. */
  async findOverrides(): Promise<HolidayOverrides> {
    const { date, isHoliday } = holidayOverrides
    const rows = await db.select({ date, isHoliday }).from(holidayOverrides)
    return new Map(rows.map((row) => [row.date, row.isHoliday]))
  },

  /** From one date to another, both included, in order. */
  async list(from: LocalDate, to: LocalDate): Promise<HolidayOverride[]> {
    return db
      .select()
      .from(holidayOverrides)
      .where(between(holidayOverrides.date, from, to))
      .orderBy(asc(holidayOverrides.date))
  },
})

export const createHolidaysRepository = (db: Writer) => ({
  ...createHolidaysQueries(db),

  /** Locks the override of a date until the transaction ends. */
  async lock(date: LocalDate): Promise<HolidayOverride | undefined> {
    const [row] = await db.select().from(holidayOverrides).where(eq(holidayOverrides.date, date)).for('update')
    return row
  },

  /** Writes what holds on a date, and answers it. One that is there keeps its id and its first instant. */
  async put(override: HolidayOverride): Promise<HolidayOverride> {
    const { isHoliday, name, updatedAt } = override
    const [row] = await db
      .insert(holidayOverrides)
      .values(override)
      .onConflictDoUpdate({ target: holidayOverrides.date, set: { isHoliday, name, updatedAt } })
      .returning()
    return row ?? override
  },

  async delete(date: LocalDate): Promise<void> {
    await db.delete(holidayOverrides).where(eq(holidayOverrides.date, date))
  },
})
