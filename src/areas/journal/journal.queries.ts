import { type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import { firstIdOf, ID_SLACK_MS } from '../../db/id-period.ts'
import type { LedgerAccount, TransferKind } from '../../domain/ledger.ts'
import { type Centavos, centavos } from '../../domain/money.ts'
import type { PaymentMethod } from '../../domain/payment.ts'
import type { ReportPeriod } from '../../domain/period.ts'
import type { ReferenceType } from '../../domain/transfer.ts'

/** Postings of a period, of one book or of all. */
export type JournalScope = ReportPeriod & { sellerId?: string | undefined }

/** A posting with the transfer that it is a leg of. */
export type JournalEntry = {
  createdAt: Date
  transferId: string
  leg: number
  sellerId: string
  kind: TransferKind
  referenceType: ReferenceType
  referenceId: string
  method: PaymentMethod | null
  account: LedgerAccount
  amount: Centavos
  description: string
}

/** Everything of one kind on one account on one São Paulo date. */
export type JournalTotal = {
  date: string
  kind: TransferKind
  account: LedgerAccount
  postingsCount: number
  debitAmount: Centavos
  creditAmount: Centavos
}

/** The entry that a walk goes on after. */
export type JournalPlace = Pick<JournalEntry, 'createdAt' | 'transferId' | 'leg'>

type Raw<Row> = { [Name in keyof Row]: Row[Name] extends number ? string : Row[Name] }

// By the time in their ids within a book; of all books by the order in which they were written, which the index on
// `created_at` follows.
const within = ({ from, to, sellerId }: JournalScope): SQL => {
  const idAt = (at: Date, slackMs: number): SQL => sql`${firstIdOf(at.getTime() + slackMs)}::uuid`
  const ofBook =
    sellerId === undefined
      ? sql`true`
      : sql`posting.seller_id = ${sellerId}::uuid and posting.id >= ${idAt(from, -ID_SLACK_MS)} and posting.id < ${idAt(to, ID_SLACK_MS)}`
  return sql`posting.created_at >= ${from.toISOString()}::timestamptz and posting.created_at < ${to.toISOString()}::timestamptz and ${ofBook}`
}

export const createJournalQueries = (db: Reader) => ({
  /** The next entries after a place, by time; those of one transfer stand together, in their order. */
  async listEntries(scope: JournalScope, { createdAt, transferId, leg }: JournalPlace, limit: number) {
    const { rows } = await db.execute<Raw<JournalEntry>>(sql`
      select entry.created_at as "createdAt", entry.transfer_id as "transferId", entry.leg, entry.seller_id as "sellerId",
        entry.kind, transfer.reference_type as "referenceType", transfer.reference_id as "referenceId", entry.method,
        entry.account, entry.amount, transfer.description
      from (
        select * from ledger_postings as posting
        where ${within(scope)}
          and (created_at, transfer_id, leg) > (${createdAt.toISOString()}::timestamptz, ${transferId}::uuid, ${leg}::smallint)
        order by created_at, transfer_id, leg limit ${limit}
      ) as entry
      join ledger_transfers as transfer on transfer.seller_id = entry.seller_id and transfer.id = entry.transfer_id
      order by entry.created_at, entry.transfer_id, entry.leg`)
    return rows.map(
      (row): JournalEntry => ({
        ...row,
        createdAt: new Date(row.createdAt),
        leg: Number(row.leg),
        amount: centavos(Number(row.amount)),
      }),
    )
  },

  /** What a period comes to by date, kind and account. */
  async listTotals(scope: JournalScope): Promise<JournalTotal[]> {
    const { rows } = await db.execute<Raw<JournalTotal>>(sql`
      select sao_paulo_date(created_at)::text as date, kind, account, count(*) as "postingsCount",
        coalesce(-sum(amount) filter (where amount < 0), 0)::bigint as "debitAmount",
        coalesce(sum(amount) filter (where amount > 0), 0)::bigint as "creditAmount"
      from ledger_postings as posting where ${within(scope)}
      group by 1, 2, 3 order by 1, 2, 3`)
    return rows.map((row) => ({
      ...row,
      postingsCount: Number(row.postingsCount),
      debitAmount: centavos(Number(row.debitAmount)),
      creditAmount: centavos(Number(row.creditAmount)),
    }))
  },
})
