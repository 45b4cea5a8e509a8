import { type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, boolean, check, index, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant, updatedAt } from '../../db/columns.ts'
import type { AccessRole } from '../../domain/roles.ts'

type Searched = { id: AnyPgColumn; name: AnyPgColumn; email: AnyPgColumn; companyName: AnyPgColumn }

/** What a search looks through. The index holds the same expression, so both change together. */
export const userSearchText = ({ id, name, email, companyName }: Searched): SQL => sql`
  (${id}::text || chr(10) || ${name} || chr(10) || ${email} || chr(10) || ${companyName})`

/** People who log in. A seller's account is the user who opened it: its id is theirs. */
export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    passwordHash: text('password_hash').notNull(),
    /** Until when a password that was made up opens the account, and nothing but the choice of another. Null: it was chosen. */
    passwordExpiresAt: instant('password_expires_at'),
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
    /** Since when an administrator keeps this person out, and with who opened a seller's account all of it. */
    blockedAt: instant('blocked_at'),
    /** Why, for administrators. */
    blockReason: text('block_reason'),
    /** The administrator who made this account. Null: whoever registered or was invited did it themselves. */
    createdBy: uuid('created_by'),
    /** From when on an administrator may approve money. Null: always. */
    approvesFrom: instant('approves_from'),
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
    // The lists of administrators: everybody, those who opened a seller's account, and those who are kept out.
    index('users_list_ix')
      .on(table.id, table.createdAt, table.role, table.blockedAt)
      .where(sql`${table.deletedAt} is null`),
    index('users_sellers_ix')
      .on(table.id, table.createdAt, table.approved, table.blockedAt)
      .where(sql`${table.role} = 'seller' and ${table.sellerId} is null and ${table.deletedAt} is null`),
    index('users_blocked_ix')
      .on(table.id, table.createdAt, table.role, table.approved)
      .where(sql`${table.blockedAt} is not null and ${table.deletedAt} is null`),
    index('users_admins_ix').on(table.id).where(sql`${table.role} = 'admin'`),
    index('users_search_ix').using('gin', sql`${userSearchText(table)} gin_trgm_ops`),
    index('users_role_id_ix').on(table.role, table.id, table.createdAt).where(sql`${table.deletedAt} is null`),
  ],
)
