import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { count, createdAt, instant, sellerId, updatedAt } from '../../db/columns.ts'
import type { HexColor } from '../../domain/brand-color.ts'
import { LOGO_CONTENT_TYPES } from '../../domain/logo.ts'
import { users } from '../users/users.tables.ts'

/** What payers see of a seller beside the name. At most one each. */
export const sellerBrandings = pgTable(
  'seller_brandings',
  {
    sellerId: sellerId()
      .primaryKey()
      .references(() => users.id),
    color: text('color').$type<HexColor>(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [check('seller_brandings_color_ck', sql`${table.color} ~ '^#[0-9a-f]{6}$'`)],
)

/**
 * Logos whose files are kept: the one that a seller has, and those removed since, until their files are. Small: it is its own
 * directory, by which browsers ask for a logo without knowing whose it is.
 */
export const sellerLogos = pgTable(
  'seller_logos',
  {
    id: uuid('id').primaryKey(),
    sellerId: sellerId().references(() => users.id),
    contentType: text('content_type', { enum: LOGO_CONTENT_TYPES }).notNull(),
    sizeBytes: count('size_bytes').notNull(),
    sha256: text('sha256').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    createdAt: createdAt(),
    removedAt: instant('removed_at'),
  },
  (table) => [
    index('seller_logos_seller_id_ix').on(table.sellerId),
    uniqueIndex('seller_logos_current_uq').on(table.sellerId).where(sql`${table.removedAt} is null`),
    index('seller_logos_removed_ix').on(table.id).where(sql`${table.removedAt} is not null`),
  ],
)
