import { type AnyColumn, and, gte, lt, type SQL } from 'drizzle-orm'

// An id is made right after its row's time is taken, so the two may differ by a batch: this is far more than that.
const ID_SLACK_MS = 60_000

/** The smallest UUIDv7 of a millisecond. */
const firstIdOf = (ms: number): string => {
  const hex = Math.max(0, ms).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`
}

type Row = { id: AnyColumn; createdAt: AnyColumn }
type Period = { from?: Date | undefined; to?: Date | undefined }

/**
 * Rows created in a half open period. Ids sort by time, so it is also a range of the primary key, which finds the rows;
 * `createdAt` decides at the edges.
 */
export const createdWithin = ({ id, createdAt }: Row, { from, to }: Period): SQL | undefined =>
  and(
    from && and(gte(createdAt, from), gte(id, firstIdOf(from.getTime() - ID_SLACK_MS))),
    to && and(lt(createdAt, to), lt(id, firstIdOf(to.getTime() + ID_SLACK_MS))),
  )
