/** The order of a list: by a field of its records, and equal ones by their ids. */
export type Sort = { field: string; descending: boolean }

/** Newest first. Ids are made in the order of time, so that nothing but the id is sorted by. */
export const NEWEST_FIRST: Sort = { field: 'createdAt', descending: true }

/**
 * Where a page begins: after (or before) the row with this id and, in a list that is sorted by another field than
 * `createdAt`, this value of that field.
 */
export type Cursor = {
  direction: 'after' | 'before'
  page: number
  id: string
  value?: string | undefined
  /**
   * Of a search that goes on: the rows from this id on were looked through before. Where it is the id of the place too, it
   * begins there.
   */
  searchedTo?: string | undefined
}

/** Where a search goes on that had looked through all rows down to this id. */
export const goingOnBehind = (searchedTo: string): Cursor => ({
  direction: 'after',
  page: 1,
  id: searchedTo,
  searchedTo,
})

/** Which page of a list, in which order: by number, or by cursor where there is one. */
export type PageRequest = { page: number; perPage: number; sort: Sort; cursor?: Cursor | undefined }

/** One page: at most `perPage` rows, and how many rows there are in all. */
export type Page<Row> = {
  rows: readonly Row[]
  totalRecords: number
  /** Of a search that left older rows: the oldest id that it looked at. Its rows and total are of what it looked at. */
  searchedTo?: string | undefined
}

const inOrder =
  ({ descending }: Sort) =>
  (first: { id: string }, second: { id: string }): number =>
    first.id < second.id === descending ? 1 : -1

/** A page of few rows that are all in memory, in the order of their ids. */
export const pageOf = <Row extends { id: string }>(
  rows: readonly Row[],
  { page, perPage, sort }: PageRequest,
): Page<Row> => ({
  rows: rows.toSorted(inOrder(sort)).slice((page - 1) * perPage, page * perPage),
  totalRecords: rows.length,
})

/** The envelope of every list of the API. */
export type ListResponse<Row> = {
  data: Row[]
  totalRecords: number
  totalPages: number
  perPage: number
  currentPage: number
}

/** A list that was searched, and how far: as on a page. */
export type Searched<List> = List & { searchedTo?: string | undefined }

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
