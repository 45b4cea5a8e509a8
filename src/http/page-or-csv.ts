import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ListResponse, Searched } from '../db/page.ts'
import { csvStream, prefersCsv } from './csv.ts'
import { linkPages } from './pagination.ts'

type Request = FastifyRequest & Parameters<typeof linkPages>[0]

type Forms<List, Row> = {
  /** What the file is called. */
  fileName: string
  columns: readonly (keyof Row & string)[]
  page: () => Promise<List>
  /** The whole selection in batches. */
  rows: () => AsyncIterable<readonly Row[]>
}

/** One resource in two forms: a page as JSON with its `Link` header, or the whole selection as a CSV file. */
export const pageOrCsv = async <List extends Searched<ListResponse<{ id: string }>>, Row extends object>(
  request: Request,
  reply: FastifyReply,
  { fileName, columns, page, rows }: Forms<List, Row>,
): Promise<List> => {
  if (!prefersCsv(request, reply)) return linkPages(request, reply, await page(), { cursors: true })
  void reply.type('text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${fileName}"`)
  return reply.send(csvStream(columns, rows())) as never
}

/** What the description of such a list says. */
export const AS_CSV = 'Send `Accept: text/csv` for the whole selection as a file, whatever its size.'
