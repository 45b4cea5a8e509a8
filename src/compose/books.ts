import { createBalanceService } from '../areas/balance/balance.service.ts'
import { createDisputeFeesService } from '../areas/disputes/dispute-fees.service.ts'
import { createEnsureDefaultFees } from '../areas/fees/default-fees.ts'
import { createFeeSimulation } from '../areas/fees/fee-simulation.ts'
import { createFeesService } from '../areas/fees/fees.service.ts'
import { createHolidaysService } from '../areas/holidays/holidays.service.ts'
import { createReservesService } from '../areas/reserves/reserves.service.ts'
import { createTransactionsService } from '../areas/transactions/transactions.service.ts'
import { createWithdrawalConfigsService } from '../areas/withdrawals/withdrawal-configs.service.ts'
import type { Ground } from './ground.ts'

/** What sellers own and pay: balances, statements and the terms they are under. */
export const composeBooks = (ground: Ground) => ({
  balance: createBalanceService(ground),
  transactions: createTransactionsService({ ...ground, read: ground.readReplica }),
  fees: createFeesService(ground),
  simulateFee: createFeeSimulation(ground),
  disputeFees: createDisputeFeesService(ground),
  ensureDefaultFees: createEnsureDefaultFees(ground),
  holidays: createHolidaysService(ground),
  reserves: createReservesService(ground),
  withdrawalConfigs: createWithdrawalConfigsService(ground),
})
