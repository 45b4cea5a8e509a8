import { type Sort, toListResponse } from '../../db/page.ts'
import type { Walk } from '../../db/paging.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Language } from '../../domain/language.ts'
import type { Reads } from '../../repositories.ts'
import { transactionErrors } from './transactions.errors.ts'
import type { StatementFilter } from './transactions.queries.ts'
import type { AdminTransactionsQuery, TransactionsQuery, TransactionView } from './transactions.schemas.ts'
import { transactionView } from './transactions.view.ts'

type Dependencies = { read: Pick<Reads, 'transactions'> }

export type TransactionsService = ReturnType<typeof createTransactionsService>

const EXPORT_BATCH_SIZE = 1_000

const filterOf = ({ type, bucket, direction, from, to }: TransactionsQuery, sellerId?: string): StatementFilter => ({
  sellerId,
  kinds: type,
  buckets: bucket,
  direction,
  from,
  to,
})

export const createTransactionsService = ({ read }: Dependencies) => {
  const page = async (query: TransactionsQuery, sellerId: string | undefined, language: Language) => {
    const found = await read.transactions.list(filterOf(query, sellerId), query.page)
    return toListResponse(found, query.page, (row) => transactionView(row, language))
  }

  async function* batches(filter: StatementFilter, sort: Sort, language: Language): AsyncGenerator<TransactionView[]> {
    for (let after: Walk['after']; ; ) {
      const rows = await read.transactions.listNext(filter, { after, sort }, EXPORT_BATCH_SIZE)
      if (rows.length > 0) yield rows.map((row) => transactionView(row, language))
      if (rows.length < EXPORT_BATCH_SIZE) return
      after = rows.at(-1)?.posting
    }
  }

  return {
    /** A page of the seller's statement, newest first. */
    list: (actor: Actor, query: TransactionsQuery, language: Language) => page(query, actor.sellerId, language),

    /** The whole selection in batches. Newest first, what was posted after it began is not in it. */
    export: (actor: Actor, query: TransactionsQuery, language: Language) =>
      batches(filterOf(query, actor.sellerId), query.page.sort, language),

    /** A page of all sellers' statements, for administrators. */
    listAll: (query: AdminTransactionsQuery, language: Language) => page(query, query.sellerId, language),

    exportAll: (query: AdminTransactionsQuery, language: Language) =>
      batches(filterOf(query, query.sellerId), query.page.sort, language),

    /** Throws transaction.not_found. */
    async get(actor: Actor, id: string, language: Language): Promise<TransactionView> {
      const row = await read.transactions.find(actor.sellerId, id)
      if (row === undefined) throw transactionErrors.not_found()
      return transactionView(row, language)
    },
  }
}
