import { createAdjustmentsQueries, createAdjustmentsRepository } from './areas/adjustments/adjustments.repository.ts'
import { createApprovalsQueries, createApprovalsRepository } from './areas/approvals/approvals.repository.ts'
import {
  createAuthenticationQueries,
  createAuthenticationRepository,
} from './areas/authentication/authentication.repository.ts'
import { createLoginDevicesRepository } from './areas/authentication/login-devices.repository.ts'
import {
  createLoginFailuresQueries,
  createLoginFailuresRepository,
} from './areas/authentication/login-failures.repository.ts'
import { createTotpQueries, createTotpRepository } from './areas/authentication/totp.repository.ts'
import { createBalanceQueries } from './areas/balance/balance.queries.ts'
import { createBrandingQueries, createBrandingRepository } from './areas/branding/branding.repository.ts'
import { createCompaniesQueries, createCompaniesRepository } from './areas/companies/companies.repository.ts'
import {
  createCompanyDocumentsQueries,
  createCompanyDocumentsRepository,
} from './areas/companies/company-documents.repository.ts'
import { createCustomersQueries, createCustomersRepository } from './areas/customers/customers.repository.ts'
import { createDisputeFeesQueries, createDisputeFeesRepository } from './areas/disputes/dispute-fees.repository.ts'
import { createDisputesQueries } from './areas/disputes/disputes.queries.ts'
import { createDisputesRepository } from './areas/disputes/disputes.repository.ts'
import { createFeesQueries, createFeesRepository } from './areas/fees/fees.repository.ts'
import { createHolidaysQueries, createHolidaysRepository } from './areas/holidays/holidays.repository.ts'
import {
  createIntegrationsQueries,
  createIntegrationsRepository,
} from './areas/integrations/integrations.repository.ts'
import { createJournalQueries } from './areas/journal/journal.queries.ts'
import { createPaymentLinksQueries } from './areas/payment-links/payment-links.queries.ts'
import { createPaymentLinksRepository } from './areas/payment-links/payment-links.repository.ts'
import { createPayerSnapshotsRepository } from './areas/payments/payer-snapshots.repository.ts'
import { createPaymentTermsQueries, createPaymentTermsRepository } from './areas/payments/payment-terms.repository.ts'
import { createPaymentsQueries, createPaymentsRepository } from './areas/payments/payments.repository.ts'
import { createSettlementsQueries, createSettlementsRepository } from './areas/payments/settlements.repository.ts'
import { createErasuresQueries, createErasuresRepository } from './areas/personal-data/erasures.repository.ts'
import { createPersonalDataQueries } from './areas/personal-data/personal-data.queries.ts'
import {
  createProviderCostsQueries,
  createProviderCostsRepository,
} from './areas/provider-costs/provider-costs.repository.ts'
import { createReceivedPixQueries, createReceivedPixRepository } from './areas/received-pix/received-pix.repository.ts'
import {
  createReconciliationQueries,
  createReconciliationRepository,
} from './areas/reconciliation/reconciliation.repository.ts'
import { createLinkTokensQueries, createLinkTokensRepository } from './areas/recovery/link-tokens.repository.ts'
import { createRefundsQueries, createRefundsRepository } from './areas/refunds/refunds.repository.ts'
import { createReportsQueries } from './areas/reports/reports.queries.ts'
import {
  createReserveConfigsQueries,
  createReserveConfigsRepository,
} from './areas/reserves/reserve-configs.repository.ts'
import { createReserveHoldsQueries, createReserveHoldsRepository } from './areas/reserves/reserve-holds.repository.ts'
import {
  createReserveReleasesQueries,
  createReserveReleasesRepository,
} from './areas/reserves/reserve-releases.repository.ts'
import { createSavedCardsQueries, createSavedCardsRepository } from './areas/saved-cards/saved-cards.repository.ts'
import { createSellersQueries } from './areas/sellers/sellers.queries.ts'
import { createInvitationsQueries, createInvitationsRepository } from './areas/team/invitations.repository.ts'
import { createTransactionsQueries } from './areas/transactions/transactions.queries.ts'
import { createTreasuryQueries, createTreasuryRepository } from './areas/treasury/treasury.repository.ts'
import { createUsersQueries, createUsersRepository } from './areas/users/users.repository.ts'
import { createVelocityQueries, createVelocityRepository } from './areas/velocity/velocity.repository.ts'
import {
  createWithdrawalConfigsQueries,
  createWithdrawalConfigsRepository,
} from './areas/withdrawals/withdrawal-configs.repository.ts'
import { createWithdrawalsQueries } from './areas/withdrawals/withdrawals.queries.ts'
import { createWithdrawalsRepository } from './areas/withdrawals/withdrawals.repository.ts'
import { createAuditQueries, createAuditRepository } from './audit/audit.repository.ts'
import { createDailyTotalsQueries, createDailyTotalsRepository } from './daily-totals/daily-totals.repository.ts'
import type { Reader, Writer } from './db/client.ts'
import { createPartitionsQueries, createPartitionsRepository } from './db/partitions.ts'
import { createEventsQueries } from './events/events.queries.ts'
import { createEventsRepository } from './events/events.repository.ts'
import { createIdempotencyQueries, createIdempotencyRepository } from './idempotency/idempotency.repository.ts'
import type { NewId } from './ids.ts'
import { createLedgerQueries } from './ledger/ledger.queries.ts'
import { createLedgerRepository } from './ledger/ledger.repository.ts'
import { createLedgerChainQueries } from './ledger/ledger-chain.queries.ts'
import { createLedgerChainRepository } from './ledger/ledger-chain.repository.ts'
import { createLedgerProofsQueries, createLedgerProofsRepository } from './ledger/ledger-proofs.repository.ts'
import { createMailDigestsQueries, createMailDigestsRepository } from './mail/mail-digests.repository.ts'
import { createMailPreferencesQueries, createMailPreferencesRepository } from './mail/mail-preferences.repository.ts'
import { createMailQueueQueries, createMailQueueRepository } from './mail/mail-queue.repository.ts'
import { createMailReceiptsQueries } from './mail/mail-receipts.queries.ts'
import { createMailsQueries, createMailsRepository } from './mail/mails.repository.ts'
import {
  createProviderCursorsQueries,
  createProviderCursorsRepository,
} from './providers/provider-cursors.repository.ts'
import { createProviderEventsQueries, createProviderEventsRepository } from './providers/provider-events.repository.ts'
import {
  createProviderReferencesQueries,
  createProviderReferencesRepository,
} from './providers/provider-references.repository.ts'
import { createSandboxQueries, createSandboxRepository } from './providers/sandbox/sandbox.repository.ts'
import { createDeliveryHistoryQueries } from './webhooks/api/delivery-history.queries.ts'
import {
  createSellerWebhooksQueries,
  createSellerWebhooksRepository,
} from './webhooks/api/seller-webhooks.repository.ts'
import { createWebhookDeliveriesQueries } from './webhooks/engine/webhook-deliveries.queries.ts'
import { createWebhookDeliveriesRepository } from './webhooks/engine/webhook-deliveries.repository.ts'
import { createWebhookQueuesQueries } from './webhooks/engine/webhook-queues.queries.ts'
import { createWebhookQueuesRepository } from './webhooks/engine/webhook-queues.repository.ts'
import {
  createWebhookRecoveriesQueries,
  createWebhookRecoveriesRepository,
} from './webhooks/engine/webhook-recoveries.repository.ts'

