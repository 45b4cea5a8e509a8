import {
  type Cursor,
  goingOnBehind,
  type PageRequest,
  type Searched,
  type Sort,
  toListResponse,
} from '../../db/page.ts'
import type { Walk } from '../../db/paging.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Reads } from '../../repositories.ts'
import type { PaymentSelection } from './payments.filter.ts'
import type { Payment, PaymentKey } from './payments.repository.ts'
import type { ListAllPaymentsQuery, ListPaymentsQuery } from './payments.schemas.ts'
import { csvPaymentView, type SettledPaymentView, settledPaymentView } from './payments.view.ts'
import type { Settlement } from './settlements.repository.ts'

type Dependencies = { read: Pick<Reads, 'payments' | 'settlements' | 'users'> }

type Found = AsyncGenerator<readonly Payment[], string | undefined>

const EXPORT_BATCH_SIZE = 1_000

const nameOf = ({ sellerId, id }: PaymentKey): string => `${sellerId}/${id}`

const selectionOf = ({ page, ...filter }: ListPaymentsQuery, sellerId: string | undefined): PaymentSelection => ({
  ...filter,
  sellerId,
  isPaid: page.sort.field === 'paidAt' || undefined,
})

// The last row of a batch is where the next one begins.
const placeOf = ({ sort }: Pick<PageRequest, 'sort'>, row: Payment): NonNullable<Walk['after']> => {
  if (sort.field === 'createdAt') return { id: row.id }
  return { id: row.id, value: sort.field === 'amount' ? String(row.amount) : row.paidAt?.toISOString() }
}

/** Payments page by page, and whole selections of them. */
export const createPaymentLists = ({ read }: Dependencies) => {
  // Only what was paid has parts.
  const withParts = async (rows: readonly Payment[]): Promise<(row: Payment) => SettledPaymentView> => {
    const parts = await read.settlements.listByPayments(rows.filter(({ paidAt }) => paidAt !== null))
    const ofPayment = new Map<string, Settlement[]>()
    for (const part of parts) {
      const name = nameOf({ sellerId: part.sellerId, id: part.paymentId })
      ofPayment.set(name, [...(ofPayment.get(name) ?? []), part])
    }
    return (row) => settledPaymentView(row, ofPayment.get(nameOf(row)) ?? [])
  }

  const withSellers = async (rows: readonly Payment[]) => {
    const sellers = await read.users.listByIds([...new Set(rows.map(({ sellerId }) => sellerId))])
    const byId = new Map(sellers.map((seller) => [seller.id, seller]))
    const settled = await withParts(rows)
    return (row: Payment) => {
      const seller = byId.get(row.sellerId)
      return { ...settled(row), sellerName: seller?.name ?? '', sellerEmail: seller?.email ?? '' }
    }
  }

  const pageOf = async <View>(
    query: ListPaymentsQuery,
    sellerId: string | undefined,
    viewOf: (rows: readonly Payment[]) => Promise<(row: Payment) => View>,
  ) => {
    const found = await read.payments.list(selectionOf(query, sellerId), query.page)
    const list = toListResponse(found, query.page, await viewOf(found.rows))
    return { ...list, searchedTo: found.searchedTo } satisfies Searched<typeof list>
  }

  async function* walk(selection: PaymentSelection, { sort }: PageRequest): AsyncGenerator<readonly Payment[]> {
    for (let after: Walk['after']; ; ) {
      const rows = await read.payments.listNext(selection, { after, sort }, EXPORT_BATCH_SIZE)
      yield rows
      const last = rows.at(-1)
      if (rows.length < EXPORT_BATCH_SIZE || last === undefined) return
      after = placeOf({ sort }, last)
    }
  }

  // All that a search finds of what it looks through at a time, and how far it got where that was not everything.
  async function* searchOnce(selection: PaymentSelection, sort: Sort, cursor: Cursor | undefined): Found {
    for (let page = 1; ; page += 1) {
      const found = await read.payments.list(selection, { page, perPage: EXPORT_BATCH_SIZE, sort, cursor })
      yield found.rows
      if (page * EXPORT_BATCH_SIZE >= found.totalRecords) return found.searchedTo
    }
  }

  async function* search(selection: PaymentSelection, { sort }: PageRequest): AsyncGenerator<readonly Payment[]> {
    for (let cursor: Cursor | undefined; ; ) {
      const searchedTo = yield* searchOnce(selection, sort, cursor)
      if (searchedTo === undefined) return
      cursor = goingOnBehind(searchedTo)
    }
  }

  async function* files(query: ListPaymentsQuery, sellerId: string | undefined) {
    const selection = selectionOf(query, sellerId)
    const batches = selection.search === undefined ? walk(selection, query.page) : search(selection, query.page)
    for await (const rows of batches) {
      const settled = await withParts(rows)
      yield rows.map((row) => csvPaymentView(settled(row)))
    }
  }

  return {
    withParts,
    withSellers,

    /** A seller's own, newest first unless asked otherwise. */
    list: (actor: Actor, query: ListPaymentsQuery) => pageOf(query, actor.sellerId, withParts),

    /** The whole selection in batches, as lines of a file. */
    export: (actor: Actor, query: ListPaymentsQuery) => files(query, actor.sellerId),

    /** All sellers' payments, for administrators. */
    listAll: (query: ListAllPaymentsQuery) => pageOf(query, query.sellerId, withSellers),

    exportAll: (query: ListAllPaymentsQuery) => files(query, query.sellerId),
  }
}
