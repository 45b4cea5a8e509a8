import { LRUCache } from 'lru-cache'
import { isLockTimeout } from './errors.ts'

/** How long a book that did not come free is left out of batches, before one of them tries it again. */
const HELD_MS = 5_000
const BOOKS_MAX = 10_000

/** Sellers whose rows somebody holds and does not let go of: what concerns them is kept out of the batches of others. */
export type HeldBooks = { note(sellerId: string): void; has(sellerId: string): boolean }

export const createHeldBooks = (): HeldBooks => {
  const held = new LRUCache<string, true>({ max: BOOKS_MAX, ttl: HELD_MS })
  return { note: (sellerId) => void held.set(sellerId, true), has: (sellerId) => held.has(sellerId) }
}

/**
 * Works on things of many books in one go, and book by book where one of them does not come free: that one is noted, and
 * left for later. Answers the sum of what `work` answers. `work` has to leave nothing behind when it throws.
 */
export const withoutHeldBooks = async <Item extends { sellerId: string }>(
  heldBooks: HeldBooks,
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<number>,
): Promise<number> => {
  const free = items.filter(({ sellerId }) => !heldBooks.has(sellerId))
  if (free.length === 0) return 0
  try {
    return await work(free)
  } catch (error) {
    if (!isLockTimeout(error)) throw error
  }
  let done = 0
  for (const [sellerId, own] of Map.groupBy(free, (item) => item.sellerId)) {
    try {
      done += await work(own)
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      heldBooks.note(sellerId)
    }
  }
  return done
}
