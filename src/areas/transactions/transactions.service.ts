import { type Sort, toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import { invariant } from '../../domain/invariant.ts'
import { isSellerAccount } from '../../domain/ledger.ts'
import { absolute } from '../../domain/money.ts'
import { toTimestamp } from '../../domain/timestamp.ts'
import type { Reads } from '../../repositories.ts'
import { transactionErrors } from './transactions.errors.ts'
import type { StatementFilter, StatementRow } from './transactions.queries.ts'
import type { AdminTransactionsQuery, TransactionsQuery, TransactionView } from './transactions.schemas.ts'

type Dependencies = { read: Pick<Reads, 'transactions'> }

export type TransactionsService = ReturnType<typeof createTransactionsService>

const EXPORT_BATCH_SIZE = 1_000

const transactionView = ({ posting, transfer }: StatementRow): TransactionView => {
  invariant(isSellerAccount(posting.account), "a statement shows the seller's buckets only")
  return {
    id: posting.id,
    sellerId: posting.sellerId,
    type: transfer.kind,
    bucket: posting.account,
    direction: posting.amount > 0 ? 'credit' : 'debit',
    amount: absolute(posting.amount),
    balanceAfter: posting.balanceAfterAmount,
    referenceType: transfer.referenceType,
    referenceId: transfer.referenceId,
    description: transfer.description,
    createdAt: toTimestamp(posting.createdAt),
  }
}

const filterOf = ({ type, bucket, direction, from, to }: TransactionsQuery, sellerId?: string): StatementFilter => ({
  sellerId,
  kinds: type,
  buckets: bucket,
  direction,
  from,
  to,
})

export const createTransactionsService = ({ read }: Dependencies) => {
  const page = async (query: TransactionsQuery, sellerId: string | undefined) => {
    const found = await read.transactions.list(filterOf(query, sellerId), query.page)
    return toListResponse(found, query.page, transactionView)
  }

  async function* batches(filter: StatementFilter, sort: Sort): AsyncGenerator<TransactionView[]> {
    for (let after: string | undefined; ; ) {
      const rows = await read.transactions.listAfter(filter, { after, sort }, EXPORT_BATCH_SIZE)
      if (rows.length > 0) yield rows.map(transactionView)
      if (rows.length < EXPORT_BATCH_SIZE) return
      after = rows.at(-1)?.posting.id
    }
  }

  return {
    /** A page of the seller's statement, newest first. */
    list: (actor: Actor, query: TransactionsQuery) => page(query, actor.sellerId),

    /** The whole selection in batches. Newest first, what was posted after it began is not in it. */
    export: (actor: Actor, query: TransactionsQuery) => batches(filterOf(query, actor.sellerId), query.page.sort),

    /** A page of all sellers' statements, for administrators. */
    listAll: (query: AdminTransactionsQuery) => page(query, query.sellerId),

    exportAll: (query: AdminTransactionsQuery) => batches(filterOf(query, query.sellerId), query.page.sort),

    /** Throws transaction.not_found. */
    async get(actor: Actor, id: string): Promise<TransactionView> {
      const row = await read.transactions.find(actor.sellerId, id)
      if (row === undefined) throw transactionErrors.not_found()
      return transactionView(row)
    },
  }
}
