import { sql } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import { add, type Centavos, centavos } from '../../domain/money.ts'
import { EXCEPTION_KINDS, type ExceptionKind } from '../../domain/reconciliation.ts'

/** How many are open, and how much they differ by. */
export type OpenCount = { count: number; amount: Centavos }
export type OpenExceptions = OpenCount & { byKind: Readonly<Record<ExceptionKind, OpenCount>>; since: Date | null }

/** What waits for somebody, for operators. */
export const createOpenQueries = (db: Reader) => ({
  /** What is open, by kind and together, and since when the oldest is. */
  async findOpen(): Promise<OpenExceptions> {
    const { rows } = await db.execute<{ kind: ExceptionKind; count: string; amount: string; since: string }>(sql`
      select kind, count(*) as count, sum(abs(provider_amount - platform_amount))::bigint as amount,
        min(created_at) as since
      from reconciliation_exceptions where status = 'open' group by kind`)
    const of = (kind: ExceptionKind): OpenCount => {
      const row = rows.find((one) => one.kind === kind)
      return { count: Number(row?.count ?? 0), amount: centavos(Number(row?.amount ?? 0)) }
    }
    const counts = EXCEPTION_KINDS.map((kind) => [kind, of(kind)] as const)
    const [oldest] = rows.map(({ since }) => new Date(since)).sort((one, other) => one.getTime() - other.getTime())
    return {
      count: counts.reduce((sum, [, { count }]) => sum + count, 0),
      amount: add(...counts.map(([, { amount }]) => amount)),
      byKind: Object.fromEntries(counts) as Record<ExceptionKind, OpenCount>,
      since: oldest ?? null,
    }
  },
})
