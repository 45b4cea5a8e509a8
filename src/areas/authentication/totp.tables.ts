import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { count, createdAt, instant } from '../../db/columns.ts'
import { users } from '../users/users.tables.ts'

/** The secret that a person's authenticator app shares with the platform. Without effect until a code proved it. */
export const totpSecrets = pgTable('totp_secrets', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id),
  /** Encrypted: a copy of the database makes no codes. */
  secretSealed: text('secret_sealed').notNull(),
  confirmedAt: instant('confirmed_at'),
  /** The half minute of the last code that was accepted: no code of it, or of one before it, is good again. */
  lastStep: count('last_step'),
  createdAt: createdAt(),
})

/** What lets somebody in once who lost their phone. A used one is gone. */
export const totpRecoveryCodes = pgTable(
  'totp_recovery_codes',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => totpSecrets.userId, { onDelete: 'cascade' }),
    /** HMAC under the server's key. */
    codeHash: text('code_hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
)
