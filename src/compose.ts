import { createForgetLogos } from './areas/branding/forget-logos.ts'
import { createForgetFiles } from './areas/companies/forget-files.ts'
import { composeBooks } from './compose/books.ts'
import { composeCheckout } from './compose/checkout.ts'
import { composeCorrections } from './compose/corrections.ts'
import { composeFoundation, type Runtime } from './compose/foundation.ts'
import { composeIdentity } from './compose/identity.ts'
import { composeLedger } from './compose/ledger.ts'
import { composeLinks } from './compose/links.ts'
import { composeMail } from './compose/mail.ts'
import { composeMoneyMoves } from './compose/money-moves.ts'
import { composeOperation } from './compose/operation.ts'
import { composePixAccount } from './compose/pix-account.ts'
import { composeProviders } from './compose/providers.ts'
import { composeReports } from './compose/reports.ts'
import { composeSandbox } from './compose/sandbox.ts'
import { composeSellers } from './compose/sellers.ts'
import { composeWebhooks } from './compose/webhooks.ts'
import { createCleanUp } from './jobs/clean-up.ts'
import { createRollUpDailyTotals } from './jobs/roll-up-daily-totals.ts'
import type { Job } from './jobs/runs.ts'
import type { JobName } from './jobs/schedule.ts'

/** Wires every service once, subject by subject: each file beside it is the only caller of its create…Service(). */
export const compose = (runtime: Runtime) => {
  const pool = runtime.database.$client
  const foundation = composeFoundation(runtime)
  const identity = composeIdentity(foundation)
  const sellers = composeSellers(foundation)
  const books = composeBooks(foundation)
  const pixAccount = composePixAccount(foundation)
  const { providers, providerHealth, providerGauges, cardFields } = composeProviders(foundation, pixAccount)
  const moneyMoves = composeMoneyMoves({ ...foundation, providers, pixAccount })
  const corrections = composeCorrections({
    ...foundation,
    ...books,
    ...identity,
    providers,
    moneyMoves: moneyMoves.services,
  })
  const links = composeLinks({ ...foundation, providers, payments: moneyMoves.services.payments })
  const mail = composeMail(foundation)
  const webhooks = composeWebhooks({ ...foundation, followEvents: mail.followEvents })
  const ledger = composeLedger(foundation)
  const { authentication, recovery } = identity
  // In the order in which they run when the clock is moved.
  const jobs = {
    ...moneyMoves.jobs,
    ...corrections.jobs,
    ...links.jobs,
    ...webhooks.jobs,
    ...mail.jobs,
    ...ledger.jobs,
    ...sellers.jobs,
    rollUpDailyTotals: createRollUpDailyTotals(foundation.patient),
    cleanUp: createCleanUp({
      ...foundation,
      ...foundation.patient,
      forgetSessions: authentication.cleanUp,
      forgetLinks: recovery.cleanUp,
      forgetFiles: createForgetFiles(foundation),
      forgetLogos: createForgetLogos(foundation),
      forgetVelocity: links.services.velocity.forget,
      forgetMails: mail.forgetMails,
    }),
  } satisfies Readonly<Record<JobName, Job>>
  // Mails leave in real time, whatever the platform's clock says.
  const { sendMails: _sendMails, ...jobsByClock } = jobs
  const operation = composeOperation({
    ...foundation,
    ...{ pool, providerHealth, findMailState: mail.findMailState },
    findOpenSeconds: corrections.services.reconciliation.findOpenSeconds,
  })
  const { findWebhookBacklog } = webhooks.services
  return {
    ...foundation,
    ...identity,
    ...sellers.services,
    ...books,
    ...moneyMoves.services,
    ...corrections.services,
    ...links.services,
    ...composeCheckout({ ...foundation, ...links.services, providers }),
    cardFields,
    ...webhooks.services,
    ...mail.services,
    ...composeReports({
      ...foundation,
      ...{ balance: books.balance, providerHealth, findWebhookBacklog },
      findOpenExceptions: corrections.services.reconciliation.findOpen,
    }),
    ...composeSandbox({ ...foundation, providers, moneyMoves: moneyMoves.services, jobs: jobsByClock }),
    ...operation,
    gauges: [
      ...operation.gauges,
      ...providerGauges,
      ...webhooks.gauges,
      ...mail.gauges,
      ...ledger.gauges,
      ...corrections.gauges,
      ...moneyMoves.gauges,
      ...identity.identityGauges,
    ],
    chainKeys: ledger.chainKeys,
    providers,
    providerHealth,
    closeProviders: async () => pixAccount?.api.close(),
    jobs,
    pool,
  }
}

export type Services = ReturnType<typeof compose>
