import { z } from 'zod'
import { NEWEST_FIRST, type PageRequest, type Sort } from '../db/page.ts'
import type { Period } from '../domain/period.ts'
import { decodeCursor, nameOfSort, type SortKind } from './cursor.ts'
import { periodFields } from './period.schemas.ts'
import { queryNumber } from './primitives.schemas.ts'

const PER_PAGE_DEFAULT = 50
export const PER_PAGE_MAX = 100
const PAGE_MAX = 1_000_000_000

const wholeNumber = queryNumber(1, PAGE_MAX)

const pageFields = {
  page: wholeNumber.optional().meta({ description: 'Page number, from 1.', examples: [1] }),
  perPage: wholeNumber.optional().meta({
    description: 'Records per page, 50 by default. More than 100 is served as 100; the answer reports what was served.',
    examples: [50],
  }),
}

const cursorField = {
  cursor: z.string().min(1).max(200).optional().meta({
    description:
      'Opaque place in the list, from a Link header: as fast on the last page as on the first. It is of one order: leave `sort` as it was.',
  }),
}

type ListOptions = {
  /** Whether pages can also be asked for by cursor. */
  cursors?: boolean
  /** What it can be sorted by beside the time of creation. Each needs an index that serves it. */
  sorts?: Readonly<Record<string, SortKind>>
  /** The order that it has unless another is asked for. */
  usual?: Sort
}

const parseSort = (name: string): Sort => ({ field: name.replace('-', ''), descending: name.startsWith('-') })

const sortField = ({ sorts = {}, usual = NEWEST_FIRST }: ListOptions) => {
  const fields = [...new Set([usual.field, 'createdAt', ...Object.keys(sorts)])]
  const names = fields.flatMap((field) => [`-${field}`, field])
  const preset = nameOfSort(usual)
  return z
    .enum(names)
    .default(preset)
    .meta({
      description: 'Field to sort by, descending with a minus; equal ones by their ids.',
      examples: [preset],
    })
}

type AskedPage = { page?: number | undefined; perPage?: number | undefined; cursor?: string | undefined; sort: string }

/** What is asked for, with defaults and bounds applied; undefined: the cursor is none of this list. */
const pageRequest = (asked: AskedPage, { sorts = {} }: ListOptions): PageRequest | undefined => {
  const sort = parseSort(asked.sort)
  const perPage = Math.min(asked.perPage ?? PER_PAGE_DEFAULT, PER_PAGE_MAX)
  if (asked.cursor === undefined) return { page: asked.page ?? 1, perPage, sort }
  const cursor = decodeCursor(asked.cursor, sort, sorts[sort.field])
  return cursor && { page: cursor.page, perPage, sort, cursor }
}

/** The query of a list that has no period: its own fields, and the page that is asked for in `page`. */
export const pageQuery = <Fields extends z.ZodRawShape>(fields: Fields, options: ListOptions = {}) =>
  z
    .strictObject({ ...pageFields, ...(options.cursors ? cursorField : {}), sort: sortField(options), ...fields })
    .transform((query, context) => {
      const { page, perPage, cursor, sort, ...rest } = query as AskedPage
      const request = pageRequest({ page, perPage, cursor, sort }, options)
      if (request === undefined) {
        const params = { code: 'invalid_cursor' }
        context.addIssue({ code: 'custom', path: ['cursor'], message: 'Take the cursor from a Link header.', params })
        return z.NEVER
      }
      // The generic shape is opaque to the compiler, which cannot take fields from it.
      return { ...(rest as unknown as z.output<z.ZodObject<Fields>>), page: request }
    })

const isReversed = ({ from, to }: Period): boolean => from !== undefined && to !== undefined && from > to

/** The query of a list: its own filters, the period of `createdAt`, and the page that is asked for in `page`. */
export const listQuery = <Filters extends z.ZodRawShape>(filters: Filters, options: ListOptions = {}) =>
  pageQuery({ ...periodFields, ...filters }, options).superRefine((query, context) => {
    if (!isReversed(query as Period)) return
    const params = { code: 'invalid_period' }
    context.addIssue({ code: 'custom', path: ['from'], message: 'must not be after `to`', params })
  })
