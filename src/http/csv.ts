import { Readable } from 'node:stream'
import { type Options, stringify } from 'csv-stringify/sync'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { namedType } from './negotiation.ts'

// RFC 4180, and nothing that a spreadsheet would run (OWASP, "CSV Injection"). Our own numbers cannot be a formula.
const FORMAT = {
  record_delimiter: 'windows',
  quote_record_delimiter: true,
  escape_formulas: true,
  cast: { boolean: String },
} satisfies Options

/** Lines of a CSV file, in which no text is taken for a formula by a spreadsheet. */
export const csvLines = (rows: readonly object[], columns: readonly string[]): string =>
  stringify([...rows], { ...FORMAT, columns: [...columns] })

async function* linesOf<Row extends object>(
  columns: readonly (keyof Row & string)[],
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield csvLines([columns], columns)
  for await (const rows of batches) yield csvLines(rows, columns)
}

/** A CSV file with a header line, made batch by batch as fast as the reader takes it. */
export const csvStream = <Row extends object>(
  columns: readonly (keyof Row & string)[],
  batches: AsyncIterable<readonly Row[]>,
): Readable => Readable.from(linesOf(columns, batches))

/** Whether a request asks for CSV by its name, and before JSON where it names both. */
export const prefersCsv = (request: FastifyRequest, reply: FastifyReply): boolean =>
  namedType(request, reply, ['text/csv', 'application/json']) === 'text/csv'

/** A whole selection as a CSV file. */
export const csvFile = z.string().meta({ description: 'The whole selection, with a header line (RFC 4180).' })

/** The answer of a list that is also served as a file: a page as JSON, or the whole selection as CSV. */
export const jsonOrCsv = <List extends z.ZodType>(list: List) => ({
  description: 'One page as JSON, or the whole selection as CSV.',
  content: { 'application/json': { schema: list }, 'text/csv': { schema: csvFile } },
})
