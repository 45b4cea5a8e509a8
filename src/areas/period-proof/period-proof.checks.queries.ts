import { type SQL, sql } from 'drizzle-orm'
import { PLATFORM_BOOK_ID } from '../../domain/platform-transfers.ts'

/** A São Paulo day. */
export type ProvenDay = { date: string; from: Date; to: Date }

const at = (instant: Date): SQL => sql`${instant.toISOString()}::timestamptz`

/** Whether an instant is of the day. */
export const within = (column: SQL, { from, to }: ProvenDay): SQL =>
  sql`${column} >= ${at(from)} and ${column} < ${at(to)}`

const NOBODY = sql`null::uuid`
const PLATFORM_BOOK = sql`${PLATFORM_BOOK_ID}::uuid`

/** What a transfer moved, by where: columns beside a row of the thing that it moved money for. */
const posted = (kind: string, sellerId: SQL, id: SQL): SQL => sql`(
  select coalesce(sum(amount) filter (where account in ('clearing', 'receivable')), 0) as outside,
    coalesce(sum(amount) filter (where account = 'fee_revenue'), 0) as fee,
    coalesce(sum(amount) filter (where account = 'provider_cost'), 0) as cost,
    coalesce(sum(amount) filter (where account in ('available', 'pending')), 0) as net,
    coalesce(sum(amount) filter (where account = 'available'), 0) as available,
    coalesce(sum(amount) filter (where account = 'withdrawing'), 0) as withdrawing,
    coalesce(sum(amount) filter (where account = 'losses'), 0) as loss
  from ledger_transfers as transfer
  join ledger_postings as posting on posting.seller_id = transfer.seller_id and posting.transfer_id = transfer.id
  where transfer.seller_id = ${sellerId} and transfer.reference_id = ${id} and transfer.kind = ${kind}
)`

const ofRow = [sql`thing.seller_id`, sql`thing.id`] as const

/** What each kind of reference names. */
const CAUSES: Readonly<Record<string, string>> = {
  payment: 'select from payments where seller_id = entry.seller_id and id = entry.reference_id and paid_at is not null',
  settlement: 'select from payment_settlements where seller_id = entry.seller_id and id = entry.reference_id',
  hold: 'select from reserve_holds where seller_id = entry.seller_id and id = entry.reference_id',
  refund: 'select from refunds where seller_id = entry.seller_id and id = entry.reference_id',
  dispute: 'select from disputes where seller_id = entry.seller_id and id = entry.reference_id',
  withdrawal: 'select from withdrawals where seller_id = entry.seller_id and id = entry.reference_id',
  adjustment: 'select from adjustments where seller_id = entry.seller_id and id = entry.reference_id',
  treasury_payout: 'select from treasury_payouts where id = entry.reference_id',
  // A difference may be booked again when it has changed, each time by a resolution of its own.
  exception: 'select from exception_resolutions where book_id = entry.seller_id and id = entry.reference_id',
  payer_refund: 'select from payer_refunds where id = entry.reference_id',
}

const hasNoCause = sql.raw(
  `not (case entry.reference_type ${Object.entries(CAUSES)
    .map(([type, rows]) => `when '${type}' then exists (${rows})`)
    .join(' ')} else false end)`,
)

