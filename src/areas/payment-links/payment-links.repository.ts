import { and, asc, eq, ilike, inArray, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import { uuids } from '../../db/arrays.ts'
import type { Executor } from '../../db/client.ts'
import { madeWithin } from '../../db/id-period.ts'
import { anywhere } from '../../db/like.ts'
import { readPage } from '../../db/paging.ts'
import { updateRows } from '../../db/rows.ts'
import { OPEN_PAYMENT_STATUSES, type PaymentLinkStatus } from '../../domain/payment-link.ts'
import type { Page, PageRequest } from '../../http/pagination.ts'
import type { Period } from '../../http/period.ts'
import { companies } from '../companies/companies.tables.ts'
import { payments } from '../payments/payments.tables.ts'
import { users } from '../users/users.tables.ts'
import { paymentLinkHashes, paymentLinkSearchText, paymentLinks } from './payment-links.tables.ts'

export type PaymentLink = typeof paymentLinks.$inferSelect
export type LinkKey = Pick<PaymentLink, 'sellerId' | 'id'>

/** A link with what a payer is told of its seller. */
export type OfferedLink = { link: PaymentLink; sellerName: string; sellerApproved: boolean }

export type PaymentLinkFilter = Period & {
  sellerId: string
  statuses?: readonly PaymentLinkStatus[] | undefined
  search?: string | undefined
}

/** What an edit, a payment or the clock changes. */
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
  'status',
  'expiresAt',
  'updatedAt',
] as const satisfies readonly (keyof PaymentLink)[]

const isKey = ({ sellerId, id }: LinkKey): SQL | undefined =>
  and(eq(paymentLinks.sellerId, sellerId), eq(paymentLinks.id, id))

const isNamed = and(
  eq(paymentLinks.sellerId, paymentLinkHashes.sellerId),
  eq(paymentLinks.id, paymentLinkHashes.paymentLinkId),
)

const keyed = (keys: readonly LinkKey[]): SQL => {
  const sellerIds = uuids(keys.map(({ sellerId }) => sellerId))
  const ids = uuids(keys.map(({ id }) => id))
  return sql`(${paymentLinks.sellerId}, ${paymentLinks.id}) in (select * from unnest(${sellerIds}, ${ids}))`
}

const containing = (text: string): SQL => ilike(paymentLinkSearchText(paymentLinks), anywhere(text))

const runOut = (now: Date): SQL | undefined =>
  and(inArray(paymentLinks.status, ['active', 'inactive']), lte(paymentLinks.expiresAt, now))

// A link whose time is up is listed as expired before the job has written that down.
const standing = (statuses: readonly PaymentLinkStatus[], now: Date): SQL | undefined => {
  const written = inArray(paymentLinks.status, [...statuses])
  const isUp = runOut(now)
  return statuses.includes('expired') ? or(written, isUp) : and(written, sql`(${isUp}) is not true`)
}

