import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { QueryResult } from 'pg'
import type { Executor } from './client.ts'

/** A value beside the type that Postgres is to read it as. Stands in a `statement` and in Drizzle's `sql` alike. */
export class Typed implements SQLWrapper {
  readonly value: unknown
  readonly type: string

  constructor(value: unknown, type: string) {
    this.value = value
    this.type = type
  }

  getSQL(): SQL {
    return sql`${sql.param(this.value)}::${sql.raw(this.type)}`
  }
}

/** An instant as a parameter. */
export const instantOf = (at: Date): Typed => new Typed(at.toISOString(), 'timestamptz')

/**
 * A text with its parameters. `insertsInto`: it only adds rows to this table, and nobody asks how many, so that a
 * transaction may send it as a part of another statement.
 */
export type Statement = { text: string; values: unknown[]; insertsInto?: string }

type Parameter = Typed | string | number | boolean | null

const texts = new WeakMap<TemplateStringsArray, string>()

const textOf = (strings: TemplateStringsArray, parameters: readonly Parameter[]): string => {
  const known = texts.get(strings)
  if (known !== undefined) return known
  const placeholders = parameters.map((parameter, index) =>
    parameter instanceof Typed ? `$${index + 1}::${parameter.type}` : `$${index + 1}`,
  )
  const text = String.raw({ raw: strings }, ...placeholders)
  texts.set(strings, text)
  return text
}

/**
 * A statement whose text is the same each time: what stands in `${}` is always a value, of the same type each time. Its
 * text is put together once, where Drizzle's builder makes it anew for each use, which takes longer than sending it.
 */
export const statement = (strings: TemplateStringsArray, ...parameters: readonly Parameter[]): Statement => ({
  text: textOf(strings, parameters),
  values: parameters.map((parameter) => (parameter instanceof Typed ? parameter.value : parameter)),
})

/** Sends a statement. Rows come as the driver reads them: instants as Date, bigint as text. */
export const send = <Row extends object>(db: Executor, given: Statement): Promise<QueryResult<Row>> =>
  db.$client.query<Row>(given)
