import { sql } from 'drizzle-orm'
import { boolean, check, index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant, updatedAt } from '../../db/columns.ts'

/** People who log in. A seller's id is the id of their user. */
export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    passwordHash: text('password_hash').notNull(),
    name: text('name').notNull(),
    companyName: text('company_name').notNull(),
    phone: text('phone'),
    role: text('role', { enum: ['admin', 'seller'] }).notNull(),
    approved: boolean('approved').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    // Deleting a user replaces the address, which frees it for a new registration.
    unique('users_email_uq').on(table.email),
    check('users_role_ck', sql`${table.role} in ('admin', 'seller')`),
    index('users_role_id_ix').on(table.role, table.id, table.createdAt).where(sql`${table.deletedAt} is null`),
  ],
)
