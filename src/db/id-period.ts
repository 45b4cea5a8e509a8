import { type AnyColumn, and, gte, lt, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Period } from '../http/period.ts'

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

/** How much later an id may be that is numbered on from another process' one: their clocks never differ by a day. */
export const ID_DRIFT_MS = 86_400_000

/** Whether an id is later than ID_SLACK_MS after its row's time. Hardly any is: an index of those is all but empty. */
export const isLate = ({ createdAt, id }: { createdAt: SQLWrapper; id: SQLWrapper }): SQL =>
  sql`uuid_extract_timestamp(${id}) - ${createdAt} > interval ${sql.raw(`'${ID_SLACK_MS / 60_000} minute'`)}`

/**
 * The same where an id may be later than its row's time, though never earlier: the postings of a book are numbered on
 * from the one before, whatever the clocks say. `lateOnes` selects the ids of those that are (`isLate`) by an index, among
 * which a condition on `id` chooses: where there is none the day behind the period is not walked through.
 */
export const madeSince = (
  { createdAt, id }: { createdAt: AnyColumn; id: AnyColumn },
  { from, to }: Period,
  lateOnes?: (condition: SQL) => SQL,
): SQL | undefined => {
  const within = madeWithin({ createdAt, id }, { from })
  if (to === undefined) return within
  const firstAfter = (ms: number): SQL => sql`${firstIdOf(to.getTime() + ms)}::uuid`
  const [end, lateEnd] = [firstAfter(ID_SLACK_MS), firstAfter(ID_DRIFT_MS)]
  const last = lateOnes
    ? sql`(case when exists (${lateOnes(sql`id >= ${end} and id < ${lateEnd}`)}) then ${lateEnd} else ${end} end)`
    : lateEnd
  return and(within, lt(createdAt, to), lt(id, last))
}
