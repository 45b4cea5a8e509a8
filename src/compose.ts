import { composeBooks } from './compose/books.ts'
import { composeCheckout } from './compose/checkout.ts'
import { composeGround, type Foundations } from './compose/ground.ts'
import { composeIdentity } from './compose/identity.ts'
import { composeLedger } from './compose/ledger.ts'
import { composeLinks } from './compose/links.ts'
import { composeMoneyMoves } from './compose/money-moves.ts'
import { composeOperation } from './compose/operation.ts'
import { composeProviders } from './compose/providers.ts'
import { composeReports } from './compose/reports.ts'
import { composeSandbox } from './compose/sandbox.ts'
import { composeSellers } from './compose/sellers.ts'
import { composeWebhooks } from './compose/webhooks.ts'
import { createCleanUp } from './workers/clean-up.ts'
import { createFoldFigures } from './workers/fold-figures.ts'

/** Wires every service once, subject by subject: each file beside it is the only caller of its create…Service(). */
export const compose = (foundations: Foundations) => {
  const pool = foundations.database.$client
  const ground = composeGround(foundations)
  const identity = composeIdentity(ground)
  const sellers = composeSellers(ground)
  const books = composeBooks(ground)
  const { providers, providerHealth } = composeProviders(ground)
  const moneyMoves = composeMoneyMoves({ ...ground, providers })
  const links = composeLinks({ ...ground, payments: moneyMoves.services.payments })
  const webhooks = composeWebhooks(ground)
  const ledger = composeLedger(ground)
  const { jobQueries: queries } = ground
  const forgetSessions = identity.authentication.cleanUp
  // In the order in which they run when the clock is moved.
  const jobs = {
    ...moneyMoves.jobs,
    ...links.jobs,
    ...webhooks.jobs,
    ...ledger.jobs,
    foldFigures: createFoldFigures(ground),
    cleanUp: createCleanUp({ ...ground, queries, forgetSessions }),
  }
  const operation = composeOperation({ ...ground, pool, providerHealth })
  const { findWebhookBacklog } = webhooks.services
  return {
    ...ground,
    ...identity,
    ...sellers,
    ...books,
    ...moneyMoves.services,
    ...links.services,
    ...composeCheckout({ ...ground, ...links.services }),
    ...webhooks.services,
    ...composeReports({ ...ground, balance: books.balance, providerHealth, findWebhookBacklog }),
    ...composeSandbox({ ...ground, providers, moneyMoves: moneyMoves.services, jobs }),
    ...operation,
    gauges: [...operation.gauges, ...webhooks.gauges, ...ledger.gauges],
    providers,
    providerHealth,
    jobs,
    pool,
  }
}

export type Services = ReturnType<typeof compose>
