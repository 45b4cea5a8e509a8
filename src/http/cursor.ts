import type { Cursor, Sort } from '../db/page.ts'
import { isUuid } from '../domain/uuid.ts'

/** What the values of a field are. They are checked, so that no cursor of a stranger's making reaches the database. */
export type SortKind = 'number' | 'instant'

const INSTANT = /^[12]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

const isInstant = (text: string): boolean => {
  const date = new Date(INSTANT.test(text) ? text : Number.NaN)
  // The parser reads 30 February as a day in March.
  return !Number.isNaN(date.getTime()) && date.toISOString() === text
}

const IS_VALUE: Readonly<Record<SortKind, (text: string) => boolean>> = {
  number: (text) => /^-?\d{1,15}$/.test(text),
  instant: isInstant,
}

/** An order as the query names it: `-amount` is by amount, the largest first. */
export const nameOfSort = ({ field, descending }: Sort): string => `${descending ? '-' : ''}${field}`

const isNewestFirst = ({ field, descending }: Sort): boolean => field === 'createdAt' && descending

/** A place in a list as an opaque text. It names the order that it is of, unless that is the usual one. */
export const encodeCursor = ({ direction, page, id, value, searchedTo }: Cursor, sort: Sort): string => {
  const order = isNewestFirst(sort) ? [] : [nameOfSort(sort), ...(value === undefined ? [] : [value])]
  const way = `${direction === 'after' ? 'a' : 'b'}${searchedTo ?? ''}`
  return Buffer.from([way, page, id, ...order].join('.')).toString('base64url')
}

const decodePlace = (way: string, pageText: string | undefined, id: string): Cursor | undefined => {
  const page = Number(pageText)
  const searchedTo = way.slice(1) || undefined
  if (!/^[ab]/.test(way) || !isUuid(id) || (searchedTo !== undefined && !isUuid(searchedTo))) return undefined
  if (!Number.isSafeInteger(page) || page < 1) return undefined
  return { direction: way.startsWith('a') ? 'after' : 'before', page, id, searchedTo }
}

/**
 * The place that a text stands for in a list of this order; undefined where it stands for none. `kind`: what the list is
 * sorted by, where that is not the time of creation.
 */
export const decodeCursor = (text: string, sort: Sort, kind: SortKind | undefined): Cursor | undefined => {
  const [way = '', page, id = '', order, ...rest] = Buffer.from(text, 'base64url').toString().split('.')
  const place = decodePlace(way, page, id)
  if (place === undefined || order !== (isNewestFirst(sort) ? undefined : nameOfSort(sort))) return undefined
  if (kind === undefined || place.id === place.searchedTo) return rest.length === 0 ? place : undefined
  const value = rest.join('.')
  return IS_VALUE[kind](value) ? { ...place, value } : undefined
}
