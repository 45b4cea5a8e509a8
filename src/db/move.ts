import { and, eq, type SQL } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { invariant } from '../domain/invariant.ts'
import type { Lifecycle } from '../domain/lifecycle.ts'
import type { Writer } from './client.ts'
import { type Follow, writeFollowed, writeMany } from './write.ts'

// Every change of a status goes through this file: it asks the lifecycle, and writes only where the row still has the status
// that it was judged by.

type StatusOf<Table extends PgTable> = Table['$inferSelect'] extends { status: infer Status extends string }
  ? Status
  : never

type TableWithStatus = PgTable & { status: AnyPgColumn }

// A row may be written without being moved: then it stays in the state that it was judged in.
const checkMove = <Status extends string>({ name, allows }: Lifecycle<Status>, from: Status, to: Status): void =>
  invariant(from === to || allows(from, to), `a ${name} does not go from ${from} to ${to}`)

type Move<Table extends PgTable> = {
  from: StatusOf<Table>
  to: StatusOf<Table>
  changes?: { [Column in keyof Table['$inferSelect']]?: Table['$inferSelect'][Column] | SQL }
  /** Which rows, besides those that are in the state that they come from. */
  where: SQL | undefined
  follow?: Follow
}

/**
 * Moves the rows that a condition names from one state to another, other columns with it. Answers them as they are then;
 * those that have left the state meanwhile are not among them. Throws InvariantError for a move that the lifecycle lacks.
 */
export const moveWhere = async <Table extends TableWithStatus>(
  db: Writer,
  table: Table,
  lifecycle: Lifecycle<StatusOf<Table>>,
  { from, to, changes = {}, where, follow }: Move<Table>,
): Promise<Table['$inferSelect'][]> => {
  checkMove(lifecycle, from, to)
  const update = db
    .update(table as PgTable)
    .set({ ...changes, status: to })
    .where(and(where, eq(table.status, from)))
  if (follow === undefined) return (await update.returning()) as Table['$inferSelect'][]
  return writeFollowed(db, table, update, { operation: 'update', follow })
}

/** A row as it is to stand, and the state that it was in. */
export type Moved<Table extends PgTable> = {
  from: StatusOf<Table>
  row: Table['$inferSelect'] & { status: StatusOf<Table> }
}

type Options<Table extends PgTable> = {
  keys: readonly Extract<keyof Table['$inferSelect'], string>[]
  /** What is written beside the status. */
  set: readonly Extract<keyof Table['$inferSelect'], string>[]
  follow?: Follow
}

/**
 * Writes many rows of which some change their state, in one statement. All must be in the state that they were judged in,
 * as they are where they were locked. Throws InvariantError where one is not, and for a move that the lifecycle lacks.
 */
export const moveMany = async <Table extends PgTable>(
  db: Writer,
  table: Table,
  lifecycle: Lifecycle<StatusOf<Table>>,
  moves: readonly Moved<Table>[],
  { keys, set, follow }: Options<Table>,
): Promise<void> => {
  for (const { from, row } of moves) checkMove(lifecycle, from, row.status)
  const count = await writeMany(
    db,
    table,
    moves.map(({ row }) => row),
    {
      keys,
      set: ['status' as Extract<keyof Table['$inferSelect'], string>, ...set],
      follow,
      expected: {
        column: 'status' as Extract<keyof Table['$inferSelect'], string>,
        values: moves.map(({ from }) => from),
      },
    },
  )
  invariant(count === moves.length, `a ${lifecycle.name} is no longer in the state that it was judged in`)
}
