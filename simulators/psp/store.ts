import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { Page } from './http/paging.ts'

const SCHEMA = readFileSync(join(import.meta.dirname, 'schema.sql'), 'utf8')

/** The PSP's state in one SQLite file. */
export type Store = ReturnType<typeof openStore>

/**
 * Opens the state, or begins one. Commits reach the operating system before a request is answered, so nothing is lost
 * when the process dies; they are not synced to the disk, so the last moments may be lost when the machine does.
 */
export const openStore = (path: string) => {
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON')
  database.exec(SCHEMA)
  const statements = new Map<string, StatementSync>()

  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }

  // What a row looks like is what schema.sql and the statement say; each caller names it once.
  const one = <Row>(sql: string, ...values: SQLInputValue[]): Row | undefined =>
    prepared(sql).get(...values) as Row | undefined

  const all = <Row>(sql: string, ...values: SQLInputValue[]): Row[] => prepared(sql).all(...values) as Row[]

  /** Answers how many rows changed. */
  const run = (sql: string, ...values: SQLInputValue[]): number => Number(prepared(sql).run(...values).changes)

  /** Inserts a row and answers the number that it got. */
  const insert = (sql: string, ...values: SQLInputValue[]): number =>
    Number(prepared(sql).run(...values).lastInsertRowid)

  /** One page of a table: `order` says which rows come first. */
  const page = <Row>(table: string, filter: Filter, order: string, { number, size }: Page): Listed<Row> => {
    const from = `FROM ${table} WHERE ${filter.where()}`
    const total = one<{ total: number }>(`SELECT count(*) AS total ${from}`, ...filter.values)?.total ?? 0
    const sql = `SELECT * ${from} ORDER BY ${order} LIMIT ? OFFSET ?`
    return { rows: all<Row>(sql, ...filter.values, size, number * size), total }
  }

  const transaction = <Value>(work: () => Value): Value => {
    if (database.isTransaction) return work()
    prepared('BEGIN IMMEDIATE').run()
    try {
      const value = work()
      prepared('COMMIT').run()
      return value
    } catch (error) {
      prepared('ROLLBACK').run()
      throw error
    }
  }

  /** Forgets everything that happened. */
  const reset = (): void => {
    const tables = all<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    transaction(() => {
      prepared('PRAGMA defer_foreign_keys = ON').run()
      for (const { name } of tables) database.exec(`DELETE FROM ${name}`)
    })
  }

  return { one, all, run, insert, page, transaction, reset, close: (): void => database.close() }
}

/** A page of rows and how many there are in all. */
export type Listed<Row> = { rows: Row[]; total: number }

export type Filter = ReturnType<typeof createFilter>

/** Conditions of a list that callers gather: SQL and its values side by side. */
export const createFilter = () => {
  const conditions: string[] = []
  const values: SQLInputValue[] = []
  return {
    /** Adds a condition; one whose value is undefined is left out. */
    add: (condition: string, ...bound: (SQLInputValue | undefined)[]): void => {
      const known = bound.filter((value) => value !== undefined)
      if (known.length < bound.length) return
      conditions.push(condition)
      values.push(...known)
    },
    where: (): string => conditions.join(' AND '),
    values,
  }
}
