import { add, type Bps, type Centavos, percentOf, smaller } from './money.ts'
import type { PaymentMethod } from './payment.ts'

export type FeeRate = {
  percentage: Bps
  fixedAmount: Centavos
  minAmount?: Centavos | null
  maxAmount?: Centavos | null
}

/**
 * What a payment costs its seller: the percentage (half a centavo up) plus the fixed part, within the fee's own
 * bounds (of a minimum above the maximum, the maximum holds), and never more than the payment itself.
 */
export const paymentFee = (amount: Centavos, { percentage, fixedAmount, minAmount, maxAmount }: FeeRate): Centavos => {
  const plain = add(percentOf(amount, percentage), fixedAmount)
  const atLeast = minAmount != null && plain < minAmount ? minAmount : plain
  const atMost = maxAmount != null && atLeast > maxAmount ? maxAmount : atLeast
  return smaller(amount, atMost)
}

export type FeeBand = {
  sellerId: string | null
  method: PaymentMethod
  installmentsFrom: number
  installmentsTo: number
}

export type FeeKey = { sellerId: string; method: PaymentMethod; installments: number }

const applies = (fee: FeeBand, { sellerId, method, installments }: FeeKey): boolean =>
  (fee.sellerId === null || fee.sellerId === sellerId) &&
  fee.method === method &&
  fee.installmentsFrom <= installments &&
  installments <= fee.installmentsTo

const width = (fee: FeeBand): number => fee.installmentsTo - fee.installmentsFrom

const bySpecificity = (first: FeeBand, second: FeeBand): number =>
  Number(first.sellerId === null) - Number(second.sellerId === null) || width(first) - width(second)

/** The fee that applies: a seller's own before everyone's, a narrower band before a wider one. */
export const mostSpecificFee = <Fee extends FeeBand>(fees: readonly Fee[], key: FeeKey): Fee | undefined =>
  fees.filter((fee) => applies(fee, key)).sort(bySpecificity)[0]
