import { and, asc, eq, ilike, inArray, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import { madeWithin } from '../../db/id-period.ts'
import { anywhere } from '../../db/like.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readPage } from '../../db/paging.ts'
import type { HexColor } from '../../domain/brand-color.ts'
import { OPEN_PAYMENT_STATUSES, type PaymentLinkStatus } from '../../domain/payment-link.ts'
import type { Period } from '../../domain/period.ts'
import { sellerBrandings, sellerLogos } from '../branding/branding.tables.ts'
import { companies } from '../companies/companies.tables.ts'
import { payments } from '../payments/payments.tables.ts'
import { users } from '../users/users.tables.ts'
import { paymentLinkHashes, paymentLinkSearchText, paymentLinks } from './payment-links.tables.ts'

export type PaymentLink = typeof paymentLinks.$inferSelect
export type LinkKey = Pick<PaymentLink, 'sellerId' | 'id'>

/** A link with what a payer is told of its seller. */
export type OfferedLink = {
  link: PaymentLink
  sellerName: string
  sellerApproved: boolean
  sellerColor: HexColor | null
  sellerLogo: { id: string; width: number; height: number } | null
}

export type PaymentLinkFilter = Period & {
  sellerId: string
  statuses?: readonly PaymentLinkStatus[] | undefined
  search?: string | undefined
}

export const isKey = ({ sellerId, id }: LinkKey): SQL | undefined =>
  and(eq(paymentLinks.sellerId, sellerId), eq(paymentLinks.id, id))

const isNamed = and(
  eq(paymentLinks.sellerId, paymentLinkHashes.sellerId),
  eq(paymentLinks.id, paymentLinkHashes.paymentLinkId),
)

const containing = (text: string): SQL => ilike(paymentLinkSearchText(paymentLinks), anywhere(text))

export const runOut = (now: Date): SQL | undefined =>
  and(inArray(paymentLinks.status, ['active', 'inactive']), lte(paymentLinks.expiresAt, now))

// A link whose time is up is listed as expired before the job has written that down.
const standing = (statuses: readonly PaymentLinkStatus[], now: Date): SQL | undefined => {
  const written = inArray(paymentLinks.status, [...statuses])
  const isUp = runOut(now)
  return statuses.includes('expired') ? or(written, isUp) : and(written, sql`(${isUp}) is not true`)
}

export const createPaymentLinksQueries = (db: Reader) => ({
  /** A seller's own link, also a deleted one. */
  async find(key: LinkKey): Promise<PaymentLink | undefined> {
    const [link] = await db.select().from(paymentLinks).where(isKey(key))
    return link
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
        sellerApproved: sql<boolean>`${users.approved} and ${users.blockedAt} is null and ${users.deletedAt} is null`,
        sellerColor: sellerBrandings.color,
        sellerLogo: { id: sellerLogos.id, width: sellerLogos.width, height: sellerLogos.height },
      })
      .from(paymentLinkHashes)
      .innerJoin(paymentLinks, isNamed)
      .innerJoin(users, eq(users.id, paymentLinks.sellerId))
      .leftJoin(sellerBrandings, eq(sellerBrandings.sellerId, paymentLinks.sellerId))
      .leftJoin(sellerLogos, and(eq(sellerLogos.sellerId, paymentLinks.sellerId), isNull(sellerLogos.removedAt)))
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
