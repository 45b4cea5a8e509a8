import { boolean, date, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, updatedAt } from '../../db/columns.ts'

/** What administrators say about single dates, over the national bank holidays that are computed. One row per date. */
export const holidayOverrides = pgTable('holiday_overrides', {
  date: date('date', { mode: 'string' }).primaryKey(),
  /** Names the row in the audit log. */
  id: uuid('id').notNull(),
  /** True: banks are closed. False: banks work, whatever the computed holidays say. */
  isHoliday: boolean('is_holiday').notNull(),
  name: text('name').notNull(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})
