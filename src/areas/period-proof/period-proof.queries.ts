import { type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import { PLATFORM_BOOK_ID } from '../../domain/platform-transfers.ts'

/** A São Paulo day. */
export type ProvenDay = { date: string; from: Date; to: Date }

/** Something of a day that does not agree: of whom, what, and why. */
export type PeriodFinding = { date: string; check: string; sellerId: string; subject: string; detail: string }

/** Everything of one kind that was read of a day: whoever reads the same has the same hash. */
export type Evidence = { source: string; count: number; amount: number; sha256: string }

/** One day at one provider, as it was compared last. */
export type ComparedDay = { id: string; provider: string; run: number; status: string }

/** What was found of a day and settled by a person, or by a later run. */
export type ExceptionState = {
  kind: string
  subject: string
  status: string
  providerAmount: number
  platformAmount: number
}

/** No more than these of one check and day: what is broken breaks in thousands of rows for one reason. */
const FINDINGS_MAX = 100

const at = (instant: Date): SQL => sql`${instant.toISOString()}::timestamptz`

const within = (column: SQL, { from, to }: ProvenDay): SQL => sql`${column} >= ${at(from)} and ${column} < ${at(to)}`

const NOBODY = sql`null::uuid`

/** What a transfer moved, by where: columns beside a row of the thing that it moved money for. */
const posted = (kind: string, sellerId: SQL, id: SQL): SQL => sql`(
  select coalesce(sum(amount) filter (where account in ('clearing', 'receivable')), 0) as outside,
    coalesce(sum(amount) filter (where account = 'fee_revenue'), 0) as fee,
    coalesce(sum(amount) filter (where account = 'provider_cost'), 0) as cost,
    coalesce(sum(amount) filter (where account in ('available', 'pending')), 0) as net,
    coalesce(sum(amount) filter (where account = 'available'), 0) as available,
    coalesce(sum(amount) filter (where account = 'withdrawing'), 0) as withdrawing
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
  // A difference may be booked again when it has changed, each time under an id of its own: it is known by its book.
  exception: `select from reconciliation_exceptions where coalesce(seller_id, '${PLATFORM_BOOK_ID}') = entry.seller_id`,
}

const hasNoCause = sql.raw(
  `not (case entry.reference_type ${Object.entries(CAUSES)
    .map(([type, rows]) => `when '${type}' then exists (${rows})`)
    .join(' ')} else false end)`,
)

/** Each answers what does not agree: of a seller, the thing and why. Their names say what is true where they find nothing. */
const checksOf = (day: ProvenDay): Readonly<Record<string, SQL>> => ({
  'what moved was compared with its provider': sql`
    select ${NOBODY} as seller_id, moved.provider as subject, 'no comparison of this day has ended' as detail
    from (
      select provider from payments where ${within(sql`paid_at`, day)}
      union select provider from refunds where status = 'completed' and ${within(sql`updated_at`, day)}
      union select provider from withdrawals where ${within(sql`completed_at`, day)}
      union select provider from treasury_payouts where ${within(sql`completed_at`, day)}
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
    select ${PLATFORM_BOOK_ID}::uuid as seller_id, thing.id::text as subject,
      status || ' ' || amount || '; taken ' || taken.outside as detail
    from treasury_payouts as thing
    cross join lateral ${posted('treasury_paid_out', sql`${PLATFORM_BOOK_ID}::uuid`, sql`thing.id`)} as taken
    where ${within(sql`completed_at`, day)} and taken.outside <> amount`,

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

const ms = (column: string): string => `(extract(epoch from ${column}) * 1000)::bigint`

type Source = { rows: SQL; fields: string; order: string; amount: string }

/** What is read of a day, and in which order. What may change later without being wrong, as a status, is not in it. */
const sourcesOf = (day: ProvenDay): Readonly<Record<string, Source>> => ({
  statement_lines: {
    rows: sql`
      select day.provider, line.* from reconciliations as day
      join provider_statement_lines as line on line.reconciliation_id = day.id and line.run = day.run
      where day.date = ${day.date}::date and day.status <> 'running' and ${within(sql`line.happened_at`, day)}`,
    fields: `provider, kind, reference, end_to_end_id, amount, fee_amount, ${ms('happened_at')}, seller_id, subject_id`,
    order: 'provider, kind, reference, end_to_end_id, happened_at, amount',
    amount: 'amount',
  },
  payments: {
    rows: sql`select * from payments where ${within(sql`paid_at`, day)}`,
    fields: `seller_id, id, provider, method, paid_amount, fee_amount, net_amount, pix_end_to_end_id, ${ms('paid_at')}`,
    order: 'seller_id, id',
    amount: 'paid_amount',
  },
  refunds: {
    rows: sql`select * from refunds where ${within(sql`created_at`, day)}`,
    fields: `seller_id, id, payment_id, provider, amount, ${ms('created_at')}`,
    order: 'seller_id, id',
    amount: 'amount',
  },
  withdrawals: {
    rows: sql`select * from withdrawals where ${within(sql`completed_at`, day)}`,
    fields: `seller_id, id, provider, amount, fee_amount, net_amount, end_to_end_id, ${ms('completed_at')}`,
    order: 'seller_id, id',
    amount: 'net_amount',
  },
  treasury_payouts: {
    rows: sql`select * from treasury_payouts where ${within(sql`completed_at`, day)}`,
    fields: `id, provider, amount, end_to_end_id, ${ms('completed_at')}`,
    order: 'id',
    amount: 'amount',
  },
  postings: {
    rows: sql`
      select posting.*, transfer.reference_type, transfer.reference_id, transfer.forced from ledger_postings as posting
      left join ledger_transfers as transfer on transfer.seller_id = posting.seller_id and transfer.id = posting.transfer_id
      where ${within(sql`posting.created_at`, day)}`,
    fields: `seller_id, id, transfer_id, kind, reference_type, reference_id, forced, account, method, amount, balance_after_amount, ${ms('created_at')}`,
    order: 'seller_id, id',
    amount: 'abs(amount)',
  },
})

// Thirty-two bytes of each row are kept until its day is added up, so that no day has to fit into memory.
const evidence = ({ rows, fields, order, amount }: Source): SQL => sql`
  select count(*) as count, coalesce(sum(${sql.raw(amount)}), 0)::text as amount,
    encode(sha256(coalesce(string_agg(sha256(convert_to(json_build_array(${sql.raw(fields)})::text, 'UTF8')), ''::bytea
      order by ${sql.raw(order)}), ''::bytea)), 'hex') as sha256
  from (${rows}) as read`

export const createPeriodProofQueries = (db: Reader) => ({
  /** What does not agree on a day, at most 100 of each check. */
  async listFindings(day: ProvenDay): Promise<PeriodFinding[]> {
    const findings: PeriodFinding[] = []
    for (const [check, statement] of Object.entries(checksOf(day))) {
      const { rows } = await db.execute<{ seller_id: string | null; subject: string; detail: string }>(
        sql`${statement} order by 1, 2 limit ${FINDINGS_MAX}`,
      )
      const found = rows.map(({ seller_id, subject, detail }) => ({ sellerId: seller_id ?? 'any', subject, detail }))
      findings.push(...found.map((finding) => ({ date: day.date, check, ...finding })))
    }
    return findings
  },

  /** What was read of a day. The same rows give the same hashes, whenever and wherever. */
  async listEvidence(day: ProvenDay): Promise<Evidence[]> {
    const read: Evidence[] = []
    for (const [source, rows] of Object.entries(sourcesOf(day))) {
      const { rows: summed } = await db.execute<{ count: string; amount: string; sha256: string }>(evidence(rows))
      const [sum] = summed
      read.push({ source, count: Number(sum?.count), amount: Number(sum?.amount), sha256: sum?.sha256 ?? '' })
    }
    return read
  },

  /** The comparisons of a day that have ended. */
  async listCompared({ date }: ProvenDay): Promise<ComparedDay[]> {
    const { rows } = await db.execute<ComparedDay>(sql`
      select id, provider, run, status from reconciliations
      where date = ${date}::date and status <> 'running' order by provider`)
    return rows
  },

  /** The exceptions of a day at a provider. */
  async listExceptions({ date }: ProvenDay, provider: string): Promise<ExceptionState[]> {
    type Raw = { kind: string; subject: string; status: string; theirs: string; ours: string }
    const { rows } = await db.execute<Raw>(sql`
      select kind, subject, status, provider_amount as theirs, platform_amount as ours from reconciliation_exceptions
      where provider = ${provider} and date = ${date}::date order by kind, subject`)
    return rows.map(({ theirs, ours, ...row }) => ({
      ...row,
      providerAmount: Number(theirs),
      platformAmount: Number(ours),
    }))
  },
})
