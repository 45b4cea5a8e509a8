import { pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant, sellerId, updatedAt } from '../../db/columns.ts'
import { users } from '../users/users.tables.ts'

/** What a seller's own server logs in with. One per seller. */
export const apiCredentials = pgTable(
  'api_credentials',
  {
    clientId: text('client_id').primaryKey(),
    id: uuid('id').notNull(),
    sellerId: sellerId().references(() => users.id),
    /** SHA-256: the secret has 256 random bits, so nothing slower is needed. Null until one was asked for. */
    secretHash: text('secret_hash'),
    secretLast4: text('secret_last4'),
    previousSecretHash: text('previous_secret_hash'),
    previousSecretValidUntil: instant('previous_secret_valid_until'),
    scopes: text('scopes').array().notNull(),
    allowedIps: text('allowed_ips').array().notNull(),
    lastUsedAt: instant('last_used_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [unique('api_credentials_seller_id_uq').on(table.sellerId)],
)
