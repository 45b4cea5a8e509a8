import { desc, inArray, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../db/client.ts'
import { type Centavos, centavos } from '../../domain/money.ts'
import type { FeeTotals } from '../../domain/revenue.ts'
import { figureRows } from '../../figures/figures.queries.ts'
import type { Page, PageRequest } from '../../http/pagination.ts'
import { companies } from '../companies/companies.tables.ts'
import type { users } from '../users/users.tables.ts'
import {
  FEE_NAMES,
  feeSums,
  IS_FEE,
  IS_MOVEMENT,
  ledgerLegs,
  MOVEMENT_NAMES,
  type MovementTotals,
  movementSums,
  type Sums,
  toAmounts,
} from './ledger-figures.queries.ts'
import type { ReportScope } from './payment-figures.queries.ts'

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

type Raw = Sums<FeeTotals> & Sums<MovementTotals> & { sellerId: string; paidCount: string; grossVolumeAmount: string }
type Billed = BillingRow['seller']

// Sellers who were paid, or whose book moved, in the period. Those without anything to bill are not in the list.
const billedSellers = (scope: ReportScope): SQL => sql`
  select seller_id from ${figureRows({ subject: 'payment_paid', ...scope }, { perSeller: true })} as figure
  group by seller_id having sum(rows_count) <> 0
  union
  select seller_id from ${ledgerLegs(scope, { perSeller: true })} as legs where ${IS_FEE} or ${IS_MOVEMENT}`

export const createBillingQueries = (db: Executor) => {
  // All figures in one statement, and so of one moment.
  const figuresOf = async (ids: readonly string[], scope: ReportScope): Promise<Map<string, Raw>> => {
    const theirs = sql`seller_id = any(${sql.param([...ids])}::uuid[])`
    const { rows } = await db.execute<Raw>(sql`
      with volume as (
        select seller_id, sum(rows_count)::bigint as "paidCount", sum(amount)::bigint as "grossVolumeAmount"
        from ${figureRows({ subject: 'payment_paid', ...scope }, { perSeller: true })} as figure
        where ${theirs} group by seller_id
      ), moved as (
        select seller_id, ${feeSums}, ${movementSums} from ${ledgerLegs(scope, { perSeller: true })} as legs
        where ${theirs} group by seller_id
      )
      select seller_id as "sellerId", * from volume full join moved using (seller_id)`)
    return new Map(rows.map((row) => [row.sellerId, row]))
  }

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

  const rowsOf = async (sellers: readonly Billed[], scope: ReportScope): Promise<BillingRow[]> => {
    if (sellers.length === 0) return []
    const ids = sellers.map(({ id }) => id)
    const [figures, companyOf] = [await figuresOf(ids, scope), await companiesOf(ids)]
    return sellers.map((seller) => {
      const row = figures.get(seller.id)
      return {
        seller,
        company: companyOf.get(seller.id),
        paidCount: Number(row?.paidCount ?? 0),
        grossVolumeAmount: centavos(Number(row?.grossVolumeAmount ?? 0)),
        fees: toAmounts<FeeTotals>(row, FEE_NAMES),
        movements: toAmounts<MovementTotals>(row, MOVEMENT_NAMES),
      }
    })
  }

  return {
    /** Newest sellers first. */
    async listBilling(scope: ReportScope, { page, perPage }: PageRequest): Promise<Page<BillingRow>> {
      const { rows } = await db.execute<Billed & { total: string }>(sql`
        with billed as materialized (${billedSellers(scope)})
        select total, seller.* from (select count(*) as total from billed) as counted
        left join lateral (
          select id, name, email from users where id in (select seller_id from billed)
          order by id desc limit ${perPage} offset ${(page - 1) * perPage}
        ) as seller on true
        order by id desc`)
      const sellers = rows.filter(({ id }) => id !== null)
      return { rows: await rowsOf(sellers, scope), totalRecords: Number(rows[0]?.total ?? 0) }
    },

    /** The next sellers after the one with the id `after`, newest first: for walking through all of them. */
    async listBillingAfter(scope: ReportScope, after: string | undefined, limit: number): Promise<BillingRow[]> {
      const { rows } = await db.execute<Billed>(sql`
        select id, name, email from users where id in (${billedSellers(scope)})
          and ${after === undefined ? sql`true` : sql`id < ${after}`}
        order by id desc limit ${limit}`)
      return rowsOf(rows, scope)
    },
  }
}
