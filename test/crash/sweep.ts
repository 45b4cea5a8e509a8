import { isDeepStrictEqual } from 'node:util'
import type { Operation } from './moves.ts'
import { OPERATIONS } from './operations.ts'
import type { Stage } from './stage.ts'

// Everything that a seller has and that must be the same wherever a platform died. Ids and moments are left out.
const TRACES: Readonly<Record<string, string>> = {
  payments: `select method, status, status_reason, amount, paid_amount, refunded_amount, fee_amount, net_amount,
    reserve_amount from payments where seller_id = $1`,
  settlements: 'select installment, amount, canceled_amount, status from payment_settlements where seller_id = $1',
  holds: 'select amount, released_amount, consumed_amount, status from reserve_holds where seller_id = $1',
  configs: 'select percentage_bps, days, is_active from reserve_configs where seller_id = $1',
  releases: `select released_count, released_amount, completed_at is null as is_running
    from reserve_releases where seller_id = $1`,
  links: `select status, reserved_slots, excess_slots, payments_count, paid_amount
    from payment_links where seller_id = $1`,
  refunds: 'select amount, status, status_reason from refunds where seller_id = $1',
  disputes: 'select amount, blocked_amount, frozen_reserve_amount, status from disputes where seller_id = $1',
  withdrawals: 'select amount, fee_amount, status, status_reason from withdrawals where seller_id = $1',
  balances: 'select account, balance_amount from ledger_accounts where seller_id = $1',
  transfers: 'select kind, count(*) from ledger_transfers where seller_id = $1 group by kind',
  // A night that falls between a death and its repeat may find a difference that is gone with the repeat.
  events: `select type, count(*) from events where seller_id = $1 and type not like 'reconciliation.%' group by type`,
  audit: 'select action, count(*) from audit_log where seller_id = $1 group by action',
  provider: `select kind, status, amount from sandbox_records where (kind, reference) in
    (select kind, reference from provider_references where seller_id = $1)`,
  answers: 'select operation, status from idempotency_keys where owner_id = $1',
}

const UNREAD = `select body from provider_events where status in ('received', 'failed')`

type Traces = Record<string, unknown[]>

const tracesOf = async ({ pool, providerTraces }: Stage, sellerId: string): Promise<Traces> => {
  const traces: Traces = { ...(await providerTraces?.()) }
  for (const [what, statement] of Object.entries(TRACES)) {
    const { rows } = await pool.query(statement, [sellerId])
    traces[what] = rows.map((row) => JSON.stringify(row).replaceAll(/[0-9a-f-]{36}/g, 'id')).sort()
  }
  traces.unread = (await pool.query(UNREAD)).rows
  return traces
}

const play = async <Where extends Stage>(stage: Where, { prepare }: Operation<Where>, at: number) => {
  const shop = await stage.newShop()
  const act = await prepare(stage, shop)
  await stage.arm(at)
  await act()
  const statements = await stage.disarm()
  await stage.finish()
  return { statements, traces: await tracesOf(stage, shop.seller.id) }
}

const differences = (actual: Traces, expected: Traces): string[] =>
  Object.keys(expected)
    .filter((what) => !isDeepStrictEqual(actual[what], expected[what]))
    .map((what) => `${what}: ${JSON.stringify(actual[what])}, without a crash ${JSON.stringify(expected[what])}`)

export type SweepResult = { points: number; failures: string[] }

type SweepOptions<Where extends Stage> = {
  /** What is played; all that the sandbox has where nothing is said. */
  from?: readonly Operation<Where>[]
  /** Only operations whose names hold one of these. */
  operations?: readonly string[]
  /** Only each n-th point, beginning with one that differs by operation. */
  every?: number
  onOperation?: (name: string, points: number) => void
}

/**
 * Plays each operation once without a crash, and then once more for each statement of it, dying there. Whoever asked
 * asks again, under the same key, and an hour later everything must be as if nothing had happened.
 */
export const sweep = async <Where extends Stage>(
  stage: Where,
  { from = OPERATIONS, operations, every = 1, onOperation }: SweepOptions<Where>,
): Promise<SweepResult> => {
  const chosen = from.filter(({ name }) => operations?.some((part) => name.includes(part)) ?? true)
  const failures: string[] = []
  let points = 0
  for (const [index, operation] of chosen.entries()) {
    const { statements, traces } = await play(stage, operation, Number.POSITIVE_INFINITY)
    for (let at = 1 + (index % every); at <= statements; at += every) {
      points += 1
      const crashed = await play(stage, operation, at)
      failures.push(...differences(crashed.traces, traces).map((what) => `${operation.name}, ${at}: ${what}`))
    }
    onOperation?.(operation.name, statements)
  }
  for (const finding of await stage.prove()) failures.push(`the ledger: ${JSON.stringify(finding)}`)
  return { points, failures }
}
