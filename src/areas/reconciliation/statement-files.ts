import type { LocalDate } from '../../domain/calendar.ts'
import type { StatementFormat } from '../../domain/reconciliation.ts'
import { readEfiStatementFile } from './efi-statement-file.ts'
import { type FileLine, type OpenFile, readStatementFile } from './statement-file.ts'

type ReadFile = (open: OpenFile, date: LocalDate) => AsyncIterable<FileLine>

/** How a statement of a day is read from a file of each shape. */
export const statementReaders: Readonly<Record<StatementFormat, ReadFile>> = {
  async *csv(open) {
    yield* readStatementFile(await open())
  },
  efi: readEfiStatementFile,
}
