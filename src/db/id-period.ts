import { type AnyColumn, and, gte, lt, type SQL } from 'drizzle-orm'
import type { Period } from '../domain/period.ts'

/** An id is made right after its row's time is taken, so the two may differ by a batch: this is far more than that. */
export const ID_SLACK_MS = 60_000

/** The smallest UUIDv7 of a millisecond. */
export const firstIdOf = (ms: number): string => {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`
}

/** Rows made in a period. Ids sort by time, so a period is also a range of the key and needs no index of its own. */
export const madeWithin = (
  { createdAt, id }: { createdAt: AnyColumn; id: AnyColumn },
  { from, to }: Period,
): SQL | undefined =>
  and(
    from && and(gte(createdAt, from), gte(id, firstIdOf(from.getTime() - ID_SLACK_MS))),
    to && and(lt(createdAt, to), lt(id, firstIdOf(to.getTime() + ID_SLACK_MS))),
  )
