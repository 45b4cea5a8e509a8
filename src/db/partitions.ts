import { sql } from 'drizzle-orm'
import type { Reader, Writer } from './client.ts'
import type { Follow } from './write.ts'

const DAY_MS = 86_400_000

/** A table in parts by time, of which the old ones are dropped whole. Rows of no part wait in `<name>_default`. */
export type PartitionedTable = Readonly<{
  name: 'events' | 'webhook_attempts' | 'idempotency_keys'
  /** What a row's part is chosen by: the time in its id, or its time. */
  key: 'id' | 'created_at'
  /** The primary key. */
  columns: readonly string[]
  /** What goes with a row that is deleted. */
  follow?: Follow
  every: 'month' | 'day'
}>

/** One part, half open in UTC. */
export type Partition = { name: string; from: Date; to: Date }

const startOf = (every: PartitionedTable['every'], year: number, month: number, day: number): Date =>
  new Date(Date.UTC(year, month, every === 'month' ? 1 : day))

/** The part of an instant, or the one that is `later` parts behind it. */
export const partitionAt = ({ name, every }: PartitionedTable, at: Date, later = 0): Partition => {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  const [months, days] = every === 'month' ? [later, 0] : [0, later]
  const from = startOf(every, year, month + months, day + days)
  const to = every === 'month' ? startOf(every, year, month + months + 1, 1) : new Date(from.getTime() + DAY_MS)
  const digits = every === 'month' ? 'YYYYMM'.length : 'YYYYMMDD'.length
  return { name: `${name}_p${from.toISOString().replaceAll('-', '').slice(0, digits)}`, from, to }
}

const partitionNamed = (table: PartitionedTable, name: string): Partition | undefined => {
  const [, year = '', month = '', day = '01'] = /_p(\d{4})(\d{2})(\d{2})?$/.exec(name) ?? []
  return year === '' ? undefined : partitionAt(table, new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))))
}

const bound = (at: Date) => sql`${at.toISOString()}::timestamptz`

export const createPartitionsQueries = (db: Reader) => ({
  /** The parts that end at or before an instant, oldest first. */
  async listEndedBefore(table: PartitionedTable, instant: Date): Promise<Partition[]> {
    const { rows } = await db.execute<{ name: string }>(sql`
      select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table.name}::regclass order by 1`)
    return rows.flatMap(({ name }) => {
      const partition = partitionNamed(table, name)
      return partition !== undefined && partition.to <= instant ? [partition] : []
    })
  },
})

/** Statements about parts. Each is to run in a transaction of its own. */
export const createPartitionsRepository = (db: Writer) => ({
  ...createPartitionsQueries(db),

  /** Makes a part, with the rows that came before it was there. False: it is there already. */
  async insertPartition({ name: parent, key }: PartitionedTable, { name, from, to }: Partition): Promise<boolean> {
    const { rows } = await db.execute<{ made: boolean }>(
      sql`select add_partition(${parent}, ${key}, ${name}, ${bound(from)}, ${bound(to)}) as made`,
    )
    return rows[0]?.made === true
  },

  /**
   * Drops a part and all its rows at once. False: events of it have yet to be fanned out, and it stays. Writers of the
   * table wait for it, so it gives up when it does not get the table within a second, and throws.
   */
  async dropPartition({ name }: Pick<Partition, 'name'>): Promise<boolean> {
    const { rows } = await db.execute<{ dropped: boolean }>(sql`select drop_partition(${name}) as dropped`)
    return rows[0]?.dropped === true
  },

  /** Deletes some rows that belong to no part and are older than an instant. Answers how many. */
  async deleteUnpartitioned(table: PartitionedTable, instant: Date, limit: number): Promise<number> {
    const { name, key, columns, follow } = table
    const end = key === 'id' ? sql`uuid_at(${bound(instant)})` : bound(instant)
    const found = sql.raw(columns.join(', '))
    const { rows } = await db.execute<{ deleted: number }>(sql`
      with changed as (
        delete from ${sql.identifier(name)} where (${found}) in (
          select ${found} from ${sql.identifier(`${name}_default`)} where ${sql.identifier(key)} < ${end} limit ${limit}
        ) returning old
      ) ${follow ? sql`, followed as (${sql.raw(follow('delete'))})` : sql``}
      select count(*)::int as deleted from changed`)
    return rows[0]?.deleted ?? 0
  },
})
