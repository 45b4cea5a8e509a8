import { and, asc, eq, ne, type SQL, sql } from 'drizzle-orm'
import { uuids } from '../../db/arrays.ts'
import type { Writer } from '../../db/client.ts'
import { type Moved, moveMany, moveWhere } from '../../db/move.ts'
import { paymentLinkLifecycle } from '../../domain/payment-link.ts'
import { createPaymentLinksQueries, isKey, type LinkKey, type PaymentLink, runOut } from './payment-links.queries.ts'
import { paymentLinkHashes, paymentLinks } from './payment-links.tables.ts'

/** What an edit, a payment or the clock changes, beside the status. */
const MUTABLE = [
  'title',
  'description',
  'amount',
  'minAmount',
  'maxAmount',
  'methods',
  'maxInstallments',
  'maxPayments',
  'reservedSlots',
  'excessSlots',
  'paymentsCount',
  'paidAmount',
  'successUrl',
  'externalReference',
  'metadata',
  'expiresAt',
  'updatedAt',
] as const satisfies readonly (keyof PaymentLink)[]

const keyed = (keys: readonly LinkKey[]): SQL => {
  const sellerIds = uuids(keys.map(({ sellerId }) => sellerId))
  const ids = uuids(keys.map(({ id }) => id))
  return sql`(${paymentLinks.sellerId}, ${paymentLinks.id}) in (select * from unnest(${sellerIds}, ${ids}))`
}

const lock = async (db: Writer, keys: readonly LinkKey[], strength: 'update' | 'no key update' | 'key share') =>
  keys.length === 0
    ? []
    : db
        .select()
        .from(paymentLinks)
        .where(keyed(keys))
        .orderBy(asc(paymentLinks.sellerId), asc(paymentLinks.id))
        .for(strength)

export const createPaymentLinksRepository = (db: Writer) => ({
  ...createPaymentLinksQueries(db),

  /**
   * Links as payments are made through them: until the transaction ends nobody edits or ends them. Those that count
   * slots are locked against each other too; of the others any number is paid at once, also while payments are
   * counted.
   */
  async lockForPayments(keys: readonly LinkKey[]): Promise<PaymentLink[]> {
    const links = await lock(db, keys, 'key share')
    const limited = await lock(
      db,
      links.filter(({ maxPayments }) => maxPayments !== null),
      'no key update',
    )
    return [...links.filter(({ maxPayments }) => maxPayments === null), ...limited]
  },

  /** Locks links whose payments moved until the transaction ends, in the order of their keys. */
  lockForCounting: (keys: readonly LinkKey[]): Promise<PaymentLink[]> => lock(db, keys, 'no key update'),

  /** Locks a seller's own link that is not deleted: no payment is made, and none counted, until the transaction ends. */
  async lockForEdit(key: LinkKey): Promise<PaymentLink | undefined> {
    const [link] = await lock(db, [key], 'update')
    return link?.status === 'deleted' ? undefined : link
  },

  /** Locks links whose time is up; those that somebody works on are left for the next time. */
  async lockRunOut(now: Date, limit: number): Promise<PaymentLink[]> {
    return db
      .select()
      .from(paymentLinks)
      .where(runOut(now))
      .orderBy(asc(paymentLinks.expiresAt))
      .limit(limit)
      .for('update', { skipLocked: true })
  },

  /** Ends all links of a seller whose account ends. */
  async deleteAllOf(sellerId: string, now: Date): Promise<void> {
    const links = await db
      .select()
      .from(paymentLinks)
      .where(and(eq(paymentLinks.sellerId, sellerId), ne(paymentLinks.status, 'deleted')))
      .orderBy(asc(paymentLinks.id))
      .for('update')
    for (const link of links) await this.deleteSoftly(link, now)
  },

  /** Deletes a locked link. */
  async deleteSoftly(link: Pick<PaymentLink, 'sellerId' | 'id' | 'status'>, now: Date): Promise<void> {
    const where = isKey(link)
    const move = { from: link.status, to: 'deleted', changes: { updatedAt: now }, where } as const
    await moveWhere(db, paymentLinks, paymentLinkLifecycle, move)
  },

  async insert(link: PaymentLink): Promise<void> {
    await db.insert(paymentLinks).values(link)
    await db.insert(paymentLinkHashes).values({ hash: link.hash, sellerId: link.sellerId, paymentLinkId: link.id })
  },

  /** Writes locked links as they are to stand. Throws InvariantError for a move that the lifecycle lacks. */
  async moveMany(moves: readonly Moved<typeof paymentLinks>[]): Promise<void> {
    await moveMany(db, paymentLinks, paymentLinkLifecycle, moves, { keys: ['sellerId', 'id'], set: MUTABLE })
  },
})
