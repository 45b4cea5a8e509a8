import { createPersonalDataQueries } from './areas/admin/personal-data.queries.ts'
import { createAuthenticationRepository } from './areas/authentication/authentication.repository.ts'
import { createLoginFailuresRepository } from './areas/authentication/login-failures.repository.ts'
import { createTotpRepository } from './areas/authentication/totp.repository.ts'
import { createBalanceQueries } from './areas/balance/balance.queries.ts'
import { createCompaniesRepository } from './areas/companies/companies.repository.ts'
import { createCompanyDocumentsRepository } from './areas/companies/company-documents.repository.ts'
import { createCustomersRepository } from './areas/customers/customers.repository.ts'
import { createDisputeFeesRepository } from './areas/disputes/dispute-fees.repository.ts'
import { createDisputesRepository } from './areas/disputes/disputes.repository.ts'
import { createFeesRepository } from './areas/fees/fees.repository.ts'
import { createHolidaysRepository } from './areas/holidays/holidays.repository.ts'
import { createIntegrationsRepository } from './areas/integrations/integrations.repository.ts'
import { createPaymentLinksRepository } from './areas/payment-links/payment-links.repository.ts'
import { createPayerSnapshotsRepository } from './areas/payments/payer-snapshots.repository.ts'
import { createPaymentTermsRepository } from './areas/payments/payment-terms.repository.ts'
import { createPaymentsRepository } from './areas/payments/payments.repository.ts'
import { createSettlementsRepository } from './areas/payments/settlements.repository.ts'
import { createRefundsRepository } from './areas/refunds/refunds.repository.ts'
import { createReportsQueries } from './areas/reports/reports.queries.ts'
import { createReserveConfigsRepository } from './areas/reserves/reserve-configs.repository.ts'
import { createReserveHoldsRepository } from './areas/reserves/reserve-holds.repository.ts'
import { createReserveReleasesRepository } from './areas/reserves/reserve-releases.repository.ts'
import { createSellerWebhooksRepository } from './areas/seller-webhooks/seller-webhooks.repository.ts'
import { createWebhookDeliveriesRepository } from './areas/seller-webhooks/webhook-deliveries.repository.ts'
import { createWebhookLanesRepository } from './areas/seller-webhooks/webhook-lanes.repository.ts'
import { createWebhookRecoveriesRepository } from './areas/seller-webhooks/webhook-recoveries.repository.ts'
import { createWorkerHeartbeatsRepository } from './areas/status/status.repository.ts'
import { createTransactionsQueries } from './areas/transactions/transactions.queries.ts'
import { createUsersRepository } from './areas/users/users.repository.ts'
import { createWithdrawalConfigsRepository } from './areas/withdrawals/withdrawal-configs.repository.ts'
import { createWithdrawalsRepository } from './areas/withdrawals/withdrawals.repository.ts'
import { createAuditRepository } from './audit/audit.repository.ts'
import type { Database, Executor } from './db/client.ts'
import { isRetryable } from './db/errors.ts'
import { createPartitionsRepository } from './db/partitions.ts'
import { inTransaction } from './db/transaction.ts'
import { createEventsRepository } from './events/events.repository.ts'
import { createFiguresRepository } from './figures/figures.repository.ts'
import { createIdempotencyRepository } from './idempotency/idempotency.repository.ts'
import type { NewId } from './ids.ts'
import { createLedgerRepository } from './ledger/ledger.repository.ts'
import { createLedgerChainRepository } from './ledger/ledger-chain.repository.ts'
import { createLedgerProofsRepository } from './ledger/ledger-proofs.repository.ts'
import { createProviderEventsRepository } from './providers/provider-events.repository.ts'
import { createProviderReferencesRepository } from './providers/provider-references.repository.ts'
import { createSandboxRepository } from './providers/sandbox/sandbox.repository.ts'