const createLocks = (db: Executor) => {
  const lock = async (keys: readonly LinkKey[], strength: 'update' | 'no key update' | 'key share') =>
    keys.length === 0
      ? []
      : db
          .select()
          .from(paymentLinks)
          .where(keyed(keys))
          .orderBy(asc(paymentLinks.sellerId), asc(paymentLinks.id))
          .for(strength)

  return {
    /**
     * Links as payments are made through them: until the transaction ends nobody edits or ends them. Those that count
     * slots are locked against each other too; of the others any number is paid at once, also while payments are
     * counted.
     */
    async lockForPayments(keys: readonly LinkKey[]): Promise<PaymentLink[]> {
      const links = await lock(keys, 'key share')
      const limited = await lock(
        links.filter(({ maxPayments }) => maxPayments !== null),
        'no key update',
      )
      return [...links.filter(({ maxPayments }) => maxPayments === null), ...limited]
    },

    /** Locks links whose payments moved until the transaction ends, in the order of their keys. */
    lockForCounting: (keys: readonly LinkKey[]): Promise<PaymentLink[]> => lock(keys, 'no key update'),

    /** Locks a seller's own link that is not deleted: no payment is made, and none counted, until the transaction ends. */
    async lockForEdit(key: LinkKey): Promise<PaymentLink | undefined> {
      const [link] = await lock([key], 'update')
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
  }
}

const createEndings = (db: Executor) => ({
  /** Ends all links of a seller whose account ends. */
  async deleteAllOf(sellerId: string, now: Date): Promise<void> {
    await db
      .select({ id: paymentLinks.id })
      .from(paymentLinks)
      .where(and(eq(paymentLinks.sellerId, sellerId), ne(paymentLinks.status, 'deleted')))
      .orderBy(asc(paymentLinks.id))
      .for('update')
    await db
      .update(paymentLinks)
      .set({ status: 'deleted', updatedAt: now })
      .where(and(eq(paymentLinks.sellerId, sellerId), ne(paymentLinks.status, 'deleted')))
  },

  /** Deletes a locked link. */
  async deleteSoftly(key: LinkKey, now: Date): Promise<void> {
    await db.update(paymentLinks).set({ status: 'deleted', updatedAt: now }).where(isKey(key))
  },
})

export const createPaymentLinksRepository = (db: Executor) => ({
  ...createLocks(db),
  ...createEndings(db),

  async insert(link: PaymentLink): Promise<void> {
    await db.insert(paymentLinks).values(link)
    await db.insert(paymentLinkHashes).values({ hash: link.hash, sellerId: link.sellerId, paymentLinkId: link.id })
  },

  /** Links by the ends of their URLs, whosever they are, in no order. */
  async listByHashes(hashes: readonly string[]): Promise<PaymentLink[]> {
    const found = await db
      .select({ link: paymentLinks })
      .from(paymentLinkHashes)
      .innerJoin(paymentLinks, isNamed)
      .where(sql`${paymentLinkHashes.hash} = any(${sql.param(hashes)}::text[])`)
    return found.map(({ link }) => link)
  },

  /** A link by the end of its URL, with what its payers are told of the seller. */
  async findOffered(hash: string): Promise<OfferedLink | undefined> {
    const tradeName = db
      .select({ tradeName: companies.tradeName })
      .from(companies)
      .where(
        and(
          eq(companies.sellerId, paymentLinks.sellerId),
          eq(companies.status, 'approved'),
          sql`${companies.deletedAt} is null`,
        ),
      )
      .orderBy(asc(companies.id))
      .limit(1)
    const [found] = await db
      .select({
        link: paymentLinks,
        sellerName: sql<string>`coalesce((${tradeName}), ${users.companyName})`,
        sellerApproved: sql<boolean>`${users.approved} and ${users.deletedAt} is null`,
      })
      .from(paymentLinkHashes)
      .innerJoin(paymentLinks, isNamed)
      .innerJoin(users, eq(users.id, paymentLinks.sellerId))
      .where(eq(paymentLinkHashes.hash, hash))
    return found
  },

  /** Newest first, deleted ones only where they are asked for. */
  list({ sellerId, statuses = [], search, ...period }: PaymentLinkFilter, now: Date, page: PageRequest) {
    const where = and(
      eq(paymentLinks.sellerId, sellerId),
      statuses.length === 0 ? ne(paymentLinks.status, 'deleted') : standing(statuses, now),
      search === undefined ? undefined : containing(search),
      madeWithin(paymentLinks, period),
    )
    return readPage({ db, table: paymentLinks, id: paymentLinks.id, where }, page) as Promise<Page<PaymentLink>>
  },

  /** Writes what changed on locked links. */
  async updateMany(links: readonly PaymentLink[]): Promise<void> {
    await updateRows(db, paymentLinks, links, { keys: ['sellerId', 'id'], set: MUTABLE })
  },

  /** How many payments of a link may still be paid. Only while it is locked for an edit does it stay so. */
  async countOpenPayments({ sellerId, id }: LinkKey): Promise<number> {
    return db.$count(
      payments,
      and(
        eq(payments.sellerId, sellerId),
        eq(payments.paymentLinkId, id),
        inArray(payments.status, [...OPEN_PAYMENT_STATUSES]),
      ),
    )
  },
})
