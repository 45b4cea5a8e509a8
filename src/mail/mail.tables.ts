import { sql } from 'drizzle-orm'
import { boolean, date, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant, sellerId, updatedAt } from '../db/columns.ts'
import { MAIL_LANGUAGES, MAIL_STATUSES, MAIL_TOPICS } from '../domain/mail.ts'

/**
 * The outbox of mails, written in the transaction that causes them. What a mail says and an address that it goes to are kept
 * until it has ended, and no longer. All times are real, by the database's clock, whatever the platform's says.
 */
export const mails = pgTable(
  'mails',
  {
    /** Whose account it is about; for administrators the UUID of nothing. */
    sellerId: sellerId(),
    id: uuid('id').notNull(),
    kind: text('kind').notNull(),
    /** Null: the one that the recipient has chosen. */
    language: text('language', { enum: MAIL_LANGUAGES }),
    /** Whose mail it is. Their address is looked up when it is sent, unless the mail has one of its own. */
    recipientUserId: uuid('recipient_user_id'),
    recipientAddress: text('recipient_address'),
    /** The event that it tells of, which is read when it is sent. */
    eventId: uuid('event_id'),
    /** What it tells where that is no event. */
    data: jsonb('data').$type<object>(),
    /** What gives access, such as the token of a link, sealed with the encryption key of the environment. */
    secretSealed: text('secret_sealed'),
    status: text('status', { enum: MAIL_STATUSES }).notNull(),
    /** Why it failed or was canceled: `refused`, `expired`, `turned_off`, `no_recipient` or `erased`. */
    reason: text('reason'),
    /** The same for every attempt, so that whoever gets it twice can tell. Made with the first. */
    messageId: text('message_id'),
    attemptsMade: integer('attempts_made').notNull().default(0),
    /** What the last attempt brought: `deferred`, `refused`, or what kept the server from answering. */
    lastResult: text('last_result'),
    /** What the server answered to it (RFC 5321, 4.2). */
    replyCode: integer('reply_code'),
    /** While leased this is the lease's end, so that a dead worker's mails become due by themselves. */
    nextAttemptAt: instant('next_attempt_at'),
    /** Names one claim. What a stale worker says comes with another token and changes nothing. */
    leaseToken: uuid('lease_token'),
    giveUpAt: instant('give_up_at').notNull(),
    createdAt: createdAt(),
    endedAt: instant('ended_at'),
  },
  (table) => [
    primaryKey({ name: 'mails_pk', columns: [table.sellerId, table.id] }),
    uniqueIndex('mails_event_uq')
      .on(table.sellerId, table.eventId, table.kind)
      .where(sql`${table.eventId} is not null`),
    index('mails_due_ix').on(table.nextAttemptAt, table.id).where(sql`${table.status} = 'waiting'`),
    index('mails_failed_ix').on(table.id).where(sql`${table.status} = 'failed'`),
    index('mails_recipient_user_id_ix')
      .on(table.recipientUserId, table.id)
      .where(sql`${table.recipientUserId} is not null`),
    index('mails_created_at_ix').using('brin', table.createdAt),
  ],
)

/** Which mails somebody gets, of those who ever said so. */
export const mailPreferences = pgTable('mail_preferences', {
  userId: uuid('user_id').primaryKey(),
  language: text('language', { enum: MAIL_LANGUAGES }).notNull(),
  turnedOff: text('turned_off', { enum: MAIL_TOPICS }).array().notNull(),
  /** Of a seller: whether payers who gave an address get a receipt. */
  payerReceipts: boolean('payer_receipts').notNull(),
  updatedAt: updatedAt(),
})

/** The days, in São Paulo, whose digest has been looked into, whether there was anything to tell or not. */
export const mailDigests = pgTable('mail_digests', {
  date: date('date', { mode: 'string' }).primaryKey(),
  createdAt: createdAt(),
})
