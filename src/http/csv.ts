import { Readable } from 'node:stream'
import { z } from 'zod'

export type CsvCell = string | number | boolean | null

// A spreadsheet runs a cell that begins like a formula (OWASP, "CSV Injection"). Our own numbers cannot be one.
const FORMULA = /^[=+\-@\t\r]/

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const cell = (value: CsvCell): string => {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  return quoted(FORMULA.test(value) ? `'${value}` : value)
}

/** One line of a CSV file (RFC 4180) that no spreadsheet takes for a formula. */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(cell).join(',')}\r\n`

async function* linesOf<Row>(
  columns: readonly (keyof Row & string)[],
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield csvLine(columns)
  for await (const rows of batches) {
    yield rows.map((row) => csvLine(columns.map((column) => row[column] as CsvCell))).join('')
  }
}

/** A CSV file with a header line, made batch by batch as fast as the reader takes it. */
export const csvStream = <Row>(
  columns: readonly (keyof Row & string)[],
  batches: AsyncIterable<readonly Row[]>,
): Readable => Readable.from(linesOf(columns, batches))

const qualityOf = (accept: string, type: string): number => {
  const entry = accept.split(',').find((part) => part.split(';')[0]?.trim().toLowerCase() === type)
  if (entry === undefined) return 0
  const quality = /;\s*q=([\d.]+)/i.exec(entry)?.[1]
  return quality === undefined ? 1 : Number(quality)
}

/** Whether an `Accept` header asks for CSV rather than JSON (RFC 9110, 12.5.1). Only a named text/csv does. */
export const prefersCsv = (accept: string | undefined): boolean => {
  if (accept === undefined) return false
  const csv = qualityOf(accept, 'text/csv')
  return csv > 0 && csv >= qualityOf(accept, 'application/json')
}

const csvFile = z.string().meta({ description: 'The whole selection, with a header line (RFC 4180).' })

/** The answer of a list that is also served as a file: a page as JSON, or the whole selection as CSV. */
export const jsonOrCsv = <List extends z.ZodType>(list: List) => ({
  description: 'One page as JSON, or the whole selection as CSV.',
  content: { 'application/json': { schema: list }, 'text/csv': { schema: csvFile } },
})
