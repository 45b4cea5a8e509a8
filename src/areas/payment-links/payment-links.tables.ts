import { type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, check, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { amount, createdAt, instant, sellerId, updatedAt } from '../../db/columns.ts'
import { PAYMENT_METHODS } from '../../domain/payment.ts'
import { PAYMENT_LINK_STATUSES } from '../../domain/payment-link.ts'

type Searched = { title: AnyPgColumn; description: AnyPgColumn; externalReference: AnyPgColumn }

/** What a search looks through. The index holds the same expression, so both change together. */
export const paymentLinkSearchText = ({ title, description, externalReference }: Searched): SQL =>
  sql`(${title} || chr(10) || coalesce(${description}, '') || chr(10) || coalesce(${externalReference}, ''))`

export const paymentLinks = pgTable(
  'payment_links',
  {
    sellerId: sellerId(),
    id: uuid('id').notNull(),
    hash: text('hash').notNull(),
    title: text('title').notNull(),
    description: text('description'),
    /** Null: the payer chooses, within the bounds. */
    amount: amount('amount'),
    minAmount: amount('min_amount'),
    maxAmount: amount('max_amount'),
    methods: text('methods', { enum: PAYMENT_METHODS }).array().notNull(),
    maxInstallments: integer('max_installments').notNull(),
    maxPayments: integer('max_payments'),
    /** Payments that are paid or may still be. Counted only where `maxPayments` is set. */
    reservedSlots: integer('reserved_slots').notNull(),
    /** Slots beyond the limit: payments confirmed after theirs was given to somebody else. */
    excessSlots: integer('excess_slots').notNull().default(0),
    paymentsCount: integer('payments_count').notNull(),
    paidAmount: amount('paid_amount').notNull(),
    successUrl: text('success_url'),
    externalReference: text('external_reference'),
    metadata: jsonb('metadata').$type<Record<string, string>>().notNull(),
    status: text('status', { enum: PAYMENT_LINK_STATUSES }).notNull(),
    expiresAt: instant('expires_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ name: 'payment_links_pk', columns: [table.sellerId, table.id] }),
    check(
      'payment_links_slots_ck',
      sql`${table.maxPayments} is null or ${table.reservedSlots} <= ${table.maxPayments} + ${table.excessSlots}`,
    ),
    check('payment_links_counts_ck', sql`${table.reservedSlots} >= 0 and ${table.excessSlots} >= 0`),
    index('payment_links_status_ix').on(table.sellerId, table.status, table.id),
    index('payment_links_expires_at_ix').on(table.expiresAt).where(sql`${table.status} in ('active', 'inactive')`),
    // Within a seller: the columns are intersected.
    index('payment_links_search_ix').using('gin', table.sellerId, sql`${paymentLinkSearchText(table)} gin_trgm_ops`),
  ],
)

/** Finds a link without knowing its seller. */
export const paymentLinkHashes = pgTable('payment_link_hashes', {
  hash: text('hash').primaryKey(),
  sellerId: sellerId(),
  paymentLinkId: uuid('payment_link_id').notNull(),
})
