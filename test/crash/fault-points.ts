import { Client } from 'pg'

/**
 * Every statement that a process sends to its database is a point at which it can die: before it begins, between any
 * two steps of a transaction, before the commit, and between two transactions, where providers are called. Nothing is
 * planted in the platform for it: this watches the driver, and only where a test imports or preloads it.
 */
export type FaultPoints = {
  /** Dies instead of sending the n-th statement from now on, counted from 1. */
  arm(at: number): void
  /** Answers how many statements there were since it was armed. */
  disarm(): number
  /** Leaves the driver as it was. */
  unwatch(): void
}

type Query = (this: Client, ...args: unknown[]) => unknown

// The clock of a platform in a process of its own is read each second, whatever else goes on.
const isBackground = (statement: unknown): boolean =>
  JSON.stringify(statement)?.includes('"platform_clock"') && !JSON.stringify(statement).includes('insert')

const never = (): Promise<never> => new Promise(() => undefined)

/** Watches all statements of clients that `isWatched`. `die` is called once the armed point is reached. */
export const watchStatements = (
  isWatched: (client: Client) => boolean,
  { isDead, die }: { isDead: (client: Client) => boolean; die: () => void },
): FaultPoints => {
  let armedAt = Number.POSITIVE_INFINITY
  let seen = 0
  const query = Client.prototype.query as unknown as Query
  const watched: Query = function (...args) {
    if (isDead(this)) return never()
    if (!isWatched(this) || isBackground(args[0])) return query.apply(this, args)
    seen += 1
    if (seen !== armedAt) return query.apply(this, args)
    die()
    return never()
  }
  Object.assign(Client.prototype, { query: watched })
  return {
    arm(at) {
      armedAt = at
      seen = 0
    },
    disarm() {
      armedAt = Number.POSITIVE_INFINITY
      return seen
    },
    unwatch() {
      Object.assign(Client.prototype, { query })
    },
  }
}
