import { pgTable, text } from 'drizzle-orm/pg-core'
import { instant } from '../db/columns.ts'

/** How far a provider's own list has been read. */
export const providerCursors = pgTable('provider_cursors', {
  provider: text('provider').primaryKey(),
  /** The platform began to read here: what came before is not its own. */
  since: instant('since').notNull(),
  /** Everything before this instant has been seen. */
  readUntil: instant('read_until').notNull(),
})
