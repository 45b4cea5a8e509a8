import { expect, test } from 'vitest'
import { centavos, ZERO } from '../../src/domain/money.ts'
import { feesKept, margin, netRevenue, takeRate } from '../../src/domain/revenue.ts'

const fees = {
  paymentFeesAmount: centavos(1_000),
  withdrawalFeesAmount: centavos(200),
  disputeFeesAmount: centavos(30),
  refundedFeesAmount: centavos(4),
  providerCostAmount: centavos(500),
  lossesAmount: centavos(26),
}

test('what is given back is taken off the fees, and what the provider costs off the revenue', () => {
  expect(feesKept(fees)).toBe(1_226)
  expect(netRevenue(fees)).toBe(726)
  expect(margin(fees)).toBe(700)
})

test('the take rate is the share of the volume that was kept, with two decimals', () => {
  expect(takeRate(fees, centavos(33_333))).toBe(3.68)
  expect(takeRate(fees, ZERO)).toBe(0)
  expect(takeRate({ ...fees, refundedFeesAmount: centavos(2_230) }, centavos(10_000))).toBe(-10)
})
