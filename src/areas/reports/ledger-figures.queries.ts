import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../db/client.ts'
import { type Centavos, centavos } from '../../domain/money.ts'
import { type FeeSource, type FeeTotals, kindsOf } from '../../domain/revenue.ts'
import type { ReportScope } from './payment-figures.queries.ts'

/** Money that left a seller's book, net of what came back into it in the same period. */
export type MovementTotals = {
  /** Returned to payers by refunds; those that failed are taken off when they fail. */
  refundsAmount: Centavos
  /** Returned to payers by lost disputes. */
  lostDisputesAmount: Centavos
  /** What reached banks: without the fees of withdrawals, less what banks sent back. */
  withdrawnAmount: Centavos
  /** The same with the fees. */
  withdrawalsAmount: Centavos
}

/** Text of bigint sums as Postgres sends them, by the names of the fields they are for. */
export type Sums<Totals> = { [Name in keyof Totals]: string }

export const toAmounts = <Totals extends Record<string, Centavos>>(
  row: Partial<Sums<Totals>> | undefined,
  names: readonly (keyof Totals & string)[],
): Totals => Object.fromEntries(names.map((name) => [name, centavos(Number(row?.[name] ?? 0))])) as Totals

export const FEE_NAMES = [
  'paymentFeesAmount',
  'withdrawalFeesAmount',
  'disputeFeesAmount',
  'refundedFeesAmount',
  'providerCostAmount',
] as const satisfies readonly (keyof FeeTotals)[]

export const MOVEMENT_NAMES = [
  'refundsAmount',
  'lostDisputesAmount',
  'withdrawnAmount',
  'withdrawalsAmount',
] as const satisfies readonly (keyof MovementTotals)[]

const isOf = (source: FeeSource): SQL =>
  sql`account = 'fee_revenue' and kind in (${sql.join(
    kindsOf(source).map((kind) => sql`${kind}`),
    sql`, `,
  )})`

const filtered = (condition: SQL, name: string): SQL =>
  sql`coalesce(sum(amount) filter (where ${condition}), 0)::bigint as ${sql.identifier(name)}`

/** The fees among rows of `kind`, `account` and `amount`. What is debited, fees given back and costs, turns positive. */
export const feeSums: SQL = sql.join(
  [
    filtered(isOf('payment'), 'paymentFeesAmount'),
    filtered(isOf('withdrawal'), 'withdrawalFeesAmount'),
    filtered(isOf('dispute'), 'disputeFeesAmount'),
    sql`-${filtered(isOf('refund'), 'refundedFeesAmount')}`,
    sql`-${filtered(sql`account = 'provider_cost'`, 'providerCostAmount')}`,
  ],
  sql`, `,
)

const WITHDRAWALS = sql`kind in ('withdrawal_completed', 'withdrawal_returned')`

/** The movements among rows of `kind`, `account` and `amount`. */
export const movementSums: SQL = sql.join(
  [
    filtered(
      sql`kind in ('refund_requested', 'refund_failed') and account in ('clearing', 'receivable')`,
      'refundsAmount',
    ),
    filtered(sql`kind = 'dispute_lost' and account in ('clearing', 'receivable')`, 'lostDisputesAmount'),
    filtered(sql`${WITHDRAWALS} and account = 'clearing'`, 'withdrawnAmount'),
    sql`-${filtered(sql`${WITHDRAWALS} and account in ('withdrawing', 'available')`, 'withdrawalsAmount')}`,
  ],
  sql`, `,
)

/** An instant as a parameter. */
const at = (instant: Date): SQL => sql`${instant.toISOString()}::timestamptz`

/** An instant is within the period of a report. */
export const within = (instant: SQL, { from, to }: Pick<ReportScope, 'from' | 'to'>): SQL =>
  sql`${instant} >= ${at(from)} and ${instant} < ${at(to)}`

/** A row is of the seller that a report is about, or the report is about all. */
export const ofSeller = (column: SQL, { sellerId }: ReportScope): SQL =>
  sellerId === undefined ? sql`true` : sql`${column} = ${sellerId}`

// Literals, as in the partial index on these transfers: what is left are a few per hundred payments.
const ORDINARY_KINDS = sql.raw(
  kindsOf('payment')
    .map((kind) => `'${kind}'`)
    .join(', '),
)

/** Transfers of a period that do more than to bring and settle payments. */
export const isMovement = (period: Pick<ReportScope, 'from' | 'to'>): SQL =>
  sql`transfer.kind not in (${ORDINARY_KINDS}) and ${within(sql`transfer.created_at`, period)}`

const LEG = sql`posting.seller_id = transfer.seller_id and posting.transfer_id = transfer.id`

/** `transfer` and `posting` of movements. */
export const movementLegs = sql`ledger_transfers as transfer join ledger_postings as posting on ${LEG}`

/**
 * `posting` of the accounts that revenue is on, and `transfer` where it is a movement: all other fees are those of
 * payments, which spares a look at the transfer of each. A transfer and its postings are written at one instant.
 */
export const revenueLegs = (period: Pick<ReportScope, 'from' | 'to'>): SQL =>
  sql`ledger_postings as posting left join ledger_transfers as transfer on ${LEG} and ${isMovement(period)}`

/** Why a row of `revenueLegs` was posted. */
export const REVENUE_KIND = sql`coalesce(transfer.kind, 'payment_received')`

export const isRevenue = (period: Pick<ReportScope, 'from' | 'to'>): SQL =>
  sql`posting.account in ('fee_revenue', 'provider_cost') and ${within(sql`posting.created_at`, period)}`

export const createLedgerFigures = (db: Executor) => ({
  async sumMovements(scope: ReportScope): Promise<MovementTotals> {
    const { rows } = await db.execute<Sums<MovementTotals>>(sql`
      select ${movementSums} from ${movementLegs}
      where ${isMovement(scope)} and ${ofSeller(sql`transfer.seller_id`, scope)}`)
    return toAmounts<MovementTotals>(rows[0], MOVEMENT_NAMES)
  },
})
