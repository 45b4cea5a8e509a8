import { createBoletosService } from '../areas/boletos/boletos.service.ts'
import { createDisputesService } from '../areas/disputes/disputes.service.ts'
import { createPaymentsService } from '../areas/payments/payments.service.ts'
import { createReceivedPixService } from '../areas/received-pix/received-pix.service.ts'
import { createRefundsService } from '../areas/refunds/refunds.service.ts'
import { createReleaseAllReserves, createReleaseReserves } from '../areas/reserves/release-reserves.ts'
import { createReserveReleasesService } from '../areas/reserves/reserve-releases.service.ts'
import { createSavedCardsService } from '../areas/saved-cards/saved-cards.service.ts'
import { withTreasury } from '../areas/treasury/treasury.outcome.ts'
import { createWithdrawalsService } from '../areas/withdrawals/withdrawals.service.ts'
import type { JobName } from '../jobs/schedule.ts'
import type { ProviderRegistry } from '../providers/provider.registry.ts'
import { createProviderEventsService } from '../providers/provider-events.service.ts'
import { receivedPixGauges } from '../telemetry/received-pix-gauges.ts'
import type { Foundation } from './foundation.ts'
import { type PixAccount, pixJobs } from './pix-account.ts'

type Composed = { providers: ProviderRegistry; pixAccount: PixAccount | undefined }

/** Everything by which money moves, and what providers tell about it. */
export const composeMoneyMoves = (dependencies: Foundation & Composed) => {
  // After a commit the job runs at once instead of at its time.
  const soon = (job: JobName) => () => dependencies.runSoon(job)
  const payments = createPaymentsService(dependencies)
  const savedCards = createSavedCardsService({ ...dependencies, forgetCardsSoon: soon('forgetCards') })
  const boletos = createBoletosService({ ...dependencies, findPayment: payments.find })
  const withdrawals = createWithdrawalsService({ ...dependencies, payOutSoon: soon('payWithdrawals') })
  const disputes = createDisputesService({ ...dependencies, sendDefensesSoon: soon('sendDefenses') })
  const { coverOpenDispute } = disputes
  const refunds = createRefundsService({ ...dependencies, coverOpenDispute, sendRefundsSoon: soon('sendRefunds') })
  const reserveReleases = createReserveReleasesService({ ...dependencies, releaseSoon: soon('releaseAllReserves') })
  const receivedPix = createReceivedPixService({
    ...dependencies,
    applyToPayments: payments.handleNotifications,
    refundsUnmatched: dependencies.config.providers.pix?.refundsUnmatched ?? false,
    refundSoon: soon('refundReceivedPix'),
  })
  const handlers = {
    received: receivedPix.handleNotifications,
    charge: payments.handleNotifications,
    refund: refunds.handleNotifications,
    dispute: disputes.handleNotifications,
    payout: withTreasury(withdrawals.handleNotifications, dependencies),
  }
  const providerEvents = createProviderEventsService({ ...dependencies, handlers })
  // In the order in which they run when the clock is moved: what comes in first, then what falls due.
  const jobs = {
    ...providerEvents.jobs,
    ...pixJobs({ ...dependencies, handlers }),
    ...receivedPix.jobs,
    ...payments.jobs,
    ...savedCards.jobs,
    ...refunds.jobs,
    ...disputes.jobs,
    ...withdrawals.jobs,
    releaseReserves: createReleaseReserves(dependencies),
    releaseAllReserves: createReleaseAllReserves(dependencies),
  }
  const services = {
    ...{ payments, savedCards, boletos, receivedPix, refunds, disputes },
    ...{ withdrawals, reserveReleases, providerEvents },
  }
  return { services, jobs, gauges: receivedPixGauges(receivedPix.findOpen) }
}
