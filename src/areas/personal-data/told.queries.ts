import { and, desc, eq, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import type { EventType } from '../../events/event-types.ts'
import { idempotencyKeys } from '../../idempotency/idempotency.tables.ts'
import { PUBLIC_OWNER_ID } from '../../ids.ts'
import { mails } from '../../mail/mail.tables.ts'
import { customers } from '../customers/customers.tables.ts'
import { payerDocument, payments } from '../payments/payments.tables.ts'
import type { Payer } from './erase-payers.ts'
import { EXPORT_RECORDS_MAX } from './personal-data.schemas.ts'

const customerOf = (payer: Payer): SQL | undefined => {
  if ('customerId' in payer) return eq(customers.id, payer.customerId)
  if ('document' in payer) return eq(customers.document, payer.document)
  return 'email' in payer ? eq(customers.email, payer.email) : sql`false`
}

const paymentOf = (payer: Payer): SQL | undefined => {
  if ('customerId' in payer) return eq(payments.customerId, payer.customerId)
  if ('document' in payer) return eq(payerDocument(payments), payer.document)
  return 'email' in payer ? sql`${payments.customer} ->> 'email' = ${payer.email}` : eq(payments.id, payer.paymentId)
}

export type ToldEvent = { id: string; type: EventType; createdAt: Date; sentTo: string[]; repeatedBy: string[] }

/** Who paid a seller, and where what is known of them was told. */
export const createToldQueries = (db: Reader) => ({
  async findPaymentExists(sellerId: string, id: string): Promise<boolean> {
    return (await db.$count(payments, and(eq(payments.sellerId, sellerId), eq(payments.id, id)))) === 1
  },

  /** The customers who are meant, deleted ones left out. */
  async listCustomersMeant(sellerId: string, payer: Payer) {
    return db
      .select()
      .from(customers)
      .where(and(eq(customers.sellerId, sellerId), customerOf(payer), isNull(customers.deletedAt)))
      .orderBy(desc(customers.id))
      .limit(EXPORT_RECORDS_MAX)
  },

  /** The ids of the newest payments of a payer and of some customers. */
  async listPaymentIdsOf(sellerId: string, payer: Payer, customerIds: readonly string[]): Promise<string[]> {
    const theirs = or(
      paymentOf(payer),
      customerIds.length > 0 ? inArray(payments.customerId, [...customerIds]) : undefined,
    )
    const found = await db
      .select({ id: payments.id })
      .from(payments)
      .where(and(eq(payments.sellerId, sellerId), theirs))
      .orderBy(desc(payments.id))
      .limit(EXPORT_RECORDS_MAX)
    return found.map(({ id }) => id)
  },

  /** The newest events that tell of payments, with the addresses that were told and those that repeated something of it. */
  async listEventsAbout(sellerId: string, paymentIds: readonly string[]): Promise<ToldEvent[]> {
    if (paymentIds.length === 0) return []
    const ids = sql.param([...paymentIds])
    const { rows } = await db.execute<Omit<ToldEvent, 'createdAt'> & { createdAt: string }>(sql`
      with told as materialized (
        select id, type, created_at from events
        where seller_id = ${sellerId} and type like 'payment.%' and body::json #>> '{data,id}' = any(${ids}::text[])
        order by id desc limit ${EXPORT_RECORDS_MAX}
      )
      select told.id, told.type, told.created_at as "createdAt",
        coalesce(array_agg(distinct endpoint.url) filter (where endpoint.url is not null), '{}') as "sentTo",
        coalesce(array_agg(distinct endpoint.url) filter (where exists (
          select from webhook_attempts as attempt where attempt.seller_id = delivery.seller_id
            and attempt.delivery_id = delivery.id and attempt.response_snippet <> '')), '{}') as "repeatedBy"
      from told
      left join webhook_deliveries as delivery on delivery.seller_id = ${sellerId} and delivery.event_id = told.id
        and delivery.attempts_made > 0
      left join seller_webhooks as endpoint on endpoint.seller_id = ${sellerId} and endpoint.id = delivery.webhook_id
      group by told.id, told.type, told.created_at order by told.id desc`)
    return rows.map((row) => ({ ...row, createdAt: new Date(row.createdAt) }))
  },

  /** First answers under an Idempotency-Key, since an instant, that tell of things with these ids. */
  async listAnswersWith(sellerId: string, ids: readonly string[], since: Date) {
    if (ids.length === 0) return []
    return db
      .select({ operation: idempotencyKeys.operation, createdAt: idempotencyKeys.createdAt })
      .from(idempotencyKeys)
      .where(
        and(
          inArray(idempotencyKeys.ownerId, [sellerId, PUBLIC_OWNER_ID]),
          sql`${idempotencyKeys.createdAt} >= ${since}`,
          sql`${idempotencyKeys.body}::json ->> 'id' = any(${sql.param([...ids])}::text[])`,
        ),
      )
      .orderBy(desc(idempotencyKeys.createdAt))
      .limit(EXPORT_RECORDS_MAX)
  },

  /** Receipts that were asked for because of events. */
  async listReceiptsOf(sellerId: string, eventIds: readonly string[]) {
    if (eventIds.length === 0) return []
    const { status, createdAt, kind } = mails
    return db
      .select({ status, createdAt })
      .from(mails)
      .where(and(eq(mails.sellerId, sellerId), inArray(mails.eventId, [...eventIds]), eq(kind, 'payment_receipt')))
      .orderBy(desc(mails.id))
  },
})