/** Each answers what does not agree: of a seller, the thing and why. Their names say what is true where they find nothing. */
export const checksOf = (day: ProvenDay): Readonly<Record<string, SQL>> => ({
  'what moved was compared with its provider': sql`
    select ${NOBODY} as seller_id, moved.provider as subject, 'no comparison of this day has ended' as detail
    from (
      select provider from payments where ${within(sql`paid_at`, day)}
      union select provider from refunds where status = 'completed' and ${within(sql`updated_at`, day)}
      union select provider from withdrawals where ${within(sql`completed_at`, day)}
      union select provider from treasury_payouts where ${within(sql`completed_at`, day)}
      union select provider from payer_refunds where ${within(sql`completed_at`, day)}
    ) as moved
    where not exists (
      select from reconciliations where reconciliations.provider = moved.provider and date = ${day.date}::date
        and status <> 'running'
    )`,

  'payments are posted as they were paid': sql`
    select thing.seller_id, thing.id::text as subject, 'paid ' || paid_amount || ', fee ' || fee_amount || ', net ' || net_amount
      || '; posted ' || -(outside + cost) || ', fee ' || fee || ', net ' || net as detail
    from payments as thing cross join lateral ${posted('payment_received', ...ofRow)} as posted
    where ${within(sql`paid_at`, day)}
      and (outside + cost <> -paid_amount or fee <> fee_amount or net <> net_amount)`,

  'refunds are posted as they were made': sql`
    select thing.seller_id, thing.id::text as subject, status || ' ' || amount || '; posted ' || out.outside || ', back '
      || -back.outside as detail
    from refunds as thing cross join lateral ${posted('refund_requested', ...ofRow)} as out
    cross join lateral ${posted('refund_failed', ...ofRow)} as back
    where ${within(sql`thing.created_at`, day)}
      and (out.outside <> amount or back.outside <> case when status = 'failed' then -amount else 0 end)`,

  'payouts are what sellers asked for and were paid': sql`
    select thing.seller_id, thing.id::text as subject, status || ' ' || amount || ', fee ' || fee_amount || ', net ' || net_amount
      || '; taken ' || -asked.available || ', paid ' || paid.outside || ', fee ' || paid.fee || ', back ' || -back.outside as detail
    from withdrawals as thing cross join lateral ${posted('withdrawal_requested', ...ofRow)} as asked
    cross join lateral ${posted('withdrawal_completed', ...ofRow)} as paid
    cross join lateral ${posted('withdrawal_returned', ...ofRow)} as back
    where ${within(sql`completed_at`, day)} and (
      asked.available <> -amount or paid.withdrawing <> -amount or paid.outside <> net_amount or paid.fee <> fee_amount
      or status not in ('completed', 'returned')
      or back.outside <> case when status = 'returned' then -net_amount else 0 end
    )`,

  'payouts of the platform are what it took': sql`
    select ${PLATFORM_BOOK} as seller_id, thing.id::text as subject,
      status || ' ' || amount || '; taken ' || taken.outside as detail
    from treasury_payouts as thing
    cross join lateral ${posted('treasury_paid_out', PLATFORM_BOOK, sql`thing.id`)} as taken
    where ${within(sql`completed_at`, day)} and taken.outside <> amount`,

  'resolutions of exceptions are posted as they say': sql`
    select book as seller_id, thing.exception_id::text as subject, resolution || ' ' || thing.id || ' says '
      || coalesce(posted_amount || ' to ' || account, 'nothing') || '; posted ' || -corrected.outside || ' and '
      || -given_back.outside as detail
    from (
      select *, coalesce(book_id, (
        select seller_id from reconciliation_exceptions where id = exception_id), ${PLATFORM_BOOK}) as book
      from exception_resolutions where ${within(sql`created_at`, day)}
    ) as thing
    cross join lateral ${posted('exception_resolved', sql`book`, sql`thing.id`)} as corrected
    cross join lateral ${posted('payer_refund_requested', PLATFORM_BOOK, sql`thing.id`)} as given_back
    where (resolution in ('adjust', 'write_off', 'refund_payer')) < (posted_amount is not null)
      or corrected.outside <> case when resolution = 'refund_payer' then 0 else -coalesce(posted_amount, 0) end
      or given_back.outside <> case when resolution = 'refund_payer' then -coalesce(posted_amount, 0) else 0 end
      or posted_amount <> case account when 'losses' then corrected.loss when 'provider_cost' then corrected.cost
        when 'available' then corrected.available when 'withdrawing' then given_back.withdrawing else 0 end`,

  'exceptions were corrected by what was posted for them': sql`
    select coalesce(seller_id, ${PLATFORM_BOOK}) as seller_id, thing.id::text as subject,
      'corrected by ' || coalesce(corrected_amount, 0) || '; posted ' || posted || ', of which came back ' || failed as detail
    from reconciliation_exceptions as thing
    cross join lateral (
      select coalesce(sum(posted_amount), 0) as posted from exception_resolutions where exception_id = thing.id
    ) as resolutions
    cross join lateral (
      select coalesce(sum(amount), 0) as failed from payer_refunds where exception_id = thing.id and status = 'failed'
    ) as refunds_to_payers
    where date = ${day.date}::date and coalesce(corrected_amount, 0) <> posted - failed`,

  'refunds to payers are posted as they were made': sql`
    select ${PLATFORM_BOOK} as seller_id, thing.id::text as subject,
      status || ' ' || amount || '; taken ' || asked.withdrawing || ', gone ' || -gone.withdrawing || ', back '
        || -back.withdrawing as detail
    from payer_refunds as thing
    cross join lateral ${posted('payer_refund_requested', PLATFORM_BOOK, sql`thing.id`)} as asked
    cross join lateral ${posted('payer_refund_completed', PLATFORM_BOOK, sql`thing.id`)} as gone
    cross join lateral ${posted('payer_refund_failed', PLATFORM_BOOK, sql`thing.id`)} as back
    where ${within(sql`thing.created_at`, day)} and (
      asked.withdrawing <> amount
      or gone.outside <> case when status = 'completed' then amount else 0 end
      or back.outside <> case when status = 'failed' then amount else 0 end
    )`,

  'what is posted has a cause': sql`
    select entry.seller_id, entry.id::text as subject,
      entry.kind || ' for the ' || entry.reference_type || ' ' || entry.reference_id || ', which there is not' as detail
    from (
      select transfer.* from ledger_postings as posting
      join ledger_transfers as transfer on transfer.seller_id = posting.seller_id and transfer.id = posting.transfer_id
      where posting.leg = 1 and ${within(sql`posting.created_at`, day)}
    ) as entry where ${hasNoCause}`,

  'entries balance': sql`
    select seller_id, transfer_id::text as subject, count(*) || ' of ' || max(legs) || ' postings sum to ' || sum(amount) as detail
    from ledger_postings where ${within(sql`created_at`, day)}
    group by seller_id, transfer_id having sum(amount) <> 0 or count(*) <> max(legs)`,

  'statements go on from balance to balance': sql`
    select seller_id, id::text as subject,
      account || ' ' || amount || ' after ' || coalesce(before, 0) || ' says ' || balance_after_amount as detail
    from (
      select line.*, case when nth = 1 then earlier.balance_after_amount else previous end as before
      from (
        select *, row_number() over of_account as nth, lag(balance_after_amount) over of_account as previous
        from ledger_postings where ${within(sql`created_at`, day)}
        window of_account as (partition by seller_id, account order by id)
      ) as line left join lateral (
        select balance_after_amount from ledger_postings as posting
        where nth = 1 and posting.seller_id = line.seller_id and posting.account = line.account and posting.id < line.id
        order by posting.id desc limit 1
      ) as earlier on true
    ) as statement
    where balance_after_amount <> coalesce(before, 0) + amount`,
})
