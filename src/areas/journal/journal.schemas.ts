import { z } from 'zod'
import type { Clock } from '../../clock.ts'
import { csvFile } from '../../http/csv.ts'
import { reportQuery } from '../../http/period.schemas.ts'
import { idSchema } from '../../http/primitives.schemas.ts'

export const JOURNAL_GROUPINGS = ['entry', 'day', 'month'] as const

export const journalQuery = (clock: Clock) =>
  reportQuery(clock, {
    sellerId: idSchema.optional().meta({ description: 'Only the book of this seller.' }),
    groupBy: z
      .enum(JOURNAL_GROUPINGS)
      .default('entry')
      .meta({
        description:
          '`entry`: every posting is a line. `day` and `month`: a line for each São Paulo day or month, kind of transfer and account.',
        examples: ['day'],
      }),
  })

export type JournalQuery = z.output<ReturnType<typeof journalQuery>>

export const journalFile = {
  description: 'The general journal, in centavos. Its debits and its credits are the same sum.',
  content: { 'text/csv': { schema: csvFile } },
}
