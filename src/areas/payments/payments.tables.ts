import { type SQL, sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { amount, createdAt, instant, rateBps, sellerId, updatedAt } from '../../db/columns.ts'
import type { DueTerms } from '../../domain/due-terms.ts'
import { PAYMENT_METHODS, PAYMENT_STATUSES } from '../../domain/payment.ts'
import { SETTLEMENT_STATUSES } from '../../domain/settlement.ts'

/** Who pays, as told when the payment was made. */
export type PayerSnapshot = { name: string; document: string | null; email: string | null; phone: string | null }

/** The document that the payer was told to have. The index holds the same expression, so both change together. */
export const payerDocument = ({ customer }: { customer: AnyPgColumn }): SQL => sql`(${customer} ->> 'document')`

export const payments = pgTable(
  'payments',
  {
    sellerId: sellerId(),
    id: uuid('id').notNull(),
    customerId: uuid('customer_id'),
    paymentLinkId: uuid('payment_link_id'),
    externalReference: text('external_reference'),
    method: text('method', { enum: PAYMENT_METHODS }).notNull(),
    status: text('status', { enum: PAYMENT_STATUSES }).notNull(),
    statusReason: text('status_reason'),
    amount: amount('amount').notNull(),
    paidAmount: amount('paid_amount').notNull(),
    refundedAmount: amount('refunded_amount').notNull(),
    feeAmount: amount('fee_amount').notNull(),
    netAmount: amount('net_amount').notNull(),
    reserveAmount: amount('reserve_amount').notNull(),
    installments: integer('installments').notNull(),
    description: text('description'),
    customer: jsonb('customer').$type<PayerSnapshot>(),
    metadata: jsonb('metadata').$type<Record<string, string>>().notNull(),
    provider: text('provider').notNull(),
    /** The fee and the reserve in force when the payment was made: later changes do not touch it. */
    feeId: uuid('fee_id').notNull(),
    feePercentage: rateBps('fee_percentage_bps').notNull(),
    feeFixedAmount: amount('fee_fixed_amount').notNull(),
    feeMinAmount: amount('fee_min_amount'),
    feeMaxAmount: amount('fee_max_amount'),
    settlementDays: integer('settlement_days').notNull(),
    reservePercentage: rateBps('reserve_percentage_bps').notNull(),
    reserveDays: integer('reserve_days').notNull(),
    pixQrCode: text('pix_qr_code'),
    /** How its charge is called, where that follows from the request and not from the payment's id. */
    pixTxid: text('pix_txid'),
    pixEndToEndId: text('pix_end_to_end_id'),
    boletoLine: text('boleto_line'),
    boletoBarcode: text('boleto_barcode'),
    boletoDueDate: date('boleto_due_date', { mode: 'string' }),
    boletoPdfUrl: text('boleto_pdf_url'),
    /** What it costs by the day, where it has a due date with terms; and of what the amount was made that was paid. */
    dueTerms: jsonb('due_terms').$type<DueTerms>(),
    paidFineAmount: amount('paid_fine_amount'),
    paidInterestAmount: amount('paid_interest_amount'),
    paidDiscountAmount: amount('paid_discount_amount'),
    /** Only until the provider has answered; cleared in the same statement that stores the outcome. */
    cardToken: text('card_token'),
    /** The saved card that pays it. Its token stays with the card. */
    cardId: uuid('card_id'),
    cardCapture: boolean('card_capture'),
    cardBrand: text('card_brand'),
    cardLast4: text('card_last4'),
    cardExpMonth: integer('card_exp_month'),
    cardExpYear: integer('card_exp_year'),
    cardAuthorizationCode: text('card_authorization_code'),
    expiresAt: instant('expires_at'),
    paidAt: instant('paid_at'),
    canceledAt: instant('canceled_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ name: 'payments_pk', columns: [table.sellerId, table.id] }),
    check('payments_amount_ck', sql`${table.amount} > 0`),
    check('payments_refunded_ck', sql`${table.refundedAmount} between 0 and ${table.paidAmount}`),
    // For administrators, who list and find payments of all sellers: what they are narrowed by stands behind the id.
    index('payments_all_ix').on(table.id, table.status, table.method, table.amount),
    // Of all sellers by status: the many that are paid or have expired are found by going through the list.
    index('payments_unusual_ix').on(table.status, table.id).where(sql`${table.status} not in ('paid', 'expired')`),
    index('payments_status_ix').on(table.sellerId, table.status, table.id),
    index('payments_method_ix').on(table.sellerId, table.method, table.id),
    index('payments_amount_ix').on(table.sellerId, table.amount, table.id),
    index('payments_customer_id_ix').on(table.sellerId, table.customerId, table.id),
    index('payments_payment_link_id_ix').on(table.sellerId, table.paymentLinkId, table.id),
    index('payments_external_reference_ix').on(table.sellerId, table.externalReference, table.id),
    // What a search names, of any seller.
    index('payments_payer_document_ix')
      .on(payerDocument(table), table.id)
      .where(sql`${payerDocument(table)} is not null`),
    index('payments_pix_end_to_end_id_ix').on(table.pixEndToEndId).where(sql`${table.pixEndToEndId} is not null`),
    // What a seller was paid in a period, in that order.
    index('payments_seller_paid_at_ix')
      .on(table.sellerId, table.paidAt, table.id)
      .where(sql`${table.paidAt} is not null`),
    // Reports know whole days beforehand. Of a part of one they read the rows.
    index('payments_paid_at_ix').using('brin', table.paidAt),
    index('payments_expires_at_ix')
      .on(table.expiresAt)
      .where(sql`${table.status} in ('created', 'pending', 'authorized') and ${table.expiresAt} is not null`),
    // What a crash between our write and the provider's answer left behind, for the reconciler.
    index('payments_unfinished_ix').on(table.createdAt).where(sql`${table.status} in ('created', 'processing')`),
  ],
)

/** When which part of a payment's net becomes available: one row per installment. */
export const paymentSettlements = pgTable(
  'payment_settlements',
  {
    sellerId: sellerId(),
    id: uuid('id').notNull(),
    paymentId: uuid('payment_id').notNull(),
    installment: integer('installment').notNull(),
    /** The net of this part; what refunds and disputes took from it while it waited is in `canceledAmount`. */
    amount: amount('amount').notNull(),
    canceledAmount: amount('canceled_amount').notNull(),
    availableOn: date('available_on', { mode: 'string' }).notNull(),
    status: text('status', { enum: SETTLEMENT_STATUSES }).notNull(),
    settledAt: instant('settled_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    primaryKey({ name: 'payment_settlements_pk', columns: [table.sellerId, table.id] }),
    foreignKey({
      name: 'payment_settlements_payment_id_fk',
      columns: [table.sellerId, table.paymentId],
      foreignColumns: [payments.sellerId, payments.id],
    }),
    uniqueIndex('payment_settlements_installment_uq').on(table.sellerId, table.paymentId, table.installment),
    check('payment_settlements_amount_ck', sql`${table.canceledAmount} between 0 and ${table.amount}`),
    index('payment_settlements_available_on_ix').on(table.availableOn).where(sql`${table.status} = 'waiting'`),
    // What became available in a period, of a seller. Of all, the rows lie about in the order of that time.
    index('payment_settlements_seller_settled_at_ix')
      .on(table.sellerId, table.settledAt, table.paymentId)
      .where(sql`${table.status} = 'available'`),
    index('payment_settlements_settled_at_ix').using('brin', table.settledAt),
    index('payment_settlements_seller_waiting_ix')
      .on(table.sellerId, table.availableOn)
      .where(sql`${table.status} = 'waiting'`),
  ],
)
