import { pipeline, type Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { z } from 'zod'
import { AMOUNT_MAX, centavos } from '../../domain/money.ts'
import { STATEMENT_LINE_KINDS } from '../../domain/reconciliation.ts'
import type { StatementLine } from '../../providers/provider.port.ts'

/** The columns of a statement, in any order; the last two of them may be left out. */
export const STATEMENT_COLUMNS = ['kind', 'reference', 'amount', 'happened_at', 'end_to_end_id', 'fee_amount'] as const
const REQUIRED = STATEMENT_COLUMNS.slice(0, 4)

/** What is wrong with a line of a file; lines are counted from 1, the header first. */
export type FileFault = { line: number; message: string }

/** A line of a file as it is to be compared, with its number, or what is wrong with it. */
export type FileLine = { line: StatementLine; number: number } | { fault: FileFault }

/** Opens a file at its beginning. */
export type OpenFile = () => Readable | Promise<Readable>

const RECORD_BYTES_MAX = 1_000

const name = z.string().regex(/^[\x21-\x7e]{1,100}$/, 'must be 1 to 100 visible ASCII characters')
const whole = (min: number) =>
  z
    .string()
    .regex(/^\d{1,13}$/, 'must be a whole number of centavos, digits only')
    .transform(Number)
    .refine((amount) => amount >= min && amount <= AMOUNT_MAX, `must be from ${min} to ${AMOUNT_MAX} centavos`)
    .transform(centavos)
const empty = z.literal('').transform(() => null)

const recordSchema = z.object({
  kind: z.enum(STATEMENT_LINE_KINDS, `must be one of ${STATEMENT_LINE_KINDS.join(', ')}`),
  reference: name,
  amount: whole(1),
  happened_at: z.iso
    .datetime({ offset: true, error: 'must be a moment as 2026-11-20T16:05:12Z' })
    .transform((text) => new Date(text)),
  end_to_end_id: empty.or(name).default(null),
  fee_amount: empty.or(whole(0)).default(null),
})

type Column = (typeof STATEMENT_COLUMNS)[number]
type Record = { info: { lines: number }; record: string[] }

const isColumn = (text: string | undefined): text is Column => STATEMENT_COLUMNS.some((column) => column === text)

const headerFault = (header: readonly string[]): string | undefined => {
  const unknown = header.filter((column, index) => !isColumn(column) || header.indexOf(column) !== index)
  if (unknown.length > 0)
    return `has columns that are unknown or there twice; known are ${STATEMENT_COLUMNS.join(', ')}`
  const missing = REQUIRED.filter((column) => !header.includes(column))
  return missing.length === 0 ? undefined : `lacks the columns ${missing.join(', ')}`
}

const readLine = (header: readonly string[], { record, info: { lines: line } }: Record): FileLine => {
  if (record.length !== header.length)
    return { fault: { line, message: `has ${record.length} fields where the header has ${header.length}` } }
  const { data, error } = recordSchema.safeParse(
    Object.fromEntries(header.map((column, index) => [column, record[index]])),
  )
  if (error) {
    const [issue] = error.issues
    return { fault: { line, message: `${String(issue?.path[0] ?? 'it')} ${issue?.message ?? 'is wrong'}` } }
  }
  const { kind, reference, amount, happened_at: happenedAt, end_to_end_id: endToEndId, fee_amount: feeAmount } = data
  return { number: line, line: { kind, reference, endToEndId, amount, feeAmount, happenedAt } }
}

/** What a file that is no CSV has wrong. Throws any other error again. */
export const faultOf = (error: unknown): FileLine => {
  if (!(error instanceof CsvError)) throw error
  return { fault: { line: Number(error.lines ?? 1), message: `is no CSV: ${error.code}` } }
}

/**
 * Reads a statement from CSV (RFC 4180, UTF-8, with a header), one line at a time: a file may have a million. What is wrong
 * with a line is said instead of it; a file that is no CSV, or has another header, ends with that fault.
 */
export const readStatementFile = async function* (file: Readable): AsyncGenerator<FileLine> {
  const parser = parse({
    bom: true,
    info: true,
    skipEmptyLines: true,
    relaxColumnCount: true,
    maxRecordSize: RECORD_BYTES_MAX,
  })
  // What breaks the file reaches the loop below through the parser.
  pipeline(file, parser, () => undefined)
  let header: readonly string[] | undefined
  try {
    for await (const record of parser as AsyncIterable<Record>) {
      if (header !== undefined) yield readLine(header, record)
      else {
        header = record.record
        const message = headerFault(header)
        if (message !== undefined) return yield { fault: { line: 1, message: `The header ${message}.` } }
      }
    }
  } catch (error) {
    yield faultOf(error)
  }
}
