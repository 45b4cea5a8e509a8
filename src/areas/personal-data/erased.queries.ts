import { and, asc, eq, gt, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import { firstIdOf, ID_SLACK_MS } from '../../db/id-period.ts'
import { ANONYMOUS_PAYER } from '../../domain/anonymous.ts'
import { NIL_UUID } from '../../domain/uuid.ts'
import { customers } from '../customers/customers.tables.ts'
import { paymentLinks } from '../payment-links/payment-links.tables.ts'
import { payments } from '../payments/payments.tables.ts'

/** Rows from behind one, in the order of their ids. */
export type After = { afterId: string; limit: number }

const isErased: SQL = sql`${payments.customer} = ${JSON.stringify(ANONYMOUS_PAYER)}::jsonb`

/** What is looked through when somebody is erased. */
export const createErasedQueries = (db: Reader) => ({
  /** The ids of a seller's customers with a document or an e-mail address. */
  async listCustomersOf(sellerId: string, payer: { document: string } | { email: string }): Promise<string[]> {
    const theirs = 'document' in payer ? eq(customers.document, payer.document) : eq(customers.email, payer.email)
    const found = await db
      .select({ id: customers.id })
      .from(customers)
      .where(and(eq(customers.sellerId, sellerId), theirs, isNull(customers.deletedAt)))
      .orderBy(asc(customers.id))
    return found.map(({ id }) => id)
  },

  /** Some of a seller's payments: how many were looked at, up to which, and those whose payer has this e-mail address. */
  async listPaidFrom(sellerId: string, email: string, { afterId, limit }: After) {
    const seen = await db
      .select({ id: payments.id, isTheirs: sql<boolean | null>`${payments.customer} ->> 'email' = ${email}` })
      .from(payments)
      .where(and(eq(payments.sellerId, sellerId), gt(payments.id, afterId)))
      .orderBy(asc(payments.id))
      .limit(limit)
    const ids = seen.flatMap(({ id, isTheirs }) => (isTheirs ? [id] : []))
    return { count: seen.length, lastId: seen.at(-1)?.id ?? NIL_UUID, ids }
  },

  /** Payments and customers made since an instant who were erased, and the links that were paid. */
  async listErasedSince(sellerId: string, since: Date): Promise<{ ids: string[]; linkHashes: string[] }> {
    const firstId = firstIdOf(since.getTime() - ID_SLACK_MS)
    const paid = await db
      .select({ id: payments.id, hash: paymentLinks.hash })
      .from(payments)
      .leftJoin(
        paymentLinks,
        and(eq(paymentLinks.sellerId, payments.sellerId), eq(paymentLinks.id, payments.paymentLinkId)),
      )
      .where(and(eq(payments.sellerId, sellerId), gt(payments.id, firstId), isErased))
    const gone = await db
      .select({ id: customers.id })
      .from(customers)
      .where(and(eq(customers.sellerId, sellerId), gt(customers.id, firstId), isNotNull(customers.deletedAt)))
    const hashes = paid.flatMap(({ hash }) => (hash === null ? [] : [hash]))
    return { ids: [...paid, ...gone].map(({ id }) => id), linkHashes: [...new Set(hashes)] }
  },

  /** Some of a seller's events; with its text one that still tells of a payer who was erased. */
  async listEventsAboutErased(
    sellerId: string,
    { afterId, limit }: After,
  ): Promise<{ id: string; body: string | null }[]> {
    const { rows } = await db.execute<{ id: string; body: string | null }>(sql`
      with seen as materialized (
        select id, body, case when type like 'payment.%' then body::json -> 'data' end as told from events
        where seller_id = ${sellerId} and id > ${afterId} order by id limit ${limit}
      )
      select seen.id, case when payments.id is not null then seen.body end as body from seen
      left join payments on payments.seller_id = ${sellerId} and payments.id = (seen.told ->> 'id')::uuid and ${isErased}
        and seen.told #>> '{customer,name}' is distinct from payments.customer ->> 'name'
        and seen.told #>> '{customer,name}' is not null
      order by seen.id`)
    return rows
  },
})
