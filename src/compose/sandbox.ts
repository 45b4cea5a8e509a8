import type { MovableClock } from '../clock.ts'
import { saoPauloDate } from '../domain/calendar.ts'
import { partsOn } from '../domain/due-terms.ts'
import type { Job } from '../jobs/runs.ts'
import type { ProviderRegistry } from '../providers/provider.registry.ts'
import { createPlatformClock } from '../providers/sandbox/platform-clock.ts'
import { createSandboxService } from '../providers/sandbox/sandbox.service.ts'
import { sandboxSecret } from '../providers/sandbox/sandbox.signature.ts'
import type { Foundation } from './foundation.ts'
import type { composeMoneyMoves } from './money-moves.ts'

const runUntilDone = async (jobs: readonly Job[]): Promise<void> => {
  for (const job of jobs) {
    let done = await job.runOnce()
    while (done > 0) done = await job.runOnce()
  }
}

type Dependencies = Foundation & {
  clock: MovableClock
  providers: ProviderRegistry
  moneyMoves: ReturnType<typeof composeMoneyMoves>['services']
  jobs: Readonly<Record<string, Job>>
}

/** The hands on the simulated acquirer and on the platform's clock. No sandbox where it serves nothing. */
export const composeSandbox = ({ moneyMoves, jobs, ...dependencies }: Dependencies) => {
  const { config, read } = dependencies
  const platformClock = createPlatformClock({ ...dependencies, runDueJobs: () => runUntilDone(Object.values(jobs)) })
  const sandbox = createSandboxService({
    ...dependencies,
    platformClock,
    secret: sandboxSecret(config.encryptionKey),
    providerEvents: moneyMoves.providerEvents,
    getPayment: moneyMoves.payments.get,
    findPartsToday: async ({ sellerId }, id) => {
      const payment = await read.payments.find(sellerId, id)
      if (payment == null || payment.dueTerms === null) return null
      const holidays = await read.holidays.findOverrides()
      return partsOn(payment.amount, payment.dueTerms, saoPauloDate(dependencies.clock.now()), holidays)
    },
    findPayment: dependencies.read.payments.findAnywhere,
    getDispute: moneyMoves.disputes.get,
  })
  return { platformClock, sandbox: config.providers.sandbox.isRouted ? sandbox : undefined }
}
