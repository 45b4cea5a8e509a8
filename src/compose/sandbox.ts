import type { MovableClock } from '../clock.ts'
import type { ProviderRegistry } from '../providers/provider.registry.ts'
import { createPlatformClock } from '../providers/sandbox/platform-clock.ts'
import { createSandboxService } from '../providers/sandbox/sandbox.service.ts'
import { sandboxSecret } from '../providers/sandbox/sandbox.signature.ts'
import type { Ground } from './ground.ts'
import type { composeMoneyMoves } from './money-moves.ts'

type Job = { runOnce(): Promise<number> }

const runUntilDone = async (jobs: readonly Job[]): Promise<void> => {
  for (const job of jobs) {
    let done = await job.runOnce()
    while (done > 0) done = await job.runOnce()
  }
}

type Foundations = Ground & {
  clock: MovableClock
  providers: ProviderRegistry
  moneyMoves: ReturnType<typeof composeMoneyMoves>['services']
  jobs: Readonly<Record<string, Job>>
}

/** The hands on the simulated acquirer and on the platform's clock. No sandbox where another provider is active. */
export const composeSandbox = ({ moneyMoves, jobs, ...foundations }: Foundations) => {
  const { config } = foundations
  const platformClock = createPlatformClock({ ...foundations, runDueJobs: () => runUntilDone(Object.values(jobs)) })
  const sandbox = createSandboxService({
    ...foundations,
    platformClock,
    secret: sandboxSecret(config.encryptionKey),
    providerEvents: moneyMoves.providerEvents,
    getPayment: moneyMoves.payments.get,
    getDispute: moneyMoves.disputes.get,
  })
  return { platformClock, sandbox: config.provider === 'sandbox' ? sandbox : undefined }
}
