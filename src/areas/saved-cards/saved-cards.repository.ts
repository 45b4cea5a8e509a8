import { and, asc, eq, inArray, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { uuids } from '../../db/arrays.ts'
import type { Reader, Writer } from '../../db/client.ts'
import { moveWhere } from '../../db/move.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readPage } from '../../db/paging.ts'
import { insertMany } from '../../db/write.ts'
import { type SavedCardStatus, savedCardLifecycle } from '../../domain/saved-card.ts'
import { savedCards } from './saved-cards.tables.ts'

export type SavedCardRow = typeof savedCards.$inferSelect
export type SavedCardKey = Pick<SavedCardRow, 'sellerId' | 'id'>
export type CustomersCardKey = SavedCardKey & Pick<SavedCardRow, 'customerId'>

/** One that can be charged: then all that may be known of it is known. */
export type ActiveCard = SavedCardRow & { brand: string; last4: string; expMonth: number; expYear: number }

// Written out, not as a parameter: a plan that is kept must know that the index of these has it.
const active = sql`${savedCards.status} = 'active'`

const only = ({ sellerId, id }: SavedCardKey): SQL | undefined =>
  and(eq(savedCards.sellerId, sellerId), eq(savedCards.id, id))

const ofCustomer = (sellerId: string, customerId: string): SQL | undefined =>
  and(eq(savedCards.sellerId, sellerId), eq(savedCards.customerId, customerId))

/** What is left of a card that is to be forgotten: the token, to tell its provider, and that the payer had agreed. */
const FORGOTTEN = { brand: null, last4: null, expMonth: null, expYear: null } as const

export const createSavedCardsQueries = (db: Reader) => ({
  /** A card that can be charged. */
  async find({ sellerId, customerId, id }: CustomersCardKey): Promise<ActiveCard | undefined> {
    const [card] = await db
      .select()
      .from(savedCards)
      .where(and(ofCustomer(sellerId, customerId), eq(savedCards.id, id), active))
    return card as ActiveCard | undefined
  },

  /** The cards of these that can be charged, each only for its own customer. */
  async listByKeys(keys: readonly CustomersCardKey[]): Promise<ActiveCard[]> {
    if (keys.length === 0) return []
    const meant = sql`(${savedCards.sellerId}, ${savedCards.customerId}, ${savedCards.id}) in (
      select * from unnest(
        ${uuids(keys.map(({ sellerId }) => sellerId))}, ${uuids(keys.map(({ customerId }) => customerId))},
        ${uuids(keys.map(({ id }) => id))}
      )
    )`
    return (await db.select().from(savedCards).where(and(meant, active))) as ActiveCard[]
  },

  /** A customer's cards that can be charged, newest first. */
  async list(sellerId: string, customerId: string, page: PageRequest): Promise<Page<ActiveCard>> {
    const where = and(ofCustomer(sellerId, customerId), active)
    const found = await readPage({ db, table: savedCards, id: savedCards.id, where }, page)
    return found as Page<ActiveCard>
  },

  /** The provider's name of a card, sealed, also of one that was deleted while a payment with it was being made. */
  async findToken(key: SavedCardKey): Promise<string | null> {
    const [card] = await db.select({ tokenSealed: savedCards.tokenSealed }).from(savedCards).where(only(key))
    return card?.tokenSealed ?? null
  },

  /** How many cards a customer has, and is about to have. Lock the customer for it to stay true. */
  async countOf(sellerId: string, customerId: string): Promise<number> {
    const counted = sql`${savedCards.status} in ('saving', 'active')`
    return db.$count(savedCards, and(ofCustomer(sellerId, customerId), counted))
  },
})

type Changes = Partial<Omit<SavedCardRow, 'sellerId' | 'id' | 'status'>>

export const createSavedCardsRepository = (db: Writer) => {
  const moveAll = (from: SavedCardStatus, to: SavedCardStatus, where: SQL | undefined, changes: Changes) =>
    moveWhere(db, savedCards, savedCardLifecycle, { from, to, where, changes })

  return {
    ...createSavedCardsQueries(db),

    async insert(card: SavedCardRow): Promise<void> {
      await insertMany(db, savedCards, [card])
    },

    /** A card that the provider is being asked to keep. */
    async findSaving(key: SavedCardKey): Promise<SavedCardRow | undefined> {
      const [card] = await db
        .select()
        .from(savedCards)
        .where(and(only(key), eq(savedCards.status, 'saving')))
      return card
    },

    /** Whether a customer had a card that was deleted. */
    async wasDeleted({ sellerId, customerId, id }: CustomersCardKey): Promise<boolean> {
      const gone = inArray(savedCards.status, ['deleting', 'deleted'])
      return (await db.$count(savedCards, and(ofCustomer(sellerId, customerId), eq(savedCards.id, id), gone))) === 1
    },

    /** Answers the card as it is then; undefined: it has left that state. */
    async move(key: SavedCardKey, from: SavedCardStatus, to: SavedCardStatus, changes: Changes) {
      const [card] = await moveAll(from, to, only(key), changes)
      return card
    },

    /** Ends a card of a customer. False: it is none that can be charged. */
    async delete({ sellerId, customerId, id }: CustomersCardKey, now: Date): Promise<boolean> {
      const where = and(ofCustomer(sellerId, customerId), eq(savedCards.id, id))
      return (await moveAll('active', 'deleting', where, { ...FORGOTTEN, updatedAt: now })).length === 1
    },

    /** Ends all cards of a seller, or of one of their customers, those too that are being saved. */
    async deleteAllOf(sellerId: string, now: Date, customerId?: string): Promise<void> {
      const where = customerId === undefined ? eq(savedCards.sellerId, sellerId) : ofCustomer(sellerId, customerId)
      const changes = { ...FORGOTTEN, updatedAt: now }
      await moveAll('saving', 'deleting', where, changes)
      await moveAll('active', 'deleting', where, changes)
    },

    /** Ends cards whose saving was left off before an instant: nobody comes back for them. */
    async deleteAbandoned(before: Date, now: Date): Promise<void> {
      await moveAll('saving', 'deleting', lte(savedCards.updatedAt, before), { updatedAt: now })
    },

    /** Keeps the provider's name of a card that was deleted while the provider was asked to keep it. */
    async updateToken(key: SavedCardKey, tokenSealed: string): Promise<void> {
      await db
        .update(savedCards)
        .set({ tokenSealed })
        .where(and(only(key), eq(savedCards.status, 'deleting')))
    },

    /**
     * Takes cards that a provider is to forget and was not told of since an instant. One whose saving was not answered has
     * to have waited since then, too: the provider might yet be keeping it.
     */
    async claimDeleted(limit: number, { now, retryBefore }: { now: Date; retryBefore: Date }): Promise<SavedCardRow[]> {
      const { lastAttemptAt, tokenSealed, updatedAt } = savedCards
      const isSettled = or(isNotNull(tokenSealed), lte(updatedAt, retryBefore))
      const due = db
        .select({ id: savedCards.id })
        .from(savedCards)
        .where(
          and(
            sql`${savedCards.status} = 'deleting'`,
            or(lte(lastAttemptAt, retryBefore), and(isNull(lastAttemptAt), isSettled)),
          ),
        )
        .orderBy(asc(updatedAt))
        .limit(limit)
        .for('update', { skipLocked: true })
      return db
        .update(savedCards)
        .set({ lastAttemptAt: now })
        .where(and(eq(savedCards.status, 'deleting'), inArray(savedCards.id, sql`(${due})`)))
        .returning()
    },
  }
}
