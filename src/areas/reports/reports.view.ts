import { add, type Centavos, subtract, ZERO } from '../../domain/money.ts'
import { type FeeTotals, feesKept, margin, netRevenue, takeRate } from '../../domain/revenue.ts'
import type { BillingRow } from './billing.queries.ts'
import type { BillingView } from './reports.schemas.ts'

type Volume = { paidCount: number; grossVolumeAmount: Centavos; fees: FeeTotals }

const NOTHING: Volume = {
  paidCount: 0,
  grossVolumeAmount: ZERO,
  fees: {
    paymentFeesAmount: ZERO,
    withdrawalFeesAmount: ZERO,
    disputeFeesAmount: ZERO,
    refundedFeesAmount: ZERO,
    providerCostAmount: ZERO,
    lossesAmount: ZERO,
  },
}

const sumOf = (first: Volume, second: Volume): Volume => ({
  paidCount: first.paidCount + second.paidCount,
  grossVolumeAmount: add(first.grossVolumeAmount, second.grossVolumeAmount),
  fees: {
    paymentFeesAmount: add(first.fees.paymentFeesAmount, second.fees.paymentFeesAmount),
    withdrawalFeesAmount: add(first.fees.withdrawalFeesAmount, second.fees.withdrawalFeesAmount),
    disputeFeesAmount: add(first.fees.disputeFeesAmount, second.fees.disputeFeesAmount),
    refundedFeesAmount: add(first.fees.refundedFeesAmount, second.fees.refundedFeesAmount),
    providerCostAmount: add(first.fees.providerCostAmount, second.fees.providerCostAmount),
    lossesAmount: add(first.fees.lossesAmount, second.fees.lossesAmount),
  },
})

/** Volume and revenue of groups taken together; zeros for none. */
export const revenueView = (groups: readonly Volume[]) => {
  const { paidCount, grossVolumeAmount, fees } = groups.reduce(sumOf, NOTHING)
  return {
    paidCount,
    grossVolumeAmount,
    ...fees,
    netRevenueAmount: netRevenue(fees),
    marginAmount: margin(fees),
    takeRatePercentage: takeRate(fees, grossVolumeAmount),
  }
}

const companyView = (company: NonNullable<BillingRow['company']>): NonNullable<BillingView['company']> => ({
  id: company.id,
  cnpj: company.cnpj,
  companyName: company.companyName,
  tradeName: company.tradeName,
  email: company.email,
  phone: company.phone,
  addressZipCode: company.addressZipCode,
  addressStreet: company.addressStreet,
  addressNumber: company.addressNumber,
  addressComplement: company.addressComplement,
  addressNeighborhood: company.addressNeighborhood,
  addressCity: company.addressCity,
  addressState: company.addressState,
})

/** One seller's month. */
export const billingView = (month: string, { seller, company, movements, ...row }: BillingRow): BillingView => {
  const { paymentFeesAmount, withdrawalFeesAmount, disputeFeesAmount, refundedFeesAmount, providerCostAmount } =
    row.fees
  const totalFeesAmount = feesKept(row.fees)
  const { refundsAmount, lostDisputesAmount, withdrawnAmount } = movements
  return {
    id: seller.id,
    month,
    sellerId: seller.id,
    sellerName: seller.name,
    sellerEmail: seller.email,
    paidCount: row.paidCount,
    grossVolumeAmount: row.grossVolumeAmount,
    paymentFeesAmount,
    withdrawalFeesAmount,
    disputeFeesAmount,
    refundedFeesAmount,
    providerCostAmount,
    totalFeesAmount,
    refundsAmount,
    lostDisputesAmount,
    netAmount: subtract(row.grossVolumeAmount, totalFeesAmount, refundsAmount, lostDisputesAmount),
    withdrawnAmount,
    company: company === undefined ? null : companyView(company),
  }
}

const COMPANY_COLUMNS = {
  companyCnpj: 'cnpj',
  companyName: 'companyName',
  companyTradeName: 'tradeName',
  companyEmail: 'email',
  companyPhone: 'phone',
  companyAddressZipCode: 'addressZipCode',
  companyAddressStreet: 'addressStreet',
  companyAddressNumber: 'addressNumber',
  companyAddressComplement: 'addressComplement',
  companyAddressNeighborhood: 'addressNeighborhood',
  companyAddressCity: 'addressCity',
  companyAddressState: 'addressState',
} as const satisfies Record<string, keyof NonNullable<BillingView['company']>>

type CompanyColumn = keyof typeof COMPANY_COLUMNS

export type BillingLine = Omit<BillingView, 'company' | 'id'> & Record<CompanyColumn, string | null>

const companyColumns = Object.keys(COMPANY_COLUMNS) as CompanyColumn[]

/** The columns of the file, in order. */
export const BILLING_COLUMNS: readonly (keyof BillingLine)[] = [
  'month',
  'sellerId',
  'sellerName',
  'sellerEmail',
  ...companyColumns,
  'paidCount',
  'grossVolumeAmount',
  'paymentFeesAmount',
  'withdrawalFeesAmount',
  'disputeFeesAmount',
  'refundedFeesAmount',
  'totalFeesAmount',
  'refundsAmount',
  'lostDisputesAmount',
  'netAmount',
  'withdrawnAmount',
  'providerCostAmount',
]

/** The same without levels, as a line of a file. */
export const billingLine = ({ company, id: _, ...view }: BillingView): BillingLine => {
  const columns = companyColumns.map((column) => [column, company?.[COMPANY_COLUMNS[column]] ?? null])
  return { ...view, ...(Object.fromEntries(columns) as Record<CompanyColumn, string | null>) }
}
