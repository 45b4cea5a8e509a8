import { sql } from 'drizzle-orm'
import { uuids } from '../../db/arrays.ts'
import type { Reader } from '../../db/client.ts'
import { madeWithin } from '../../db/id-period.ts'
import type { Page, PageRequest } from '../../db/page.ts'
import { readPage } from '../../db/paging.ts'
import type { Period } from '../../domain/period.ts'
import type { ReconciliationStatus } from '../../domain/reconciliation.ts'
import { providerStatements } from './reconciliation.tables.ts'

export type ProviderStatement = typeof providerStatements.$inferSelect

/** What became of a file: the day that is compared with it, and whether it still counts. */
export type StatementState = { reconciliationId: string; status: ReconciliationStatus; isCurrent: boolean }

export const createProviderStatementsQueries = (db: Reader) => ({
  /** Files that were handed in, the newest first. */
  async listStatements(period: Period, page: PageRequest): Promise<Page<ProviderStatement>> {
    const table = providerStatements
    return readPage({ db, table, id: table.id, where: madeWithin(table, period) }, page)
  },

  /** What became of these files, by id. Of several of a day the one handed in last counts. */
  async findStatementStates(ids: readonly string[]): Promise<ReadonlyMap<string, StatementState>> {
    if (ids.length === 0) return new Map()
    const { rows } = await db.execute<StatementState & { id: string }>(sql`
      select statement.id, day.id as "reconciliationId", day.status, statement.id = (
        select id from provider_statements as other
        where other.provider = statement.provider and other.date = statement.date
        order by updated_at desc, id desc limit 1
      ) as "isCurrent"
      from provider_statements as statement
      join reconciliations as day on day.provider = statement.provider and day.date = statement.date
      where statement.id = any(${uuids(ids)})`)
    return new Map(rows.map(({ id, ...state }) => [id, state]))
  },
})
