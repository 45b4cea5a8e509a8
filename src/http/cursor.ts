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
export const encodeCursor = ({ direction, page, id, value }: Cursor, sort: Sort): string => {
  const order = isNewestFirst(sort) ? [] : [nameOfSort(sort), ...(value === undefined ? [] : [value])]
  return Buffer.from([direction === 'after' ? 'a' : 'b', page, id, ...order].join('.')).toString('base64url')
}

const decodePlace = (direction: string | undefined, pageText: string | undefined, id: string): Cursor | undefined => {
  const page = Number(pageText)
  if ((direction !== 'a' && direction !== 'b') || !isUuid(id)) return undefined
  if (!Number.isSafeInteger(page) || page < 1) return undefined
  return { direction: direction === 'a' ? 'after' : 'before', page, id }
}

/**
 * The place that a text stands for in a list of this order; undefined where it stands for none. `kind`: what the list is
 * sorted by, where that is not the time of creation.
 */
export const decodeCursor = (text: string, sort: Sort, kind: SortKind | undefined): Cursor | undefined => {
  const [direction, page, id = '', order, ...rest] = Buffer.from(text, 'base64url').toString().split('.')
  const place = decodePlace(direction, page, id)
  if (place === undefined || order !== (isNewestFirst(sort) ? undefined : nameOfSort(sort))) return undefined
  if (kind === undefined) return rest.length === 0 ? place : undefined
  const value = rest.join('.')
  return IS_VALUE[kind](value) ? { ...place, value } : undefined
}
