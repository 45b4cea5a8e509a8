import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { type Cursor, goingOnBehind, type ListResponse, type PageRequest, type Searched } from '../db/page.ts'
import { encodeCursor } from './cursor.ts'
import { PER_PAGE_MAX } from './list-query.schemas.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A search of the list looks through the newest records alone, and says with `Search-Complete` whether there are more. */
    searchedInParts?: boolean
  }
}

const titleOf = (row: z.ZodType): { title?: string } => {
  const { title } = z.globalRegistry.get(row) ?? {}
  return title === undefined ? {} : { title: `${title}List` }
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
    .meta({ ...titleOf(row), description: `One page of ${what}.` })

type Linked = { id: string }

type Place = { withCursors: boolean; request: PageRequest }

// Rows that came or went since the first page make a cursor's page number wrong; how full the page is tells the end.
const hasNext = ({ data, perPage, currentPage, totalPages, totalRecords }: ListResponse<Linked>, byCursor: boolean) =>
  byCursor
    ? data.length === perPage && data.length !== totalRecords - (currentPage - 1) * perPage
    : currentPage < totalPages

// What a list is sorted by is a field of what it shows.
const placeOf = (row: Linked, { field }: PageRequest['sort']): Pick<Cursor, 'id' | 'value'> => {
  if (field === 'createdAt') return { id: row.id }
  return { id: row.id, value: String((row as Readonly<Record<string, unknown>>)[field]) }
}

const relations = (
  list: Searched<ListResponse<Linked>>,
  { withCursors, request }: Place,
): [rel: string, params: [string, string]][] => {
  const { currentPage, totalPages } = list
  const at = (page: number): [string, string] => ['page', String(page)]
  const beside = (direction: Cursor['direction'], page: number, row: Linked | undefined): [string, string] => {
    if (!withCursors || row === undefined) return at(page)
    const searchedTo = request.cursor?.searchedTo
    return ['cursor', encodeCursor({ direction, page, ...placeOf(row, request.sort), searchedTo }, request.sort)]
  }
  const links: [string, [string, string]][] = [['first', at(1)]]
  if (currentPage > 1) links.push(['prev', beside('before', currentPage - 1, list.data.at(0))])
  if (hasNext(list, request.cursor !== undefined)) {
    links.push(['next', beside('after', currentPage + 1, list.data.at(-1))])
  } else if (list.searchedTo !== undefined) {
    links.push(['next', ['cursor', encodeCursor(goingOnBehind(list.searchedTo), request.sort)]])
  }
  // A number is a page of what was looked through first.
  if (request.cursor?.searchedTo === undefined) links.push(['last', at(Math.max(1, totalPages))])
  return links
}

/** Sets the `Link` header (RFC 8288) of a list answer: `first`, `prev`, `next` and `last`, other query fields kept. */
export const linkPages = <List extends Searched<ListResponse<Linked>>>(
  request: { url: string; query: { page: PageRequest } },
  reply: FastifyReply,
  list: List,
  { cursors = false }: { cursors?: boolean } = {},
): List => {
  const [path = '', search = ''] = request.url.split('?')
  const header = relations(list, { withCursors: cursors, request: request.query.page }).map(([rel, [name, value]]) => {
    const params = new URLSearchParams(search)
    params.delete('page')
    params.delete('cursor')
    params.set('perPage', String(list.perPage))
    params.set(name, value)
    return `<${path}?${params}>; rel="${rel}"`
  })
  void reply.header('link', header.join(', '))
  const { searchedInParts } = reply.routeOptions?.config ?? {}
  if (searchedInParts && (request.query as { search?: string }).search !== undefined) {
    void reply.header('search-complete', String(list.searchedTo === undefined))
  }
  return list
}
