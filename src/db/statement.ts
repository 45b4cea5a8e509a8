import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { QueryResult } from 'pg'
import type { Reader, Writer } from './client.ts'

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

/** A part of a statement's text, the same for every use of the statement. */
export class Fixed {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** An instant as a parameter. */
export const instantOf = (at: Date): Typed => new Typed(at.toISOString(), 'timestamptz')

/** A text with its parameters. */
export type Statement = { text: string; values: unknown[] }

type Value = Typed | string | number | boolean | null

const texts = new WeakMap<TemplateStringsArray, string>()

const textOf = (strings: TemplateStringsArray, parts: readonly (Value | Fixed)[]): string => {
  const known = texts.get(strings)
  if (known !== undefined) return known
  let values = 0
  const written = parts.map((part) => {
    if (part instanceof Fixed) return part.text
    values += 1
    return part instanceof Typed ? `$${values}::${part.type}` : `$${values}`
  })
  const text = String.raw({ raw: strings }, ...written)
  texts.set(strings, text)
  return text
}

/**
 * A statement whose text is the same each time: what stands in `${}` is a value, of the same type each time, or Fixed. Its
 * text is put together once, where Drizzle's builder makes it anew for each use, which takes longer than sending it.
 */
export const statement = (strings: TemplateStringsArray, ...parts: readonly (Value | Fixed)[]): Statement => ({
  text: textOf(strings, parts),
  values: parts.flatMap((part) => (part instanceof Fixed ? [] : [part instanceof Typed ? part.value : part])),
})

/** Sends a statement that reads. Rows come as the driver reads them: instants as Date, bigint as text. */
export const send = <Row extends object>(db: Reader, given: Statement): Promise<QueryResult<Row>> =>
  db.$client.query<Row>(given)

/** The same for a statement that locks or writes. */
export const sendWrite = <Row extends object>(db: Writer, given: Statement): Promise<QueryResult<Row>> =>
  db.$client.query<Row>(given)
