import { uuids } from '../../db/arrays.ts'
import type { Reader, Writer } from '../../db/client.ts'
import { send, sendWrite, statement } from '../../db/statement.ts'
import { type Bps, bps } from '../../domain/money.ts'
import type { Seller } from '../../providers/provider.port.ts'
import type { PayerSnapshot } from './payments.tables.ts'

/** Who a seller is to payers and providers, whether they may receive payments, and what is held back of those. */
export type SellerTerms = Seller & {
  sellerId: string
  /** By an administrator, and not blocked since. */
  approved: boolean
  reservePercentage: Bps
  reserveDays: number
}

export type CustomerKey = { sellerId: string; customerId: string }

type SellerRow = {
  id: string
  name: string
  cnpj: string | null
  approved: boolean
  percentage_bps: Bps | null
  days: number | null
}
type CustomerRow = { seller_id: string; id: string } & PayerSnapshot

export const createPaymentTermsQueries = (db: Reader) => ({
  /** Sellers that exist and are not deleted. A reserve that is switched off holds nothing back. */
  async findSellers(sellerIds: readonly string[]): Promise<SellerTerms[]> {
    const { rows } = await send<SellerRow>(
      db,
      statement`
      select users.id, coalesce(company.trade_name, users.company_name) as name, company.cnpj,
        users.approved and users.blocked_at is null as approved, reserve_configs.percentage_bps, reserve_configs.days
      from users left join reserve_configs on reserve_configs.seller_id = users.id and reserve_configs.is_active
      left join lateral (
        select trade_name, cnpj from companies
        where companies.seller_id = users.id and companies.status = 'approved' and companies.deleted_at is null
        order by companies.id limit 1
      ) company on true
      where users.id = any(${uuids(sellerIds)}) and users.role = 'seller' and users.seller_id is null and users.deleted_at is null`,
    )
    return rows.map((row) => ({
      sellerId: row.id,
      name: row.name,
      document: row.cnpj,
      approved: row.approved,
      reservePercentage: row.percentage_bps ?? NOTHING,
      reserveDays: row.days ?? 1,
    }))
  },
})

/** What a payment takes over from its seller and its customer at the moment it is made: one statement for many. */
export const createPaymentTermsRepository = (db: Writer) => ({
  ...createPaymentTermsQueries(db),

  /**
   * The payers behind customers who are not deleted, by `sellerId/customerId`. Inside a transaction they stay so until
   * its end: no payment is made with the data of somebody who is being anonymised.
   */
  async findPayers(keys: readonly CustomerKey[]): Promise<ReadonlyMap<string, PayerSnapshot>> {
    if (keys.length === 0) return new Map()
    const { rows } = await sendWrite<CustomerRow>(
      db,
      statement`
      select seller_id, id, name, document, email, phone from customers
      where deleted_at is null and (seller_id, id) in (
        select * from unnest(
          ${uuids(keys.map(({ sellerId }) => sellerId))}, ${uuids(keys.map(({ customerId }) => customerId))}
        )
      ) for key share`,
    )
    return new Map(
      rows.map(({ seller_id, id, name, document, email, phone }) => [
        customerKey({ sellerId: seller_id, customerId: id }),
        { name, document, email, phone },
      ]),
    )
  },
})

const NOTHING = bps(0)

export const customerKey = ({ sellerId, customerId }: CustomerKey): string => `${sellerId}/${customerId}`