const createProviderReads = (db: Reader) => ({
  providerCosts: createProviderCostsQueries(db),
  providerCursors: createProviderCursorsQueries(db),
  providerEvents: createProviderEventsQueries(db),
  providerReferences: createProviderReferencesQueries(db),
  sandbox: createSandboxQueries(db),
  savedCards: createSavedCardsQueries(db),
})

const createWebhookReads = (db: Reader) => ({
  deliveryHistory: createDeliveryHistoryQueries(db),
  sellerWebhooks: createSellerWebhooksQueries(db),
  webhookDeliveries: createWebhookDeliveriesQueries(db),
  webhookQueues: createWebhookQueuesQueries(db),
  webhookRecoveries: createWebhookRecoveriesQueries(db),
})

/** What reads, through a pool or a transaction: all that there is outside a transaction. */
export const createReads = (db: Reader) => ({
  ...createProviderReads(db),
  adjustments: createAdjustmentsQueries(db),
  approvals: createApprovalsQueries(db),
  audit: createAuditQueries(db),
  authentication: createAuthenticationQueries(db),
  balance: createBalanceQueries(db),
  branding: createBrandingQueries(db),
  companies: createCompaniesQueries(db),
  companyDocuments: createCompanyDocumentsQueries(db),
  customers: createCustomersQueries(db),
  dailyTotals: createDailyTotalsQueries(db),
  disputeFees: createDisputeFeesQueries(db),
  disputes: createDisputesQueries(db),
  erasures: createErasuresQueries(db),
  events: createEventsQueries(db),
  fees: createFeesQueries(db),
  holidays: createHolidaysQueries(db),
  idempotency: createIdempotencyQueries(db),
  integrations: createIntegrationsQueries(db),
  invitations: createInvitationsQueries(db),
  journal: createJournalQueries(db),
  ledger: createLedgerQueries(db),
  ledgerChain: createLedgerChainQueries(db),
  ledgerProofs: createLedgerProofsQueries(db),
  linkTokens: createLinkTokensQueries(db),
  loginFailures: createLoginFailuresQueries(db),
  mailDigests: createMailDigestsQueries(db),
  mailPreferences: createMailPreferencesQueries(db),
  mailQueue: createMailQueueQueries(db),
  mailReceipts: createMailReceiptsQueries(db),
  mails: createMailsQueries(db),
  partitions: createPartitionsQueries(db),
  paymentLinks: createPaymentLinksQueries(db),
  payments: createPaymentsQueries(db),
  paymentTerms: createPaymentTermsQueries(db),
  personalData: createPersonalDataQueries(db),
  reconciliation: createReconciliationQueries(db),
  receivedPix: createReceivedPixQueries(db),
  refunds: createRefundsQueries(db),
  reports: createReportsQueries(db),
  reserveConfigs: createReserveConfigsQueries(db),
  reserveHolds: createReserveHoldsQueries(db),
  reserveReleases: createReserveReleasesQueries(db),
  sellers: createSellersQueries(db),
  settlements: createSettlementsQueries(db),
  totp: createTotpQueries(db),
  transactions: createTransactionsQueries(db),
  treasury: createTreasuryQueries(db),
  users: createUsersQueries(db),
  velocity: createVelocityQueries(db),
  withdrawalConfigs: createWithdrawalConfigsQueries(db),
  withdrawals: createWithdrawalsQueries(db),
  ...createWebhookReads(db),
})

