import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Clock } from '../../clock.ts'
import { csvStream } from '../../http/csv.ts'
import { type JournalQuery, journalFile, journalQuery } from './journal.schemas.ts'
import type { JournalService } from './journal.service.ts'
import { ENTRY_COLUMNS, TOTAL_COLUMNS } from './journal.view.ts'

type Options = { journal: JournalService; clock: Clock }

const streamOf = (journal: JournalService, query: JournalQuery) =>
  query.groupBy === 'entry'
    ? csvStream(ENTRY_COLUMNS, journal.exportEntries(query))
    : csvStream(TOTAL_COLUMNS, journal.exportTotals(query))

const asFile = (reply: FastifyReply, query: JournalQuery) =>
  reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="journal-${query.groupBy}.csv"`)

/** The books as bookkeepers read them. */
export const adminJournalPlugin: FastifyPluginAsyncZod<Options> = async (app, { journal, clock }) => {
  app.get(
    '',
    {
      config: { access: ['admin:finance'] },
      schema: {
        operationId: 'exportJournal',
        summary: 'Export the general journal',
        description:
          'Double entry, over all books, as CSV: every posting with the account of the plan, or what days or months come to. It is sent as it is read, whatever its size. The last 30 days of São Paulo, today included, unless asked otherwise.',
        tags: ['Admin'],
        querystring: journalQuery(clock),
        response: { 200: journalFile },
      },
    },
    async (request, reply) => asFile(reply, request.query).send(streamOf(journal, request.query)) as never,
  )
}
