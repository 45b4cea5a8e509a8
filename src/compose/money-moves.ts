import { createDisputesService } from '../areas/disputes/disputes.service.ts'
import { createPaymentsService } from '../areas/payments/payments.service.ts'
import { createRefundsService } from '../areas/refunds/refunds.service.ts'
import { createReleaseAllReserves, createReleaseReserves } from '../areas/reserves/release-reserves.ts'
import { createReserveReleasesService } from '../areas/reserves/reserve-releases.service.ts'
import { createWithdrawalsService } from '../areas/withdrawals/withdrawals.service.ts'
import type { ProviderRegistry } from '../providers/provider.registry.ts'
import { createProviderEventsService } from '../providers/provider-events.service.ts'
import type { Ground } from './ground.ts'

/** Everything by which money moves, and what providers tell about it. */
export const composeMoneyMoves = (foundations: Ground & { providers: ProviderRegistry }) => {
  const { jobQueue } = foundations
  // After a commit the job runs now instead of with its next round.
  const hurry = (job: string) => () => jobQueue.hurry(job)
  const payments = createPaymentsService(foundations)
  const withdrawals = createWithdrawalsService({ ...foundations, hurryPayouts: hurry('payWithdrawals') })
  const disputes = createDisputesService({ ...foundations, hurryDefenses: hurry('sendDefenses') })
  const { coverOpenDispute } = disputes
  const refunds = createRefundsService({ ...foundations, coverOpenDispute, hurryRefunds: hurry('sendRefunds') })
  const reserveReleases = createReserveReleasesService({ ...foundations, hurryReleases: hurry('releaseAllReserves') })
  const handlers = {
    charge: payments.handleNotices,
    refund: refunds.handleNotices,
    dispute: disputes.handleNotices,
    payout: withdrawals.handleNotices,
  }
  const providerEvents = createProviderEventsService({ ...foundations, handlers })
  // In the order in which they run when the clock is moved: what comes in first, then what falls due.
  const jobs = {
    ...providerEvents.jobs,
    ...payments.jobs,
    ...refunds.jobs,
    ...disputes.jobs,
    ...withdrawals.jobs,
    releaseReserves: createReleaseReserves(foundations),
    releaseAllReserves: createReleaseAllReserves(foundations),
  }
  return { services: { payments, refunds, disputes, withdrawals, reserveReleases, providerEvents }, jobs }
}
