import { sql } from 'drizzle-orm'
import { type AnyPgColumn, boolean, check, index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant, updatedAt } from '../../db/columns.ts'
import type { AccessRole } from '../../domain/roles.ts'

/** People who log in. A seller's account is the user who opened it: its id is theirs. */
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
    /** Since when somebody has shown that mails to this address reach them. */
    emailVerifiedAt: instant('email_verified_at'),
    /** The seller's account that this person joined. Null: their own, or none for an administrator. */
    sellerId: uuid('seller_id').references((): AnyPgColumn => users.id),
    /** In the account, or among administrators. */
    accessRole: text('access_role').$type<AccessRole>().notNull().default('owner'),
    lastLoginAt: instant('last_login_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    deletedAt: instant('deleted_at'),
  },
  (table) => [
    // Deleting a user replaces the address, which frees it for a new registration.
    unique('users_email_uq').on(table.email),
    check('users_role_ck', sql`${table.role} in ('admin', 'seller')`),
    check(
      'users_access_role_ck',
      sql`${table.accessRole} in ('owner', 'finance', 'viewer')
        or ${table.role} = 'admin' and ${table.accessRole} in ('risk', 'support')
        or ${table.role} = 'seller' and ${table.accessRole} = 'developer'`,
    ),
    check(
      'users_seller_id_ck',
      sql`${table.sellerId} is null or ${table.role} = 'seller' and ${table.sellerId} <> ${table.id}`,
    ),
    index('users_seller_id_ix').on(table.sellerId, table.id).where(sql`${table.sellerId} is not null`),
    index('users_role_id_ix').on(table.role, table.id, table.createdAt).where(sql`${table.deletedAt} is null`),
  ],
)
