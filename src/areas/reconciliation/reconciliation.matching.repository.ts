import { type SQL, sql } from 'drizzle-orm'
import type { Writer } from '../../db/client.ts'
import { type Centavos, centavos } from '../../domain/money.ts'
import { PLATFORM_BOOK_ID } from '../../domain/platform-transfers.ts'
import type { ExceptionKind, StatementLineKind } from '../../domain/reconciliation.ts'
import type { StatementLine } from '../../providers/provider.port.ts'

/** One day at one provider that is being compared. */
export type Day = { reconciliationId: string; run: number; provider: string; from: Date; to: Date }

/** A difference, as it stands in this run. */
export type Found = {
  kind: ExceptionKind
  lineKind: StatementLineKind
  subject: string
  sellerId: string | null
  subjectId: string | null
  endToEndId: string | null
  /** How the provider names it, and when it says that it happened. */
  reference: string | null
  happenedAt: Date | null
  providerAmount: Centavos
  platformAmount: Centavos
}

export type DayTotals = { providerAmount: Centavos; platformAmount: Centavos; linesCount: number }

/** How refunds of money that became no payment are named, after what they give back (`unbookedRefundId`). */
const UNBOOKED_REFUND = '^x[0-9a-f]{32}$'

/** More than these of one day are one emergency, and counted only. */
const FOUND_MAX = 10_000

const at = (instant: Date): SQL => sql`${instant.toISOString()}::timestamptz`

const within = (column: SQL, { from, to }: Day): SQL => sql`${column} >= ${at(from)} and ${column} < ${at(to)}`

const linesOf = ({ reconciliationId, run }: Day): SQL =>
  sql`reconciliation_id = ${reconciliationId}::uuid and run = ${run}::integer`

// The same money twice has the same end-to-end id, or the same reference where there is none: the first line stands for it.
// Several refunds of one Pix share its end-to-end id, and are told apart by their references.
const lines = (day: Day): SQL => sql`
  select line.*, money || '#' || nth as subject
  from (
    select *, row_number() over same as nth, first_value(subject_id) over same as first_subject_id,
      first_value(seller_id) over same as first_seller_id
    from (
      select *, case when kind = 'refund' then reference else coalesce(end_to_end_id, reference) end as money
      from provider_statement_lines where ${linesOf(day)}
    ) as filed
    window same as (partition by kind, money order by number)
  ) as line
  where ${within(sql`happened_at`, day)}`

const costOf = sql`(
  select coalesce(-sum(posting.amount), 0) from ledger_transfers as transfer
  join ledger_postings as posting on posting.seller_id = transfer.seller_id and posting.transfer_id = transfer.id
  where transfer.seller_id = payment.seller_id and transfer.reference_id = payment.id
    and transfer.kind = 'payment_received' and posting.account = 'provider_cost'
)`

// What a person gives back stays what they have decided about.
const isGivenBack = (day: Day): SQL => sql`exists (
  select from payer_refunds as given_back
  where given_back.provider = ${day.provider} and given_back.end_to_end_id = line.end_to_end_id
)`

// A Pix that became no payment is in no seller's book: it is missing here until it goes back or somebody explained it. One that
// another Pix had paid, and that nobody here has heard of, is the same money twice.
const foundInCharges = (day: Day): SQL => sql`
  select case
      when nth > 1 or is_other then 'duplicate'
      when payment.paid_at is null then 'missing_here'
      when payment.paid_amount <> line.amount then 'amount'
      else 'fee'
    end as kind, line.kind as line_kind, subject, first_seller_id as seller_id, first_subject_id as subject_id,
    line.end_to_end_id, line.reference, line.happened_at,
    case when nth = 1 and not is_other and payment.paid_amount = line.amount and payment.paid_at is not null
      then line.fee_amount else line.amount end as provider_amount,
    case when nth > 1 or is_other or payment.paid_at is null then 0
      when payment.paid_amount <> line.amount then payment.paid_amount else cost.amount end as platform_amount
  from lines as line
  left join received_pix as extra on extra.provider = ${day.provider} and extra.end_to_end_id = line.end_to_end_id
    and extra.status <> 'booked'
  left join payments as payment on payment.seller_id = line.seller_id and payment.id = line.subject_id
    and extra.id is null
  cross join lateral (select payment.paid_at is not null
    and coalesce(payment.pix_end_to_end_id <> line.end_to_end_id, false) as is_other) as other
  cross join lateral (select case when line.fee_amount is not null then ${costOf} end as amount) as cost
  where line.kind = 'charge' and (
    nth > 1 or is_other
    or (payment.paid_at is null and (coalesce(extra.status, 'open') = 'open' or ${isGivenBack(day)}))
    or payment.paid_amount <> line.amount or line.fee_amount <> cost.amount
  )`

