import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../db/client.ts'
import type { TransferKind } from '../../domain/ledger.ts'
import { type Centavos, centavos } from '../../domain/money.ts'
import { type FeeSource, type FeeTotals, kindsOf } from '../../domain/revenue.ts'
import { type FigureDetail, figureRows } from '../../figures/figures.queries.ts'
import type { PartSums } from '../../figures/part-sums.queries.ts'
import { isMovement } from '../../ledger/ledger.tables.ts'
import { sumMovementsPart } from '../../ledger/posting-sums.queries.ts'
import type { ReportScope } from './payment-figures.queries.ts'

/** Money that left a seller's book, net of what came back into it in the same period. */
export type MovementTotals = {
  /** Returned to payers by refunds; those that failed are taken off when they fail. */
  refundsAmount: Centavos
  /** Returned to payers by lost disputes; what was won after all is taken off when it is. */
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

const REFUNDS = ['refund_requested', 'refund_failed'] as const
const LOST_DISPUTES = ['dispute_lost', 'dispute_reversed'] as const
const WITHDRAWALS = ['withdrawal_completed', 'withdrawal_returned'] as const

const isOneOf = (kinds: readonly TransferKind[]): SQL => sql`kind in ${kinds}`
const FROM_BANKS = sql`account in ('clearing', 'receivable')`

/** The movements among rows of `kind`, `account` and `amount`. */
export const movementSums: SQL = sql.join(
  [
    filtered(sql`${isOneOf(REFUNDS)} and ${FROM_BANKS}`, 'refundsAmount'),
    filtered(sql`${isOneOf(LOST_DISPUTES)} and ${FROM_BANKS}`, 'lostDisputesAmount'),
    filtered(sql`${isOneOf(WITHDRAWALS)} and account = 'clearing'`, 'withdrawnAmount'),
    sql`-${filtered(sql`${isOneOf(WITHDRAWALS)} and account in ('withdrawing', 'available')`, 'withdrawalsAmount')}`,
  ],
  sql`, `,
)

/**
 * The legs of a period as `seller_id`, `day`, `account`, `kind`, `method`, `rows_count` and `amount`: of parts of days those
 * that `parts` adds up.
 */
export const ledgerLegs = (scope: ReportScope, detail: FigureDetail & { parts: PartSums }): SQL => sql`(
  select seller_id, day, dimensions[1] as account, dimensions[2] as kind, dimensions[4] as method, rows_count, amount
  from ${figureRows({ subject: 'posting', ...scope }, detail)} as figure
)`

/** A leg of a transfer that does more than to bring and settle payments. */
export const IS_MOVEMENT = isMovement(sql`kind`)

export const createLedgerFigures = (db: Executor) => ({
  async sumMovements(scope: ReportScope): Promise<MovementTotals> {
    const { rows } = await db.execute<Sums<MovementTotals>>(sql`
      select ${movementSums} from ${ledgerLegs(scope, { parts: sumMovementsPart })} as legs where ${IS_MOVEMENT}`)
    return toAmounts<MovementTotals>(rows[0], MOVEMENT_NAMES)
  },
})
