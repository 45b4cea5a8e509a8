import { add, type Bps, type Centavos, percentOf, ZERO } from './money.ts'
import type { PaymentMethod } from './payment.ts'

/** What a provider keeps of a payment: the percentage, half a centavo up, plus the fixed part. */
export type ProviderCost = {
  provider: string
  method: PaymentMethod
  installmentsFrom: number
  installmentsTo: number
  percentage: Bps
  fixedAmount: Centavos
}

type Paid = { provider: string; method: PaymentMethod; installments: number; paidAmount: Centavos }

/** What a paid payment costs at its provider; zero where nothing is known of it. */
export const providerCostOf = (
  costs: readonly ProviderCost[],
  { provider, method, installments, paidAmount }: Paid,
): Centavos => {
  const cost = costs.find(
    (one) =>
      one.provider === provider &&
      one.method === method &&
      one.installmentsFrom <= installments &&
      installments <= one.installmentsTo,
  )
  return cost === undefined ? ZERO : add(percentOf(paidAmount, cost.percentage), cost.fixedAmount)
}
