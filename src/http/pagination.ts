import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { requestErrors } from '../errors.ts'
import { queryNumber } from './primitives.schemas.ts'

const PER_PAGE_DEFAULT = 50
export const PER_PAGE_MAX = 100
const PAGE_MAX = 1_000_000_000

const wholeNumber = queryNumber(1, PAGE_MAX)

/** Query fields that every list takes. A perPage over 100 is served as 100. */
export const pageFields = {
  page: wholeNumber.optional().meta({ description: 'Page number, from 1.', examples: [1] }),
  perPage: wholeNumber.optional().meta({
    description: 'Records per page, 50 by default. More than 100 is served as 100; the answer reports what was served.',
    examples: [50],
  }),
}

/** Opaque place in a list, taken from a `Link` header. As fast on the last page as on the first. */
export const cursorField = {
  cursor: z.string().min(1).max(200).optional().meta({ description: 'Opaque place in the list, from a Link header.' }),
}

/** Where a page begins: after (or before) the row with this id, or by counting pages. */
export type Cursor = { direction: 'after' | 'before'; id: string; page: number }
export type PageRequest = { page: number; perPage: number; cursor?: Cursor | undefined }
/** One page: at most `perPage` rows, and how many rows there are in all. */
export type Page<Row> = { rows: readonly Row[]; totalRecords: number }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const encodeCursor = ({ direction, id, page }: Cursor) =>
  Buffer.from(`${direction === 'after' ? 'a' : 'b'}.${page}.${id}`).toString('base64url')

const cursorFault = () =>
  requestErrors.failed({
    errors: [{ in: 'query', path: 'cursor', code: 'invalid_cursor', message: 'Take the cursor from a Link header.' }],
  })

const decodeCursor = (text: string): Cursor => {
  const [direction, pageText, id] = Buffer.from(text, 'base64url').toString().split('.')
  const page = Number(pageText)
  if ((direction !== 'a' && direction !== 'b') || !Number.isSafeInteger(page) || page < 1 || !id || !UUID.test(id)) {
    throw cursorFault()
  }
  return { direction: direction === 'a' ? 'after' : 'before', id, page }
}

type PageQuery = { page?: number | undefined; perPage?: number | undefined; cursor?: string | undefined }

/** What the client asked for, with defaults and bounds applied. Throws validation.failed for a broken cursor. */
export const pageRequest = (query: PageQuery): PageRequest => {
  const cursor = query.cursor === undefined ? undefined : decodeCursor(query.cursor)
  const perPage = Math.min(query.perPage ?? PER_PAGE_DEFAULT, PER_PAGE_MAX)
  return { page: cursor?.page ?? query.page ?? 1, perPage, cursor }
}

/** The list envelope of the interface. `what` names the records in the documentation. */
export const listResponse = <Row extends z.ZodType>(row: Row, what: string) =>
  z
    .object({
      data: z
        .array(row)
        .max(PER_PAGE_MAX)
        .meta({ description: `The ${what} of this page.` }),
      totalRecords: z
        .number()
        .int()
        .min(0)
        .meta({ description: `How many ${what} there are in all.`, examples: [1] }),
      totalPages: z
        .number()
        .int()
        .min(0)
        .meta({ description: 'How many pages there are.', examples: [1] }),
      perPage: z
        .number()
        .int()
        .min(1)
        .meta({ description: 'Page size that was served.', examples: [50] }),
      currentPage: z
        .number()
        .int()
        .min(1)
        .meta({ description: 'Number of this page, from 1.', examples: [1] }),
    })
    .meta({ description: `One page of ${what}.` })

export type ListResponse<Row> = {
  data: Row[]
  totalRecords: number
  totalPages: number
  perPage: number
  currentPage: number
}

/** Puts a page into the envelope, showing each row through `view`. */
export const toListResponse = <Row, View>(
  page: Page<Row>,
  request: PageRequest,
  view: (row: Row) => View,
): ListResponse<View> => ({
  data: page.rows.map(view),
  totalRecords: page.totalRecords,
  totalPages: Math.ceil(page.totalRecords / request.perPage),
  perPage: request.perPage,
  currentPage: request.page,
})

type Linked = { id: string }

type Place = { withCursors: boolean; byCursor: boolean }

// Rows that came or went since the first page make a cursor's page number wrong; how full the page is tells the end.
const hasNext = ({ data, perPage, currentPage, totalPages, totalRecords }: ListResponse<Linked>, byCursor: boolean) =>
  byCursor
    ? data.length === perPage && data.length !== totalRecords - (currentPage - 1) * perPage
    : currentPage < totalPages

const relations = (
  list: ListResponse<Linked>,
  { withCursors, byCursor }: Place,
): [rel: string, params: [string, string]][] => {
  const { currentPage, totalPages } = list
  const at = (page: number): [string, string] => ['page', String(page)]
  const first = list.data.at(0)
  const last = list.data.at(-1)
  const links: [string, [string, string]][] = [['first', at(1)]]
  if (currentPage > 1) {
    const cursor = encodeCursor({ direction: 'before', id: first?.id ?? '', page: currentPage - 1 })
    links.push(['prev', withCursors && first ? ['cursor', cursor] : at(currentPage - 1)])
  }
  if (hasNext(list, byCursor)) {
    const cursor = encodeCursor({ direction: 'after', id: last?.id ?? '', page: currentPage + 1 })
    links.push(['next', withCursors && last ? ['cursor', cursor] : at(currentPage + 1)])
  }
  links.push(['last', at(Math.max(1, totalPages))])
  return links
}

/** Sets the `Link` header (RFC 8288) of a list answer: `first`, `prev`, `next` and `last`, other query fields kept. */
export const linkPages = <List extends ListResponse<Linked>>(
  request: FastifyRequest,
  reply: FastifyReply,
  list: List,
  { cursors = false }: { cursors?: boolean } = {},
): List => {
  const [path = '', search = ''] = request.url.split('?')
  const byCursor = new URLSearchParams(search).has('cursor')
  const header = relations(list, { withCursors: cursors, byCursor }).map(([rel, [name, value]]) => {
    const params = new URLSearchParams(search)
    params.delete('page')
    params.delete('cursor')
    params.set('perPage', String(list.perPage))
    params.set(name, value)
    return `<${path}?${params}>; rel="${rel}"`
  })
  void reply.header('link', header.join(', '))
  return list
}
