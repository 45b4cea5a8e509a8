import { and, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../db/client.ts'
import { readPage } from '../../db/paging.ts'
import { type Centavos, centavos } from '../../domain/money.ts'
import type { FeeTotals } from '../../domain/revenue.ts'
import type { Page, PageRequest } from '../../http/pagination.ts'
import { companies } from '../companies/companies.tables.ts'
import { users } from '../users/users.tables.ts'
import {
  FEE_NAMES,
  feeSums,
  isMovement,
  isRevenue,
  MOVEMENT_NAMES,
  type MovementTotals,
  movementLegs,
  movementSums,
  REVENUE_KIND,
  revenueLegs,
  type Sums,
  toAmounts,
  within,
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

// Sellers who were paid, or whose book moved, in the period. Those without anything to bill are not in the list.
const billed = (scope: ReportScope): SQL | undefined =>
  and(
    eq(users.role, 'seller'),
    scope.sellerId === undefined ? undefined : eq(users.id, scope.sellerId),
    sql`(
      exists (
        select from payments as payment
        where payment.seller_id = ${users.id} and ${within(sql`payment.paid_at`, scope)}
      ) or exists (
        select from ledger_postings as posting where posting.seller_id = ${users.id} and ${isRevenue(scope)}
      ) or exists (
        select from ledger_transfers as transfer where transfer.seller_id = ${users.id} and ${isMovement(scope)}
      )
    )`,
  )

export const createBillingQueries = (db: Executor) => {
  // All figures in one statement, each seller's found through the indexes that begin with the seller.
  const figuresOf = async (ids: readonly string[], scope: ReportScope): Promise<Map<string, Raw>> => {
    const { rows } = await db.execute<Raw>(sql`
      select seller.id as "sellerId", volume.*, fees.*, movements.*
      from unnest(${sql.param(ids)}::uuid[]) as seller (id)
      cross join lateral (
        select count(*) as "paidCount", coalesce(sum(payment.paid_amount), 0)::bigint as "grossVolumeAmount"
        from payments as payment
        where payment.seller_id = seller.id and ${within(sql`payment.paid_at`, scope)}
      ) as volume
      cross join lateral (
        select ${feeSums} from (
          select ${REVENUE_KIND} as kind, posting.account, sum(posting.amount) as amount
          from ${revenueLegs(scope)}
          where posting.seller_id = seller.id and ${isRevenue(scope)}
          group by 1, 2
        ) as sums
      ) as fees
      cross join lateral (
        select ${movementSums} from ${movementLegs} where transfer.seller_id = seller.id and ${isMovement(scope)}
      ) as movements`)
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

  const rowsOf = async (sellers: readonly BillingRow['seller'][], scope: ReportScope): Promise<BillingRow[]> => {
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
    async listBilling(scope: ReportScope, request: PageRequest): Promise<Page<BillingRow>> {
      const page = await readPage({ db, table: users, id: users.id, where: billed(scope) }, request)
      return { rows: await rowsOf(page.rows, scope), totalRecords: page.totalRecords }
    },

    /** The next sellers after the one with the id `after`, newest first: for walking through all of them. */
    async listBillingAfter(scope: ReportScope, after: string | undefined, limit: number): Promise<BillingRow[]> {
      const sellers = await db
        .select({ id: users.id, name: users.name, email: users.email })
        .from(users)
        .where(and(billed(scope), after === undefined ? undefined : lt(users.id, after)))
        .orderBy(desc(users.id))
        .limit(limit)
      return rowsOf(sellers, scope)
    },
  }
}
