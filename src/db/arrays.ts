import { type Column, type SQL, sql } from 'drizzle-orm'
import { Typed } from './statement.ts'

// The driver quotes each element, whatever it is, which costs more than everything else about a long array.
const plain = (values: readonly (string | number | boolean | null)[]): string =>
  `{${values.map((value) => value ?? 'null').join(',')}}`

/** Many values that travel as one parameter: a statement has the same text however many there are. */
export const uuids = (values: readonly (string | null)[]): Typed => new Typed(plain(values), 'uuid[]')

export const bigints = (values: readonly number[]): Typed => new Typed(plain(values), 'bigint[]')

export const integers = (values: readonly number[]): Typed => new Typed(plain(values), 'integer[]')

/** Instants have no character that asks for quotes. */
export const instants = (values: readonly Date[]): Typed =>
  new Typed(plain(values.map((value) => value.toISOString())), 'timestamptz[]')

export const booleans = (values: readonly boolean[]): Typed => new Typed(plain(values), 'boolean[]')

/** Only names that the code itself gives, as those of kinds and states: they have no character that asks for quotes. */
export const words = (values: readonly (string | null)[]): Typed => new Typed(plain(values), 'text[]')

/** Any text, which callers or providers may have written. */
export const texts = (values: readonly string[]): Typed => new Typed(values, 'text[]')

/** Whether a column holds one of some values. */
export const isAnyOf = (column: Column, values: readonly string[]): SQL =>
  sql`${column} = any(${sql.param(values)}::${sql.raw(column.getSQLType())}[])`
