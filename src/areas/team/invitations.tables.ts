import { index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant } from '../../db/columns.ts'
import type { AccessRole } from '../../domain/roles.ts'
import { users } from '../users/users.tables.ts'

/** Who was asked to join, and has not yet. An accepted one is gone. Found by its token, before anybody knows whose it is. */
export const invitations = pgTable(
  'invitations',
  {
    id: uuid('id').primaryKey(),
    /** SHA-256 of the token in the mail: a copy of the database joins nobody. */
    tokenHash: text('token_hash').notNull(),
    /** The account to join. Null: the administrators. */
    sellerId: uuid('seller_id').references(() => users.id),
    email: text('email').notNull(),
    name: text('name').notNull(),
    accessRole: text('access_role').$type<AccessRole>().notNull(),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [
    unique('invitations_token_hash_uq').on(table.tokenHash),
    index('invitations_seller_id_ix').on(table.sellerId),
    index('invitations_expires_at_ix').on(table.expiresAt),
  ],
)