const foundInMoneyOut = (lineKind: 'refund' | 'payout' | 'dispute', unmatched: ExceptionKind, ours: SQL): SQL => sql`
  select case when nth > 1 then 'duplicate' when ours.id is null then ${sql.raw(`'${unmatched}'`)} else 'amount' end,
    line.kind, subject, first_seller_id, first_subject_id, line.end_to_end_id, line.reference, line.happened_at,
    line.amount, case when nth > 1 or ours.id is null then 0 else ours.amount end
  from lines as line left join lateral (${ours}) as ours on true
  where line.kind = ${sql.raw(`'${lineKind}'`)} and (nth > 1 or ours.id is null or ours.amount <> line.amount)`

const isOurs = sql`seller_id = line.seller_id and id = line.subject_id`

const ourRefund = sql`
  select id, amount from refunds where ${isOurs} and status = 'completed'
  union all
  select id, amount from payer_refunds where id = line.subject_id and status = 'completed'
  union all
  select id, amount from received_pix where id = line.subject_id and status in ('refunding', 'refunded')`
const ourDispute = sql`select id, amount from disputes where ${isOurs} and status = 'lost'`
// What came back whole may be listed or not.
const ourPayout = sql`
  select id, net_amount as amount from withdrawals where ${isOurs} and status in ('completed', 'returned')
  union all
  select id, amount from treasury_payouts where id = line.subject_id and status in ('completed', 'returned')`

/** Everything of ours that the provider must have of this day: the same shape for each of its tables. */
const ours = (day: Day): SQL => sql`
  select 'charge' as kind, seller_id, id, pix_end_to_end_id as end_to_end_id, paid_amount as amount, paid_at as at
  from payments where provider = ${day.provider} and ${within(sql`paid_at`, day)}
  union all
  select 'refund', seller_id, id, null, amount, updated_at from refunds
  where provider = ${day.provider} and status = 'completed' and ${within(sql`updated_at`, day)}
  union all
  select 'refund', ${PLATFORM_BOOK_ID}::uuid, id, null, amount, completed_at from payer_refunds
  where provider = ${day.provider} and status = 'completed' and ${within(sql`completed_at`, day)}
  union all
  select 'payout', seller_id, id, end_to_end_id, net_amount, completed_at from withdrawals
  where provider = ${day.provider} and status = 'completed' and ${within(sql`completed_at`, day)}
  union all
  select 'payout', ${PLATFORM_BOOK_ID}::uuid, id, end_to_end_id, amount, completed_at from treasury_payouts
  where provider = ${day.provider} and status = 'completed' and ${within(sql`completed_at`, day)}
  union all
  select 'dispute', seller_id, id, null, amount, resolved_at from disputes
  where provider = ${day.provider} and status = 'lost' and resolved_by = 'provider'
    and ${within(sql`resolved_at`, day)}`

const disagree = sql`coalesce(line.end_to_end_id <> ours.end_to_end_id, false)`

// A line of any other day that was kept will do: what was late here, or there, is not missing. A lost dispute's
// money is counted, but leaves when the provider pleases: days before its word or after.
const hasNoLine = ({ reconciliationId, run }: Day): SQL => sql`not exists (
  select from provider_statement_lines as line
  where line.subject_id = ours.id and not ${disagree}
    and (line.reconciliation_id <> ${reconciliationId}::uuid or line.run = ${run}::integer)
)`

const foundMissingThere = (day: Day): SQL => sql`
  select 'missing_there', ours.kind, 'ours:' || ours.id, ours.seller_id, ours.id, ours.end_to_end_id, null::text,
    null::timestamptz, 0, ours.amount
  from ours where kind <> 'dispute' and ${hasNoLine(day)}`

/** Further apart than this, two movements of the same amount are not the same. */
const SAME_TIME_MINUTES = 5
/** What was heard of late is looked for this much later. */
const HEARD_LATE_DAYS = 3

const signed = (kind: SQL, amount: SQL): SQL => sql`case when ${kind} = 'charge' then ${amount} else -${amount} end`

type FoundRow = {
  kind: ExceptionKind
  line_kind: StatementLineKind
  subject: string
  seller_id: string | null
  subject_id: string | null
  end_to_end_id: string | null
  reference: string | null
  happened_at: Date | string | null
  provider_amount: string
  platform_amount: string
}

