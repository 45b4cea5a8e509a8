import { and, eq, gte, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { texts, uuids } from '../db/arrays.ts'
import type { Reader, Writer } from '../db/client.ts'
import { send, sendWrite, statement } from '../db/statement.ts'
import { insertMany as insertRows, updateMany, writeMany } from '../db/write.ts'
import { idempotencyKeys } from './idempotency.tables.ts'

export type IdempotencyKey = { ownerId: string; operation: string; key: string }
export type IdempotencyRecord = typeof idempotencyKeys.$inferSelect

const matches = ({ ownerId, operation, key }: IdempotencyKey) =>
  and(eq(idempotencyKeys.ownerId, ownerId), eq(idempotencyKeys.operation, operation), eq(idempotencyKeys.key, key))

const lockName = ({ ownerId, operation, key }: IdempotencyKey): string => JSON.stringify([ownerId, operation, key])

export const createIdempotencyQueries = (db: Reader) => ({
  async findMany(keys: readonly IdempotencyKey[]): Promise<IdempotencyRecord[]> {
    if (keys.length === 0) return []
    const { rows } = await send<IdempotencyRecord>(
      db,
      statement`
      select owner_id as "ownerId", operation, key, request_hash as "requestHash", status, body,
        resource_id as "resourceId", leased_until as "leasedUntil", created_at as "createdAt"
      from idempotency_keys where (owner_id, operation, key) in (
        select * from unnest(
          ${uuids(keys.map(({ ownerId }) => ownerId))},
          ${texts(keys.map(({ operation }) => operation))},
          ${texts(keys.map(({ key }) => key))}
        )
      )`,
    )
    return rows
  },

  async find(key: IdempotencyKey): Promise<IdempotencyRecord | undefined> {
    const [record] = await db.select().from(idempotencyKeys).where(matches(key))
    return record
  },
})

/** Which answers: those kept since an instant, of some operations where they are named. */
type AnswersFilter = { since: Date; operations?: readonly string[] }

export const createIdempotencyRepository = (db: Writer) => {
  const { find, findMany } = createIdempotencyQueries(db)

  /** Writes records of keys that have none. The caller holds the keys. */
  const insertMany = async (records: readonly IdempotencyRecord[]): Promise<void> => {
    await insertRows(db, idempotencyKeys, records)
  }

  /** Writes records over those of the same keys, expired or running, or as new ones. The caller holds the keys. */
  const putMany = async (records: readonly IdempotencyRecord[]): Promise<void> => {
    const there = new Set((await findMany(records)).map(lockName))
    await writeMany(
      db,
      idempotencyKeys,
      records.filter((record) => there.has(lockName(record))),
      {
        keys: ['ownerId', 'operation', 'key'],
        // The status of an answer, no state of a thing.
        set: ['requestHash', 'status', 'body', 'resourceId', 'leasedUntil', 'createdAt'],
        follow: undefined,
      },
    )
    await insertMany(records.filter((record) => !there.has(lockName(record))))
  }

  return {
    find,
    findMany,
    insertMany,
    putMany,

    /** First answers to an owner that tell of things with these ids. */
    async listAnswersAbout(
      ownerId: string,
      ids: readonly string[],
      { since, operations }: AnswersFilter,
    ): Promise<IdempotencyRecord[]> {
      if (ids.length === 0 || operations?.length === 0) return []
      const tellsOf = sql`${idempotencyKeys.body}::json ->> 'id' = any(${sql.param([...ids])}::text[])`
      return db
        .select()
        .from(idempotencyKeys)
        .where(
          and(
            eq(idempotencyKeys.ownerId, ownerId),
            operations && inArray(idempotencyKeys.operation, [...operations]),
            gte(idempotencyKeys.createdAt, since),
            isNotNull(idempotencyKeys.body),
            tellsOf,
          ),
        )
    },

    /** Writes other bodies over those of answers. */
    async updateBodies(records: readonly IdempotencyRecord[]): Promise<void> {
      await updateMany(db, idempotencyKeys, records, { keys: ['ownerId', 'operation', 'key'], set: ['body'] })
    },

    /** Lets a repeat of a running request go on with what was begun, from this moment on. */
    async updateLease(key: IdempotencyKey, leasedUntil: Date): Promise<void> {
      await db
        .update(idempotencyKeys)
        .set({ leasedUntil })
        .where(and(matches(key), isNull(idempotencyKeys.status)))
    },

    put: (record: IdempotencyRecord): Promise<void> => putMany([record]),

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
      const { rows } = await sendWrite<{ locked: boolean }>(
        db,
        statement`
        select pg_try_advisory_xact_lock(hashtextextended(name, 0)) as locked
        from unnest(${texts(keys.map(lockName))}) with ordinality as given (name, position) order by position`,
      )
      return rows.map(({ locked }) => locked)
    },
  }
}
