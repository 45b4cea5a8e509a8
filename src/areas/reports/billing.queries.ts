import { desc, inArray, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../db/client.ts'
import { type Centavos, centavos } from '../../domain/money.ts'
import type { FeeTotals } from '../../domain/revenue.ts'
import type { Page, PageRequest } from '../../http/pagination.ts'
import { companies } from '../companies/companies.tables.ts'
import type { users } from '../users/users.tables.ts'
import { FEE_NAMES, MOVEMENT_NAMES, type MovementTotals, toAmounts } from './ledger-figures.queries.ts'
import type { ReportScope } from './payment-figures.queries.ts'
import { IS_BILLED, type RawTotals, sellerTotals } from './seller-totals.queries.ts'

export type BilledCompany = Pick<
  typeof companies.$inferSelect,
  | 'id'
  | 'cnpj'
  | 'companyName'
  | 'tradeName'
  | 'email'
  | 'phone'
  | 'addressZipCode'
  | 'addressStreet'
  | 'addressNumber'
  | 'addressComplement'
  | 'addressNeighborhood'
  | 'addressCity'
  | 'addressState'
>

/** What one seller did in a period, and whom to invoice for it. */
export type BillingRow = {
  seller: Pick<typeof users.$inferSelect, 'id' | 'name' | 'email'>
  company: BilledCompany | undefined
  paidCount: number
  grossVolumeAmount: Centavos
  fees: FeeTotals
  movements: MovementTotals
}

type Billed = BillingRow['seller'] & RawTotals

// Those without anything to bill are not in the list.
const billed = (scope: ReportScope): SQL => sql`select * from ${sellerTotals(scope)} as totals where ${IS_BILLED}`

export const createBillingQueries = (db: Executor) => {
  // The company that is approved now; else the last one that ever was, and the newest of those.
  const companiesOf = async (ids: readonly string[]): Promise<Map<string, BilledCompany>> => {
    const rows = await db
      .selectDistinctOn([companies.sellerId])
      .from(companies)
      .where(inArray(companies.sellerId, [...ids]))
      .orderBy(
        companies.sellerId,
        sql`${companies.deletedAt} is null and ${companies.status} = 'approved' desc`,
        sql`${companies.approvedAt} desc nulls last`,
        desc(companies.id),
      )
    return new Map(rows.map((row) => [row.sellerId, row]))
  }

  const rowsOf = async (rows: readonly Billed[]): Promise<BillingRow[]> => {
    if (rows.length === 0) return []
    const companyOf = await companiesOf(rows.map(({ id }) => id))
    return rows.map(({ id, name, email, ...row }) => ({
      seller: { id, name, email },
      company: companyOf.get(id),
      paidCount: Number(row.paidCount),
      grossVolumeAmount: centavos(Number(row.grossVolumeAmount)),
      fees: toAmounts<FeeTotals>(row, FEE_NAMES),
      movements: toAmounts<MovementTotals>(row, MOVEMENT_NAMES),
    }))
  }

  return {
    /** Newest sellers first. All figures are of one moment: one statement. */
    async listBilling(scope: ReportScope, { page, perPage }: PageRequest): Promise<Page<BillingRow>> {
      const { rows } = await db.execute<Billed & { total: string }>(sql`
        with billed as materialized (${billed(scope)})
        select counted.total, users.id, users.name, users.email, shown.*
        from (select count(*) as total from billed) as counted
        left join lateral (
          select * from billed order by seller_id desc limit ${perPage} offset ${(page - 1) * perPage}
        ) as shown on true
        left join users on users.id = shown.seller_id
        order by users.id desc`)
      const sellers = rows.filter(({ id }) => id !== null)
      return { rows: await rowsOf(sellers), totalRecords: Number(rows[0]?.total ?? 0) }
    },

    /** The next sellers after the one with the id `after`, newest first: for walking through all of them. */
    async listBillingAfter(scope: ReportScope, after: string | undefined, limit: number): Promise<BillingRow[]> {
      const { rows } = await db.execute<Billed>(sql`
        select users.id, users.name, users.email, billed.* from (${billed(scope)}) as billed
        join users on users.id = billed.seller_id
        where ${after === undefined ? sql`true` : sql`billed.seller_id < ${after}`}
        order by billed.seller_id desc limit ${limit}`)
      return rowsOf(rows)
    },
  }
}
