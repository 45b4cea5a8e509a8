import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, instant, sellerId, updatedAt } from '../../db/columns.ts'
import { SAVED_CARD_STATUSES } from '../../domain/saved-card.ts'

/** Customers' cards that a provider keeps. A row stays, with nothing of the card, when one is deleted. */
export const savedCards = pgTable(
  'saved_cards',
  {
    sellerId: sellerId(),
    id: uuid('id').notNull(),
    customerId: uuid('customer_id').notNull(),
    /** Who keeps it, and charges it for as long as it is there. */
    provider: text('provider').notNull(),
    status: text('status', { enum: SAVED_CARD_STATUSES }).notNull(),
    /** The provider's name of the card, sealed. Null until it has answered, and once it has forgotten the card. */
    tokenSealed: text('token_sealed'),
    brand: text('brand'),
    last4: text('last4'),
    expMonth: integer('exp_month'),
    expYear: integer('exp_year'),
    /** That the payer agreed, as the seller said: when, and to which text. */
    consentedAt: instant('consented_at').notNull(),
    consentTextVersion: text('consent_text_version'),
    /** When the provider was last told to forget it. */
    lastAttemptAt: instant('last_attempt_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ name: 'saved_cards_pk', columns: [table.sellerId, table.id] }),
    index('saved_cards_customer_id_ix')
      .on(table.sellerId, table.customerId, table.id)
      .where(sql`${table.status} in ('saving', 'active')`),
    // What a crash left behind, and what the provider has yet to forget.
    index('saved_cards_unfinished_ix').on(table.updatedAt).where(sql`${table.status} in ('saving', 'deleting')`),
  ],
)
