import type { Clock } from '../../clock.ts'
import { NEWEST_FIRST, type Sort, toListResponse } from '../../db/page.ts'
import type { Walk } from '../../db/paging.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Language } from '../../domain/language.ts'
import { ZERO } from '../../domain/money.ts'
import type { Reads } from '../../repositories.ts'
import { transactionErrors } from './transactions.errors.ts'
import type { StatementFilter, StatementRow } from './transactions.queries.ts'
import type { AdminTransactionsQuery, TransactionsQuery, TransactionView } from './transactions.schemas.ts'
import { movementOf, transactionView } from './transactions.view.ts'

type Dependencies = { read: Pick<Reads, 'transactions'>; clock: Clock }

export type TransactionsService = ReturnType<typeof createTransactionsService>

const EXPORT_BATCH_SIZE = 1_000
const OLDEST_FIRST: Sort = { ...NEWEST_FIRST, descending: false }

const filterOf = ({ type, bucket, direction, from, to }: TransactionsQuery, sellerId?: string): StatementFilter => ({
  sellerId,
  kinds: type,
  buckets: bucket,
  direction,
  from,
  to,
})

const isNarrowed = ({ type = [], bucket = [], direction }: TransactionsQuery): boolean =>
  type.length > 0 || bucket.length > 0 || direction !== undefined

const earlier = (one: Date | undefined, other: Date): Date => (one !== undefined && one < other ? one : other)

export const createTransactionsService = ({ read, clock }: Dependencies) => {
  const page = async (query: TransactionsQuery, sellerId: string | undefined, language: Language) => {
    const found = await read.transactions.list(filterOf(query, sellerId), query.page)
    return toListResponse(found, query.page, (row) => transactionView(row, language))
  }

  async function* batches<View>(
    filter: StatementFilter,
    sort: Sort,
    view: (row: StatementRow) => View,
  ): AsyncGenerator<View[]> {
    for (let after: Walk['after']; ; ) {
      const rows = await read.transactions.listNext(filter, { after, sort }, EXPORT_BATCH_SIZE)
      if (rows.length > 0) yield rows.map(view)
      if (rows.length < EXPORT_BATCH_SIZE) return
      after = rows.at(-1)?.posting
    }
  }

  return {
    /** A page of the seller's statement, newest first. */
    list: (actor: Actor, query: TransactionsQuery, language: Language) => page(query, actor.sellerId, language),

    /** The whole selection in batches. Newest first, what was posted after it began is not in it. */
    export: (actor: Actor, query: TransactionsQuery, language: Language) =>
      batches(filterOf(query, actor.sellerId), query.page.sort, (row) => transactionView(row, language)),

    /**
     * The available balance of a period as a bank statement, oldest first, up to now at most; from the first movement on
     * where it is not said. Throws transaction.statement_filtered.
     */
    async getStatement({ sellerId }: Actor, query: TransactionsQuery, language: Language) {
      if (isNarrowed(query)) throw transactionErrors.statement_filtered()
      const { from, to } = query
      const end = earlier(to, clock.now())
      const filter: StatementFilter = { sellerId, buckets: ['available'], from, to: end }
      const [openingBalance, [first]] = await Promise.all([
        from === undefined ? ZERO : read.transactions.findBalance(sellerId, 'available', from),
        read.transactions.listNext(filter, { after: undefined, sort: OLDEST_FIRST }, 1),
      ])
      const start = earlier(from ?? first?.posting.createdAt, end)
      const movements = batches(filter, OLDEST_FIRST, (row) => movementOf(row, language))
      return { accountId: sellerId, from: start, to: end, openingBalance, batches: movements }
    },

    /** A page of all sellers' statements, for administrators. */
    listAll: (query: AdminTransactionsQuery, language: Language) => page(query, query.sellerId, language),

    exportAll: (query: AdminTransactionsQuery, language: Language) =>
      batches(filterOf(query, query.sellerId), query.page.sort, (row) => transactionView(row, language)),

    /** Throws transaction.not_found. */
    async get(actor: Actor, id: string, language: Language): Promise<TransactionView> {
      const row = await read.transactions.find(actor.sellerId, id)
      if (row === undefined) throw transactionErrors.not_found()
      return transactionView(row, language)
    },
  }
}