/** Compares a provider's statement with the books, in the database: no day has to fit into memory. */
export const createMatchingRepository = (db: Writer) => ({
  /** Files lines of a statement, and what of ours each is about. */
  async insertLines(day: Day, given: readonly (StatementLine & { number: number })[]): Promise<void> {
    await db.execute(sql`
      insert into provider_statement_lines (reconciliation_id, run, number, kind, reference, end_to_end_id, amount,
        fee_amount, happened_at, seller_id, subject_id)
      select ${day.reconciliationId}::uuid, ${day.run}::integer, line.number, line.kind, line.reference,
        line."endToEndId", line.amount, line."feeAmount", line."happenedAt",
        coalesce(known.seller_id, extra.seller_id,
          case when coalesce(own.id, given_back.id) is not null then ${PLATFORM_BOOK_ID}::uuid end),
        coalesce(known.resource_id, own.id, given_back.id, extra.id)
      from json_to_recordset(${JSON.stringify(given)}::json) as line (number integer, kind text, reference text,
        "endToEndId" text, amount bigint, "feeAmount" bigint, "happenedAt" timestamptz)
      left join provider_references as known on known.provider = ${day.provider} and known.kind = line.kind
        and known.reference = line.reference
      left join treasury_payouts as own on line.kind = 'payout' and own.provider = ${day.provider}
        and own.reference = line.reference
      cross join lateral (
        select case when line.kind = 'refund' and line.reference ~ ${UNBOOKED_REFUND} then substr(line.reference, 2)::uuid
          end as id
      ) as unbooked
      left join received_pix as extra on extra.provider = ${day.provider} and extra.id = unbooked.id
      left join payer_refunds as given_back on given_back.provider = ${day.provider} and given_back.id = unbooked.id`)
  },

  /**
   * Finds whose lines are that no reference of ours names: by end-to-end id, else by amount and minute, where on both sides
   * there is only one that it could be.
   */
  async matchUnnamedLines(day: Day): Promise<void> {
    const wide = { ...day, to: new Date(day.to.getTime() + HEARD_LATE_DAYS * 86_400_000) }
    const match = (condition: SQL) => sql`
      with lone as (select * from provider_statement_lines as line where ${linesOf(day)} and subject_id is null),
        ours as materialized (select * from (${ours(wide)}) as ours where ${hasNoLine(day)}),
        pairs as (
          select line.number, ours.seller_id, ours.id, count(*) over (partition by line.number) as ours_count,
            count(*) over (partition by ours.id) as lines_count
          from lone as line join ours on ours.kind = line.kind and ${condition}
        )
      update provider_statement_lines as line set seller_id = pairs.seller_id, subject_id = pairs.id
      from pairs where ${linesOf(day)} and line.number = pairs.number and ours_count = 1 and lines_count = 1`
    const { rows } = await db.execute(sql`
      select from provider_statement_lines where ${linesOf(day)} and subject_id is null limit 1`)
    if (rows.length === 0) return
    await db.execute(match(sql`ours.end_to_end_id = line.end_to_end_id`))
    await db.execute(
      match(sql`ours.amount = line.amount and (ours.end_to_end_id is null or line.end_to_end_id is null)
        and ours.at between line.happened_at - make_interval(mins => ${SAME_TIME_MINUTES})
        and line.happened_at + make_interval(mins => ${SAME_TIME_MINUTES})`),
    )
  },

  /** Takes away what a run that was cut off had filed. */
  async deleteLines(day: Day): Promise<void> {
    await db.execute(sql`delete from provider_statement_lines where ${linesOf(day)}`)
  },

  /** Takes away the lines of all runs of a day but one, or of some of them. Answers how many. */
  async deleteOtherLines({ reconciliationId, run }: Day, limit: number): Promise<number> {
    const { rowCount } = await db.execute(sql`
      delete from provider_statement_lines where (reconciliation_id, run, number) in (
        select reconciliation_id, run, number from provider_statement_lines
        where reconciliation_id = ${reconciliationId}::uuid and run <> ${run}::integer limit ${limit}
      )`)
    return rowCount ?? 0
  },

  /** What does not agree, in an order that is always the same, at most 10,000. */
  async listFound(day: Day): Promise<Found[]> {
    const { rows } = await db.execute<FoundRow>(sql`
      with lines as materialized (${lines(day)}), ours as (${ours(day)})
      ${foundInCharges(day)}
      union all ${foundInMoneyOut('refund', 'unmatched_refund', ourRefund)}
      union all ${foundInMoneyOut('payout', 'unmatched_payout', ourPayout)}
      union all ${foundInMoneyOut('dispute', 'unmatched_refund', ourDispute)}
      union all ${foundMissingThere(day)}
      order by 2, 1, 3 limit ${FOUND_MAX}`)
    return rows.map((row) => ({
      kind: row.kind,
      lineKind: row.line_kind,
      subject: row.subject,
      sellerId: row.seller_id,
      subjectId: row.subject_id,
      endToEndId: row.end_to_end_id,
      reference: row.reference,
      happenedAt: row.happened_at === null ? null : new Date(row.happened_at),
      providerAmount: centavos(Number(row.provider_amount)),
      platformAmount: centavos(Number(row.platform_amount)),
    }))
  },

  /** What came in less what went out, by the provider and by the books, on this day. */
  async sumDay(day: Day): Promise<DayTotals> {
    const { rows } = await db.execute<{ theirs: string; lines: string; ours: string }>(sql`
      with ours as (${ours(day)})
      select coalesce(sum(${signed(sql`kind`, sql`amount`)}), 0)::bigint as theirs, count(*) as lines,
        (select coalesce(sum(${signed(sql`kind`, sql`amount`)}), 0)::bigint from ours) as ours
      from provider_statement_lines where ${linesOf(day)} and ${within(sql`happened_at`, day)}`)
    const [row] = rows
    return {
      providerAmount: centavos(Number(row?.theirs ?? 0)),
      platformAmount: centavos(Number(row?.ours ?? 0)),
      linesCount: Number(row?.lines ?? 0),
    }
  },
})
