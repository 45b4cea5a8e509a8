import { coalesce } from './coalesce.ts'

/** More would keep the first of a batch waiting for the last. */
const KEYS_PER_STATEMENT = 200
/** The second is for those who come while the first is slow. */
const STATEMENTS_AT_A_TIME = 2

type Lookup<Key, Value> = {
  /** What tells one key from another. */
  nameOf: (key: Key) => string
  /** Looks different keys up in one statement. Answers what there is, by its name. */
  lookUp: (keys: readonly Key[]) => Promise<ReadonlyMap<string, Value>>
}

/**
 * Reads single things, many in one statement: those that are asked for in one turn of the event loop, or while two other
 * statements are under way. Nothing is remembered: the statement begins after whoever waits for it has asked, so that
 * an answer is as fresh as that of a statement of one's own.
 *
 * Answers undefined for what is not there. Throws QueueFullError while too many wait.
 */
export const createLoader = <Key, Value>({
  nameOf,
  lookUp,
}: Lookup<Key, Value>): ((key: Key) => Promise<Value | undefined>) =>
  coalesce<Key, Value | undefined>(
    async (keys) => {
      const names = keys.map(nameOf)
      const different = new Map(keys.map((key, index) => [names[index] ?? '', key]))
      const found = await lookUp([...different.values()])
      return names.map((name) => ({ ok: true, value: found.get(name) }))
    },
    { maxBatch: KEYS_PER_STATEMENT, concurrency: STATEMENTS_AT_A_TIME },
  )
