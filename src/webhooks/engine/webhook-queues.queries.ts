import { and, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import { sellerWebhooks } from '../webhooks.tables.ts'

export const ready = and(
  eq(sellerWebhooks.status, 'enabled'),
  isNull(sellerWebhooks.deletedAt),
  lte(sellerWebhooks.nextDueAt, sql`now()`),
  or(isNull(sellerWebhooks.breakerOpenUntil), lte(sellerWebhooks.breakerOpenUntil, sql`now()`)),
)

export const createWebhookQueuesQueries = (db: Reader) => ({
  /** Whether any endpoint is due: what an idle worker asks. */
  async findDue(): Promise<boolean> {
    const due = await db.select({ id: sellerWebhooks.id }).from(sellerWebhooks).where(ready).limit(1)
    return due.length > 0
  },

  /** The webhooks of sellers that are not deleted, with what they listen to. */
  async listBySellers(sellerIds: readonly string[]) {
    return db
      .select({
        sellerId: sellerWebhooks.sellerId,
        webhookId: sellerWebhooks.id,
        events: sellerWebhooks.events,
        createdAt: sellerWebhooks.createdAt,
      })
      .from(sellerWebhooks)
      .where(and(inArray(sellerWebhooks.sellerId, [...sellerIds]), isNull(sellerWebhooks.deletedAt)))
  },
})
