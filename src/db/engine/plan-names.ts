import { LRUCache } from 'lru-cache'

/** What comes this often is worth keeping. */
const USES_MIN = 16
/** Texts that are counted at a time: those of a busy process, and room for some whose length varies. */
const TEXTS_MAX = 500

type Seen = { number: number; uses: number }

const texts = new LRUCache<string, Seen>({ max: TEXTS_MAX })
let lastNumber = 0

/**
 * The name under which a connection keeps a statement and its plan, because planning some of them costs more than running
 * them. Undefined for a text that has not come often.
 *
 * A plan is made for tables of the size that they have at that moment: one made for an empty table reads all of it ever
 * after. So a statement gets another name, and with it another plan, whenever it has been used twice as often as when it
 * got its last one.
 */
export const planNameOf = (text: string): string | undefined => {
  let seen = texts.get(text)
  if (seen === undefined) {
    lastNumber += 1
    seen = { number: lastNumber, uses: 0 }
    texts.set(text, seen)
  }
  seen.uses += 1
  const doublings = Math.floor(Math.log2(seen.uses / USES_MIN))
  return doublings < 0 ? undefined : `s${seen.number}_${doublings}`
}

/** What is given to a connection's `query`, with the name of its plan. */
export const withPlanName = ([config, ...others]: unknown[]): unknown[] => {
  if (typeof config !== 'object' || config === null || !('text' in config)) return [config, ...others]
  return [{ ...config, name: planNameOf(String(config.text)) }, ...others]
}
