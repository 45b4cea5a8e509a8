import type { Reader } from '../../db/client.ts'
import { createBillingQueries } from './billing.queries.ts'
import { createPaymentTotals } from './payment-totals.queries.ts'
import { createPlatformState } from './platform-state.queries.ts'
import { createRevenueQueries } from './revenue.queries.ts'

/** Sums over payments and the ledger, of one seller or of all. */
export const createReportsQueries = (db: Reader) => ({
  ...createPaymentTotals(db),
  ...createRevenueQueries(db),
  ...createBillingQueries(db),
  ...createPlatformState(db),
})