export type Reads = ReturnType<typeof createReads>

type Makers<Given> = Readonly<Record<string, (given: Given) => unknown>>

/** Makes objects whose properties are made when they are first asked for. */
const lazily = <Given, All extends Makers<Given>>(makers: All) => {
  class Lazily {
    readonly given: Given
    constructor(given: Given) {
      this.given = given
    }
  }
  for (const [name, make] of Object.entries(makers)) {
    Object.defineProperty(Lazily.prototype, name, {
      get(this: Lazily) {
        const value = make(this.given)
        Object.defineProperty(this, name, { value })
        return value
      },
    })
  }
  return (given: Given) => new Lazily(given) as Lazily & { readonly [Name in keyof All]: ReturnType<All[Name]> }
}

/** What repositories are given beside a transaction: how secrets are sealed, and who hears of what they add. */
export type Surroundings = {
  sealSecret?: ((plain: string) => string) | undefined
  onEventsAdded?: (() => void) | undefined
  onMailsAdded?: (() => void) | undefined
}

type Within = Surroundings & { tx: Writer; newId: NewId }

const noKey = (): never => {
  throw new Error('there is no key to seal a secret with')
}

const writers = {
  adjustments: ({ tx }: Within) => createAdjustmentsRepository(tx),
  approvals: ({ tx }: Within) => createApprovalsRepository(tx),
  audit: ({ tx, newId }: Within) => createAuditRepository(tx, newId),
  authentication: ({ tx }: Within) => createAuthenticationRepository(tx),
  branding: ({ tx }: Within) => createBrandingRepository(tx),
  companies: ({ tx }: Within) => createCompaniesRepository(tx),
  companyDocuments: ({ tx }: Within) => createCompanyDocumentsRepository(tx),
  customers: ({ tx }: Within) => createCustomersRepository(tx),
  dailyTotals: ({ tx }: Within) => createDailyTotalsRepository(tx),
  deliveryHistory: ({ tx }: Within) => createDeliveryHistoryQueries(tx),
  disputeFees: ({ tx }: Within) => createDisputeFeesRepository(tx),
  disputes: ({ tx }: Within) => createDisputesRepository(tx),
  erasures: ({ tx }: Within) => createErasuresRepository(tx),
  events: ({ tx, newId, onEventsAdded }: Within) => createEventsRepository(tx, newId, onEventsAdded),
  fees: ({ tx }: Within) => createFeesRepository(tx),
  holidays: ({ tx }: Within) => createHolidaysRepository(tx),
  idempotency: ({ tx }: Within) => createIdempotencyRepository(tx),
  integrations: ({ tx }: Within) => createIntegrationsRepository(tx),
  invitations: ({ tx }: Within) => createInvitationsRepository(tx),
  ledger: ({ tx, newId }: Within) => createLedgerRepository(tx, newId),
  ledgerChain: ({ tx }: Within) => createLedgerChainRepository(tx),
  ledgerProofs: ({ tx }: Within) => createLedgerProofsRepository(tx),
  linkTokens: ({ tx }: Within) => createLinkTokensRepository(tx),
  loginDevices: ({ tx }: Within) => createLoginDevicesRepository(tx),
  loginFailures: ({ tx }: Within) => createLoginFailuresRepository(tx),
  mailDigests: ({ tx }: Within) => createMailDigestsRepository(tx),
  mailPreferences: ({ tx }: Within) => createMailPreferencesRepository(tx),
  mailQueue: ({ tx }: Within) => createMailQueueRepository(tx),
  mails: ({ tx, newId, sealSecret: seal = noKey, onMailsAdded: onAdded = () => undefined }: Within) =>
    createMailsRepository(tx, newId, { seal, onAdded }),
  partitions: ({ tx }: Within) => createPartitionsRepository(tx),
  payerSnapshots: ({ tx }: Within) => createPayerSnapshotsRepository(tx),
  paymentLinks: ({ tx }: Within) => createPaymentLinksRepository(tx),
  payments: ({ tx }: Within) => createPaymentsRepository(tx),
  paymentTerms: ({ tx }: Within) => createPaymentTermsRepository(tx),
  personalData: ({ tx }: Within) => createPersonalDataQueries(tx),
  providerCosts: ({ tx }: Within) => createProviderCostsRepository(tx),
  providerCursors: ({ tx }: Within) => createProviderCursorsRepository(tx),
  providerEvents: ({ tx }: Within) => createProviderEventsRepository(tx),
  providerReferences: ({ tx }: Within) => createProviderReferencesRepository(tx),
  reconciliation: ({ tx }: Within) => createReconciliationRepository(tx),
  receivedPix: ({ tx }: Within) => createReceivedPixRepository(tx),
  refunds: ({ tx }: Within) => createRefundsRepository(tx),
  reserveConfigs: ({ tx, newId }: Within) => createReserveConfigsRepository(tx, newId),
  reserveHolds: ({ tx }: Within) => createReserveHoldsRepository(tx),
  reserveReleases: ({ tx }: Within) => createReserveReleasesRepository(tx),
  sandbox: ({ tx }: Within) => createSandboxRepository(tx),
  savedCards: ({ tx }: Within) => createSavedCardsRepository(tx),
  sellerWebhooks: ({ tx }: Within) => createSellerWebhooksRepository(tx),
  settlements: ({ tx }: Within) => createSettlementsRepository(tx),
  totp: ({ tx }: Within) => createTotpRepository(tx),
  treasury: ({ tx }: Within) => createTreasuryRepository(tx),
  users: ({ tx }: Within) => createUsersRepository(tx),
  velocity: ({ tx }: Within) => createVelocityRepository(tx),
  webhookDeliveries: ({ tx }: Within) => createWebhookDeliveriesRepository(tx),
  webhookQueues: ({ tx }: Within) => createWebhookQueuesRepository(tx),
  webhookRecoveries: ({ tx }: Within) => createWebhookRecoveriesRepository(tx),
  withdrawalConfigs: ({ tx, newId }: Within) => createWithdrawalConfigsRepository(tx, newId),
  withdrawals: ({ tx }: Within) => createWithdrawalsRepository(tx),
}

export type Repositories = { readonly [Name in keyof typeof writers]: ReturnType<(typeof writers)[Name]> }

const writersWithin = lazily<Within, typeof writers>(writers)

/** The same with what locks and writes, bound to one open transaction, which needs a few of them: each is made when it is asked for. */
export const createRepositories = (tx: Writer, newId: NewId, surroundings: Surroundings = {}): Repositories =>
  writersWithin({ ...surroundings, tx, newId })

/** `patient: false` for who does something else when a lock does not come free. */
type Patience = { patient?: boolean }

export type Transact = <Result>(work: (tx: Repositories) => Promise<Result>, patience?: Patience) => Promise<Result>
