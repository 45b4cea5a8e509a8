import { type SQL, sql } from 'drizzle-orm'
import { words } from '../db/arrays.ts'
import { PLATFORM_ACCOUNTS, TRANSFER_KINDS } from '../domain/ledger.ts'
import { type PartSums, unionOf } from '../figures/part-sums.queries.ts'
import { isMovement } from './ledger.tables.ts'

const SUMS = sql.raw(
  'count(*) as rows_count, sum(amount)::bigint as amount, 0::bigint as fee_amount, 0::bigint as net_amount',
)

// Written as the index of all statements has it; for one seller otherwise, so that theirs is found by the key.
const isOfStatement = (ofAll: boolean): SQL =>
  ofAll
    ? sql.raw("account in ('available', 'pending', 'reserved', 'blocked', 'withdrawing')")
    : sql`account <> all(${words(PLATFORM_ACCOUNTS)})`

/** What the statements of sellers are counted by: account, kind and direction. */
export const sumStatementPart: PartSums = ({ theirs, ofAll, made, seller }) =>
  unionOf(
    made(sql`created_at`),
    (condition) => sql`
      select ${seller} as seller_id, array[account, kind, case when amount > 0 then 'credit' else 'debit' end] as dimensions,
        1::bigint as rows_count, amount, 0::bigint as fee_amount, 0::bigint as net_amount
      from ledger_postings where ${isOfStatement(ofAll)} and ${theirs} and ${condition}`,
  )

/** Whether a posting is a fee or a cost. Written as the index of them has it. */
export const IS_FEE = sql.raw("account in ('fee_revenue', 'provider_cost')")

/** Fees and costs by account and kind. */
export const sumFeesPart: PartSums = ({ theirs, during, seller }) => sql`(
  select ${seller} as seller_id, array[account, kind, '', ''] as dimensions, ${SUMS}
  from ledger_postings where ${IS_FEE} and ${theirs} and ${during(sql`created_at`)}
  group by 1, account, kind offset 0)`

// The payment that a transfer is about, by itself or by its refund or dispute.
const METHOD = sql.raw(`(
  select payment.method from ledger_transfers as transfer
  join payments as payment on payment.seller_id = transfer.seller_id and payment.id = case transfer.reference_type
    when 'refund' then (
      select payment_id from refunds where refunds.seller_id = transfer.seller_id and refunds.id = transfer.reference_id)
    when 'dispute' then (
      select payment_id from disputes where disputes.seller_id = transfer.seller_id and disputes.id = transfer.reference_id)
    else transfer.reference_id end
  where transfer.seller_id = posting.seller_id and transfer.id = posting.transfer_id)`)

/** The same by the method of their payment too, which is looked up for each. */
export const sumFeesPartByMethod: PartSums = ({ theirs, during, seller }) => sql`
  select seller_id, array[account, kind, '', coalesce(method, '')] as dimensions, ${SUMS}
  from (
    select ${seller} as seller_id, account, kind, amount, ${METHOD} as method
    from ledger_postings as posting where ${IS_FEE} and ${theirs} and ${during(sql`created_at`)}
  ) as fee
  group by 1, account, kind, method`

/**
 * What else transfers move that do more than to bring and settle payments, by account and kind. Kind by kind, and planned
 * apart: Postgres expects none of them in part of a day, and would look among all postings.
 */
export const sumMovementsPart: PartSums = ({ theirs, made, seller }) =>
  unionOf(
    made(sql`created_at`),
    (condition) => sql`
      select ${seller} as seller_id, array[account, kind, '', ''] as dimensions, ${SUMS}
      from unnest(${words(TRANSFER_KINDS)}) as summed (of_kind) cross join lateral (
        select seller_id, account, kind, amount from ledger_postings
        where ${theirs} and ${condition} and kind = of_kind and ${isMovement(sql`kind`)}
          and account not in ('fee_revenue', 'provider_cost', 'losses') offset 0
      ) as movement
      group by 1, account, kind`,
  )

/** Fees and movements. */
export const sumLegsPart: PartSums = (part) => sql`${sumFeesPart(part)} union all ${sumMovementsPart(part)}`
