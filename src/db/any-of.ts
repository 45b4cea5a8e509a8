import { type Column, type SQL, sql } from 'drizzle-orm'

/** Whether a column holds one of some values: they travel as one parameter, so that the text is the same however many. */
export const isAnyOf = (column: Column, values: readonly string[]): SQL =>
  sql`${column} = any(${sql.param(values)}::${sql.raw(column.getSQLType())}[])`
