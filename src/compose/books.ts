import { createBalanceService } from '../areas/balance/balance.service.ts'
import { createDisputeFeesService } from '../areas/disputes/dispute-fees.service.ts'
import { createEnsureDefaultFees } from '../areas/fees/default-fees.ts'
import { createFeeSimulation } from '../areas/fees/fee-simulation.ts'
import { createFeesService } from '../areas/fees/fees.service.ts'
import { createHolidaysService } from '../areas/holidays/holidays.service.ts'
import { createJournalService } from '../areas/journal/journal.service.ts'
import { createReservesService } from '../areas/reserves/reserves.service.ts'
import { createTransactionsService } from '../areas/transactions/transactions.service.ts'
import { createWithdrawalConfigsService } from '../areas/withdrawals/withdrawal-configs.service.ts'
import type { Foundation } from './foundation.ts'

/** What sellers own and pay: balances, statements and the terms they are under. */
export const composeBooks = (foundation: Foundation) => ({
  balance: createBalanceService(foundation),
  transactions: createTransactionsService({ ...foundation, read: foundation.readReplica }),
  journal: createJournalService({ read: foundation.readReplica }),
  fees: createFeesService(foundation),
  simulateFee: createFeeSimulation(foundation),
  disputeFees: createDisputeFeesService(foundation),
  ensureDefaultFees: createEnsureDefaultFees(foundation),
  holidays: createHolidaysService(foundation),
  reserves: createReservesService(foundation),
  withdrawalConfigs: createWithdrawalConfigsService(foundation),
})
