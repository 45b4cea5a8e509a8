import { asc, desc, inArray, type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../../db/client.ts'
import type { Page, PageRequest, Sort } from '../../db/page.ts'
import { companies } from '../companies/companies.tables.ts'
import type { users } from '../users/users.tables.ts'
import type { ReportScope } from './payment-totals.queries.ts'
import {
  type MovementTotals,
  movementsOf,
  type RawRevenue,
  sellerRevenue,
  type VolumeTotals,
  volumeOf,
} from './revenue.queries.ts'

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
export type BillingRow = VolumeTotals & {
  seller: Pick<typeof users.$inferSelect, 'id' | 'name' | 'email'>
  company: BilledCompany | undefined
  movements: MovementTotals
}

type Billed = BillingRow['seller'] & RawRevenue

/** Where a walk through all of them is, and in which order it goes. */
type Walk = { after: string | undefined; sort: Sort }

// By the age of the sellers, which is the order of their ids.
const inOrder = (id: SQL, { descending }: Sort): SQL => (descending ? desc(id) : asc(id))

// Those without anything to bill are not in the list.
const billed = (scope: ReportScope): SQL => sql`
  select * from ${sellerRevenue(scope)} as seller where "paidCount" <> 0 or "movementsCount" <> 0`

export const createBillingQueries = (db: Reader) => {
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
      ...volumeOf(row),
      movements: movementsOf(row),
    }))
  }

  return {
    /** Everything is of one moment: one statement. */
    async listBilling(scope: ReportScope, { page, perPage, sort }: PageRequest): Promise<Page<BillingRow>> {
      const { rows } = await db.execute<Billed & { total: string }>(sql`
        with billed as materialized (${billed(scope)})
        select counted.total, users.id, users.name, users.email, shown.*
        from (select count(*) as total from billed) as counted
        left join lateral (
          select * from billed order by ${inOrder(sql`seller_id`, sort)} limit ${perPage} offset ${(page - 1) * perPage}
        ) as shown on true
        left join users on users.id = shown.seller_id
        order by ${inOrder(sql`users.id`, sort)}`)
      const sellers = rows.filter(({ id }) => id !== null)
      return { rows: await rowsOf(sellers), totalRecords: Number(rows[0]?.total ?? 0) }
    },

    /** The next sellers after the one with the id `after`: for walking through all of them. */
    async listBillingAfter(scope: ReportScope, { after, sort }: Walk, limit: number): Promise<BillingRow[]> {
      const isNext =
        after === undefined ? sql`true` : sql`billed.seller_id ${sql.raw(sort.descending ? '<' : '>')} ${after}`
      const { rows } = await db.execute<Billed>(sql`
        select users.id, users.name, users.email, billed.* from (${billed(scope)}) as billed
        join users on users.id = billed.seller_id
        where ${isNext}
        order by ${inOrder(sql`billed.seller_id`, sort)} limit ${limit}`)
      return rowsOf(rows)
    },
  }
}
