import { LRUCache } from 'lru-cache'
import { type CoalesceOptions, coalesce, type Outcome } from './coalesce.ts'
import { isLockTimeout } from './errors.ts'
import type { HeldBooks } from './held-books.ts'

/** Books that are written alone at a time: whoever holds many of them must not take all connections. */
const LANES_AT_A_TIME = 4
const LANES_MAX = 1_000

/** Has at most so many run at once; the others wait for their turn. */
const limited = (max: number) => {
  const waiting: (() => void)[] = []
  let running = 0
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve))
    running += 1
    return await work().finally(() => {
      running -= 1
      waiting.shift()?.()
    })
  }
}

type Books<Item> = {
  /** What keeps its own calls together when a batch is taken apart: the seller, where that is known. */
  bookOf: (item: Item) => string
  heldBooks: HeldBooks
}

/**
 * `coalesce` for writes that lock rows of several sellers: a batch that met a lock which did not come free is taken apart,
 * and written again book by book while the next batch begins. Only calls of the book that is held fail then, with the
 * lock's timeout, and for a while that book is kept out of batches.
 */
export const coalesceByBook = <Item, Result>(
  writeBatch: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>,
  options: CoalesceOptions,
  { bookOf, heldBooks }: Books<Item>,
): ((item: Item) => Promise<Result>) => {
  const together = coalesce(writeBatch, options)
  const turn = limited(LANES_AT_A_TIME)
  const lanes = new LRUCache<string, (item: Item) => Promise<Result>>({ max: LANES_MAX })

  const newLane = (book: string) =>
    coalesce<Item, Result>(
      (items) =>
        turn(() => writeBatch(items)).catch((error: unknown) => {
          if (isLockTimeout(error)) heldBooks.note(book)
          throw error
        }),
      { ...options, concurrency: 1 },
    )

  const alone = (item: Item): Promise<Result> => {
    const book = bookOf(item)
    const lane = lanes.get(book) ?? newLane(book)
    lanes.set(book, lane)
    return lane(item)
  }

  return async (item) => {
    if (heldBooks.has(bookOf(item))) return alone(item)
    try {
      return await together(item)
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      return alone(item)
    }
  }
}
