import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant } from '../../db/columns.ts'

/** What a token that came by mail is good for. */
export const LINK_PURPOSES = ['reset_password', 'verify_email', 'change_email'] as const

/** Tokens that were sent by mail: each good once, for a time that is real. A directory, by what the link carries. */
export const linkTokens = pgTable(
  'link_tokens',
  {
    /** SHA-256 of the token: a copy of the database opens no account. */
    tokenHash: text('token_hash').primaryKey(),
    purpose: text('purpose', { enum: LINK_PURPOSES }).notNull(),
    /** Where it was sent. A password is reset of whoever logs in with this address, if anybody does. */
    email: text('email').notNull(),
    /** Whose address it is or becomes. Null for passwords: whether anybody has the address is not looked up. */
    userId: uuid('user_id'),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [
    index('link_tokens_email_ix').on(table.email, table.purpose, table.expiresAt),
    index('link_tokens_user_id_ix').on(table.userId),
    index('link_tokens_expires_at_ix').on(table.expiresAt),
  ],
)