/** Every repository, speaking through one connection or transaction. */
export const createRepositories = (executor: Executor, newId: NewId, onEventsAdded?: () => void) => ({
  audit: createAuditRepository(executor, newId),
  authentication: createAuthenticationRepository(executor),
  balance: createBalanceQueries(executor),
  companies: createCompaniesRepository(executor),
  companyDocuments: createCompanyDocumentsRepository(executor),
  customers: createCustomersRepository(executor),
  disputeFees: createDisputeFeesRepository(executor),
  disputes: createDisputesRepository(executor),
  events: createEventsRepository(executor, newId, onEventsAdded),
  fees: createFeesRepository(executor),
  holidays: createHolidaysRepository(executor),
  figures: createFiguresRepository(executor),
  idempotency: createIdempotencyRepository(executor),
  integrations: createIntegrationsRepository(executor),
  loginFailures: createLoginFailuresRepository(executor),
  totp: createTotpRepository(executor),
  transactions: createTransactionsQueries(executor),
  users: createUsersRepository(executor),
  ledger: createLedgerRepository(executor, newId),
  ledgerChain: createLedgerChainRepository(executor),
  ledgerProofs: createLedgerProofsRepository(executor),
  payerSnapshots: createPayerSnapshotsRepository(executor),
  partitions: createPartitionsRepository(executor),
  payments: createPaymentsRepository(executor),
  paymentLinks: createPaymentLinksRepository(executor),
  paymentTerms: createPaymentTermsRepository(executor),
  personalData: createPersonalDataQueries(executor),
  providerEvents: createProviderEventsRepository(executor),
  providerReferences: createProviderReferencesRepository(executor),
  refunds: createRefundsRepository(executor),
  sandbox: createSandboxRepository(executor),
  settlements: createSettlementsRepository(executor),
  reports: createReportsQueries(executor),
  reserveConfigs: createReserveConfigsRepository(executor, newId),
  reserveHolds: createReserveHoldsRepository(executor),
  reserveReleases: createReserveReleasesRepository(executor),
  sellerWebhooks: createSellerWebhooksRepository(executor),
  webhookDeliveries: createWebhookDeliveriesRepository(executor),
  webhookLanes: createWebhookLanesRepository(executor),
  webhookRecoveries: createWebhookRecoveriesRepository(executor),
  withdrawalConfigs: createWithdrawalConfigsRepository(executor, newId),
  withdrawals: createWithdrawalsRepository(executor),
  workerHeartbeats: createWorkerHeartbeatsRepository(executor),
})

/** Repositories bound to one open transaction: the only way to write. */
export type Repositories = ReturnType<typeof createRepositories>

type ReadVerb = `find${string}` | `list${string}` | `sum${string}` | `count${string}`

/** What is left of the repositories outside a transaction: nothing that writes. */
export type Reads = {
  [Name in keyof Repositories]: Pick<Repositories[Name], Extract<keyof Repositories[Name], ReadVerb>>
}

export type Transact = <Result>(work: (tx: Repositories) => Promise<Result>) => Promise<Result>

const ATTEMPTS_MAX = 4

/**
 * Runs work in one transaction: a return commits, a throw rolls back. A deadlock is tried again, so `work` may run
 * several times and must have no effect outside the transaction. `onEventsCommitted` is called after a commit that wrote
 * events.
 */
export const transactOn = (
  database: Database,
  newId: NewId,
  onEventsCommitted: () => void = () => undefined,
): Transact => {
  const runOnce: Transact = async (work) => {
    let eventsAdded = false
    const noteEvents = () => {
      eventsAdded = true
    }
    const result = await inTransaction(database, (tx) => work(createRepositories(tx, newId, noteEvents)))
    if (eventsAdded) onEventsCommitted()
    return result
  }
  return async (work) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await runOnce(work)
      } catch (error) {
        if (attempt === ATTEMPTS_MAX || !isRetryable(error)) throw error
      }
    }
  }
}
