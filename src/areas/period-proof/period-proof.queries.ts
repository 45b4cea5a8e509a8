import { type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import { checksOf, type ProvenDay, within } from './period-proof.checks.queries.ts'

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
  exception_resolutions: {
    rows: sql`select * from exception_resolutions where ${within(sql`created_at`, day)}`,
    fields: `id, exception_id, resolution, resolved_by, approved_by, provider_amount, platform_amount, posted_amount, account, book_id, ${ms('created_at')}`,
    order: 'id',
    amount: 'abs(coalesce(posted_amount, 0))',
  },
  payer_refunds: {
    rows: sql`select * from payer_refunds where ${within(sql`created_at`, day)}`,
    fields: `id, exception_id, provider, amount, ${ms('created_at')}`,
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
