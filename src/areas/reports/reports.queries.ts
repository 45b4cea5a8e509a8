import type { Executor } from '../../db/client.ts'
import { createBillingQueries } from './billing.queries.ts'
import { createLedgerFigures } from './ledger-figures.queries.ts'
import { createPaymentFigures } from './payment-figures.queries.ts'
import { createPlatformState } from './platform-state.queries.ts'
import { createRevenueQueries } from './revenue.queries.ts'

/** Sums over payments and the ledger, of one seller or of all. */
export const createReportsQueries = (db: Executor) => ({
  ...createPaymentFigures(db),
  ...createLedgerFigures(db),
  ...createRevenueQueries(db),
  ...createBillingQueries(db),
  ...createPlatformState(db),
})
