import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant } from '../../db/columns.ts'
import { users } from '../users/users.tables.ts'

/** One login. Its refresh tokens are a family: revoking the session ends all of them and every access token. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    kind: text('kind', { enum: ['password', 'credentials'] }).notNull(),
    /** What API credentials may do; null for a person, who may do everything of their role. */
    scopes: text('scopes').array(),
    /** SHA-256 of the secret that API credentials opened it with: it ends with that one. Null for a person. */
    secretHash: text('secret_hash'),
    createdAt: createdAt(),
    /** When password or code were last shown again. Null: at the log-in. */
    provedAt: instant('proved_at'),
    /** When tokens were last made. Null: at the log-in. */
    lastUsedAt: instant('last_used_at'),
    /** Where and with what the log-in was made. Null for API credentials. */
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    expiresAt: instant('expires_at').notNull(),
    revokedAt: instant('revoked_at'),
  },
  (table) => [index('sessions_user_id_ix').on(table.userId), index('sessions_expires_at_ix').on(table.expiresAt)],
)

export const refreshTokens = pgTable(
  'refresh_tokens',
  {
    /** SHA-256 of the token: a copy of the database opens no session. */
    tokenHash: text('token_hash').primaryKey(),
    sessionId: uuid('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
  },
  (table) => [index('refresh_tokens_session_id_ix').on(table.sessionId)],
)

/** Failed guesses by hashes of what was guessed at, known or not, and of who guessed: it tells nobody which accounts exist. */
export const loginFailures = pgTable('login_failures', {
  emailHash: text('email_hash').primaryKey(),
  failures: integer('failures').notNull(),
  /** Of the last failure. */
  windowStartedAt: instant('window_started_at').notNull(),
  lockedUntil: instant('locked_until'),
})

/** Where people logged in from, as keyed hashes of the program and the part of the network: to tell them of new ones. */
export const loginDevices = pgTable(
  'login_devices',
  {
    userId: uuid('user_id').notNull(),
    fingerprint: text('fingerprint').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
  },
  (table) => [
    primaryKey({ name: 'login_devices_pk', columns: [table.userId, table.fingerprint] }),
    index('login_devices_last_seen_at_ix').on(table.lastSeenAt),
  ],
)
