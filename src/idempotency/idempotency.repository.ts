import { and, eq, lt, sql } from 'drizzle-orm'
import type { Executor } from '../db/client.ts'
import { insertRows } from '../db/rows.ts'
import { idempotencyKeys } from './idempotency.tables.ts'

export type IdempotencyKey = { ownerId: string; operation: string; key: string }
export type IdempotencyRecord = typeof idempotencyKeys.$inferSelect

const matches = ({ ownerId, operation, key }: IdempotencyKey) =>
  and(eq(idempotencyKeys.ownerId, ownerId), eq(idempotencyKeys.operation, operation), eq(idempotencyKeys.key, key))

const lockName = ({ ownerId, operation, key }: IdempotencyKey): string => JSON.stringify([ownerId, operation, key])

const textArray = (values: readonly string[]) => sql`${sql.param(values)}::text[]`

const anyOf = (keys: readonly IdempotencyKey[]) => sql`
  (${idempotencyKeys.ownerId}, ${idempotencyKeys.operation}, ${idempotencyKeys.key}) in (
    select owner_id::uuid, operation, key from unnest(
      ${textArray(keys.map(({ ownerId }) => ownerId))},
      ${textArray(keys.map(({ operation }) => operation))},
      ${textArray(keys.map(({ key }) => key))}
    ) as given (owner_id, operation, key)
  )`

export const createIdempotencyRepository = (db: Executor) => ({
  /** Takes the key until the transaction ends; false when another transaction has it right now. */
  async lock(key: IdempotencyKey): Promise<boolean> {
    const { rows } = await db.execute<{ locked: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended(${lockName(key)}, 0)) as locked`,
    )
    return rows[0]?.locked === true
  },

  /** Takes many keys until the transaction ends: whether each was free, in order. */
  async lockMany(keys: readonly IdempotencyKey[]): Promise<boolean[]> {
    if (keys.length === 0) return []
    const { rows } = await db.execute<{ locked: boolean }>(sql`
      select pg_try_advisory_xact_lock(hashtextextended(name, 0)) as locked
      from unnest(${textArray(keys.map(lockName))}) with ordinality as given (name, position) order by position`)
    return rows.map(({ locked }) => locked)
  },

  async findMany(keys: readonly IdempotencyKey[]): Promise<IdempotencyRecord[]> {
    return keys.length === 0 ? [] : db.select().from(idempotencyKeys).where(anyOf(keys))
  },

  async find(key: IdempotencyKey): Promise<IdempotencyRecord | undefined> {
    const [record] = await db.select().from(idempotencyKeys).where(matches(key))
    return record
  },

  /** Writes the record of a key, over an expired or running one of the same key. */
  async put(record: typeof idempotencyKeys.$inferInsert): Promise<void> {
    await db
      .insert(idempotencyKeys)
      .values(record)
      .onConflictDoUpdate({
        target: [idempotencyKeys.ownerId, idempotencyKeys.operation, idempotencyKeys.key],
        set: record,
      })
  },

  /** Writes the records of many keys in one statement, over expired or running ones of the same keys. */
  async putMany(records: readonly IdempotencyRecord[]): Promise<void> {
    await insertRows(db, idempotencyKeys, records, {
      onConflict: {
        keys: ['ownerId', 'operation', 'key'],
        set: ['requestHash', 'status', 'body', 'resourceId', 'leasedUntil', 'createdAt'],
      },
    })
  },

  /** Forgets some of what is older than the promise. Answers how many were forgotten. */
  async deleteBefore(instant: Date, limit: number): Promise<number> {
    const old = db
      .select({ row: sql`ctid` })
      .from(idempotencyKeys)
      .where(lt(idempotencyKeys.createdAt, instant))
      .limit(limit)
      .for('update', { skipLocked: true })
    const { rowCount } = await db.delete(idempotencyKeys).where(sql`ctid = any(array(${old}))`)
    return rowCount ?? 0
  },
})
