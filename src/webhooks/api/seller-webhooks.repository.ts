import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../db/client.ts'
import { databaseNow } from '../../db/columns.ts'
import { madeWithin } from '../../db/id-period.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readPage } from '../../db/paging.ts'
import type { Period } from '../../domain/period.ts'
import type { WebhookStatus } from '../../domain/webhook.ts'
import { HEALTHY } from '../../domain/webhook-breaker.ts'
import { sellerWebhooks } from '../webhooks.tables.ts'

export type WebhookRow = typeof sellerWebhooks.$inferSelect
export type NewWebhook = Pick<
  WebhookRow,
  'sellerId' | 'id' | 'url' | 'events' | 'description' | 'secretSealed' | 'createdAt'
>
export type WebhookChanges = Partial<
  Pick<
    WebhookRow,
    'url' | 'events' | 'description' | 'status' | 'statusReason' | 'secretSealed' | 'previousSecrets' | 'lastSuccessAt'
  >
>

export type WebhookFilter = Period & { sellerId: string; statuses?: readonly WebhookStatus[] | undefined }

// Any fixed number does: with a seller's id it names the lock that their webhooks are counted under.
const COUNT_LOCK = 1_733_204_551

const live = isNull(sellerWebhooks.deletedAt)

const liveOne = (sellerId: string, id: string) =>
  and(eq(sellerWebhooks.sellerId, sellerId), eq(sellerWebhooks.id, id), live)

export const createSellerWebhooksQueries = (db: Reader) => ({
  async countLive(sellerId: string): Promise<number> {
    return db.$count(sellerWebhooks, and(eq(sellerWebhooks.sellerId, sellerId), live))
  },

  async find(sellerId: string, id: string): Promise<WebhookRow | undefined> {
    const [webhook] = await db.select().from(sellerWebhooks).where(liveOne(sellerId, id))
    return webhook
  },

  /** Newest first. */
  async list({ sellerId, statuses = [], ...period }: WebhookFilter, page: PageRequest): Promise<Page<WebhookRow>> {
    const where = and(
      eq(sellerWebhooks.sellerId, sellerId),
      live,
      statuses.length === 0 ? undefined : inArray(sellerWebhooks.status, [...statuses]),
      madeWithin(sellerWebhooks, period),
    )
    return readPage({ db, table: sellerWebhooks, id: sellerWebhooks.id, where }, page)
  },
})

/** Sellers' webhooks that are not deleted. What the delivery engine does with them is in engine/webhook-queues.repository.ts. */
export const createSellerWebhooksRepository = (db: Writer) => ({
  ...createSellerWebhooksQueries(db),

  /** Makes every other transaction that wants to add a webhook for this seller wait. */
  async lockCount(sellerId: string): Promise<void> {
    await db.execute(sql`select pg_advisory_xact_lock(${COUNT_LOCK}, hashtext(${sellerId}))`)
  },

  async insert(webhook: NewWebhook): Promise<void> {
    await db.insert(sellerWebhooks).values({ ...webhook, status: 'enabled', updatedAt: webhook.createdAt })
  },

  /** Locks a webhook until the transaction ends: its queue stands still meanwhile. */
  async lock(sellerId: string, id: string): Promise<WebhookRow | undefined> {
    const [webhook] = await db.select().from(sellerWebhooks).where(liveOne(sellerId, id)).for('no key update')
    return webhook
  },

  async update(sellerId: string, id: string, changes: WebhookChanges, now: Date): Promise<WebhookRow | undefined> {
    const [webhook] = await db
      .update(sellerWebhooks)
      .set({ ...changes, updatedAt: now })
      .where(liveOne(sellerId, id))
      .returning()
    return webhook
  },

  /** Forgets what was held against an endpoint, and looks at its deliveries at once. */
  async updateHealth(sellerId: string, id: string): Promise<void> {
    await db
      .update(sellerWebhooks)
      .set({ ...HEALTHY, nextDueAt: databaseNow })
      .where(liveOne(sellerId, id))
  },

  /** Has an address that is paused for its failures tried at once, and lets what is due first decide. */
  async updateToProbe(sellerId: string, id: string): Promise<void> {
    await db
      .update(sellerWebhooks)
      .set({ breakerOpenUntil: databaseNow, nextDueAt: databaseNow })
      .where(and(liveOne(sellerId, id), gt(sellerWebhooks.breakerOpenUntil, databaseNow)))
  },

  /** False: there is none, or not any more. */
  async deleteSoftly(sellerId: string, id: string, now: Date): Promise<boolean> {
    const { rowCount } = await db
      .update(sellerWebhooks)
      .set({ updatedAt: now, deletedAt: now, nextDueAt: null })
      .where(liveOne(sellerId, id))
    return rowCount === 1
  },

  /** The same for all webhooks of a seller whose account ends. Answers their ids. */
  async deleteAllOf(sellerId: string, now: Date): Promise<string[]> {
    const deleted = await db
      .update(sellerWebhooks)
      .set({ updatedAt: now, deletedAt: now, nextDueAt: null })
      .where(and(eq(sellerWebhooks.sellerId, sellerId), live))
      .returning({ id: sellerWebhooks.id })
    return deleted.map(({ id }) => id)
  },
})
