import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { adminAdjustmentsPlugin } from './areas/adjustments/adjustments.admin.plugin.ts'
import { adminApprovalsPlugin } from './areas/approvals/approvals.admin.plugin.ts'
import { auditLogPlugin } from './areas/audit-log/audit-log.admin.plugin.ts'
import { authenticationPlugin } from './areas/authentication/authentication.plugin.ts'
import { ACCESS_TOKEN_SECONDS } from './areas/authentication/sessions.ts'
import { totpPlugin } from './areas/authentication/totp.plugin.ts'
import { userSessionsPlugin } from './areas/authentication/user-sessions.plugin.ts'
import { balancePlugin } from './areas/balance/balance.plugin.ts'
import { boletosPlugin } from './areas/boletos/boletos.plugin.ts'
import { adminBrandingPlugin, brandingPlugin } from './areas/branding/branding.plugin.ts'
import { companiesPlugin } from './areas/companies/companies.plugin.ts'
import { companyDocumentsPlugin } from './areas/companies/company-documents.plugin.ts'
import { companyReviewsPlugin } from './areas/companies/company-reviews.admin.plugin.ts'
import { customersPlugin } from './areas/customers/customers.plugin.ts'
import { dashboardPlugin } from './areas/dashboard/dashboard.plugin.ts'
import { adminDisputeFeesPlugin } from './areas/disputes/dispute-fees.admin.plugin.ts'
import { adminDisputesPlugin } from './areas/disputes/disputes.admin.plugin.ts'
import { disputesPlugin } from './areas/disputes/disputes.plugin.ts'
import { adminFeesPlugin, feesPlugin } from './areas/fees/fees.plugin.ts'
import { adminHolidaysPlugin } from './areas/holidays/holidays.admin.plugin.ts'
import { integrationsPlugin } from './areas/integrations/integrations.plugin.ts'
import { adminJournalPlugin } from './areas/journal/journal.admin.plugin.ts'
import { paymentLinksPlugin } from './areas/payment-links/payment-links.plugin.ts'
import { publicLinksPlugin } from './areas/payment-links/public-links.plugin.ts'
import { adminPaymentsPlugin } from './areas/payments/payments.admin.plugin.ts'
import { paymentsPlugin } from './areas/payments/payments.plugin.ts'
import { adminPersonalDataPlugin } from './areas/personal-data/personal-data.admin.plugin.ts'
import { personalDataPlugin } from './areas/personal-data/personal-data.plugin.ts'
import { adminProviderCostsPlugin } from './areas/provider-costs/provider-costs.admin.plugin.ts'
import { adminReceivedPixPlugin } from './areas/received-pix/received-pix.admin.plugin.ts'
import { adminReconciliationPlugin } from './areas/reconciliation/reconciliation.admin.plugin.ts'
import { emailAddressesPlugin } from './areas/recovery/email-addresses.plugin.ts'
import { recoveryPlugin } from './areas/recovery/recovery.plugin.ts'
import { refundsPlugin, sellerRefundsPlugin } from './areas/refunds/refunds.plugin.ts'
import { adminReportsPlugin } from './areas/reports/reports.admin.plugin.ts'
import { adminReserveHoldsPlugin, adminReserveReleasesPlugin } from './areas/reserves/reserve-releases.admin.plugin.ts'
import { adminReserveConfigsPlugin } from './areas/reserves/reserves.admin.plugin.ts'
import { savedCardsPlugin } from './areas/saved-cards/saved-cards.plugin.ts'
import { adminSellersPlugin } from './areas/sellers/sellers.admin.plugin.ts'
import { statusPlugin } from './areas/status/status.plugin.ts'
import {
  acceptInvitationPlugin,
  adminInvitationsPlugin,
  teamInvitationsPlugin,
} from './areas/team/invitations.plugin.ts'
import { teamPlugin } from './areas/team/team.plugin.ts'
import { adminTransactionsPlugin, transactionsPlugin } from './areas/transactions/transactions.plugin.ts'
import { adminTreasuryPlugin } from './areas/treasury/treasury.admin.plugin.ts'
import { adminMembersPlugin } from './areas/users/members.admin.plugin.ts'
import { adminUsersPlugin } from './areas/users/users.admin.plugin.ts'
import { usersPlugin } from './areas/users/users.plugin.ts'
import { adminVelocityRulesPlugin } from './areas/velocity/velocity.admin.plugin.ts'
import { adminWithdrawalConfigsPlugin } from './areas/withdrawals/withdrawal-configs.admin.plugin.ts'
import { withdrawalEventsPlugin } from './areas/withdrawals/withdrawal-events.plugin.ts'
import { adminWithdrawalsPlugin } from './areas/withdrawals/withdrawals.admin.plugin.ts'
import { withdrawalsPlugin } from './areas/withdrawals/withdrawals.plugin.ts'
import { checkoutPlugin } from './checkout/checkout.plugin.ts'
import { shopFieldsPlugin } from './checkout/shop-fields/shop-fields.plugin.ts'
import { EVENT_CATALOGUE } from './compose/event-catalogue.ts'
import type { Services } from './compose.ts'
import type { Config } from './config.ts'
import { createHttpServer } from './http/server.ts'
import { notificationsPlugin } from './mail/api/notifications.plugin.ts'
import { devMailPlugin } from './mail/development/dev-mail.plugin.ts'
import { linkPagesPlugin } from './mail/pages/link-pages.plugin.ts'
import { providerCallbacksPlugin } from './providers/provider-callbacks.plugin.ts'
import { adminProviderEventsPlugin, adminWebhookEventsPlugin } from './providers/provider-events.admin.plugin.ts'
import { sandboxPlugin } from './providers/sandbox/sandbox.plugin.ts'
import { sandboxFaultsPlugin } from './providers/sandbox/sandbox-faults.plugin.ts'
import { createMetrics, type Metrics } from './telemetry/metrics.ts'
import { eventsPlugin } from './webhooks/api/events.plugin.ts'
import { sellerWebhooksPlugin } from './webhooks/api/seller-webhooks.plugin.ts'
import { webhookDeliveriesPlugin } from './webhooks/api/webhook-deliveries.plugin.ts'

type AppOptions = {
  config: Config
  services: Services
  logger: FastifyBaseLogger
  /** Those of the process. Left out: the server's own. */
  metrics?: Metrics
}

const registerAreas = async (api: FastifyInstance, services: Services): Promise<void> => {
  await api.register(authenticationPlugin, { prefix: '/auth', ...services })
  await api.register(recoveryPlugin, { prefix: '/auth', ...services })
  await api.register(emailAddressesPlugin, { prefix: '/users', ...services })
  await api.register(usersPlugin, { prefix: '/users', ...services })
  await api.register(totpPlugin, { prefix: '/users', ...services })
  await api.register(userSessionsPlugin, { prefix: '/users', ...services })
  await api.register(teamPlugin, { prefix: '/team', ...services })
  await api.register(teamInvitationsPlugin, { prefix: '/team/invitations', ...services })
  await api.register(acceptInvitationPlugin, { prefix: '/auth/invitations', ...services })
  await api.register(notificationsPlugin, { prefix: '/users', ...services })
  await api.register(companiesPlugin, { prefix: '/companies', ...services })
  await api.register(companyDocumentsPlugin, { prefix: '/companies', ...services })
  await api.register(brandingPlugin, { prefix: '/branding', ...services })
  await api.register(customersPlugin, { prefix: '/customers', ...services })
  await api.register(savedCardsPlugin, { prefix: '/customers', ...services })
  await api.register(personalDataPlugin, { prefix: '/personal-data', ...services })
  await api.register(paymentsPlugin, { prefix: '/payments', ...services })
  await api.register(boletosPlugin, { prefix: '/payments', ...services })
  await api.register(refundsPlugin, { prefix: '/payments', ...services })
  await api.register(sellerRefundsPlugin, { prefix: '/refunds', ...services })
  await api.register(paymentLinksPlugin, { prefix: '/payment-links', ...services })
  await api.register(publicLinksPlugin, { prefix: '/payment-links', ...services })
  await api.register(disputesPlugin, { prefix: '/disputes', ...services })
  await api.register(integrationsPlugin, { prefix: '/integrations', ...services })
  await api.register(balancePlugin, { prefix: '/balance', ...services })
  await api.register(transactionsPlugin, { prefix: '/transactions', ...services })
  await api.register(dashboardPlugin, { prefix: '/dashboard', ...services })
  await api.register(feesPlugin, { prefix: '/fees', ...services })
  await api.register(withdrawalsPlugin, { prefix: '/withdrawals', ...services })
  await api.register(sellerWebhooksPlugin, { prefix: '/seller-webhooks', ...services })
  await api.register(webhookDeliveriesPlugin, { prefix: '/seller-webhooks', ...services })
  await api.register(eventsPlugin, { prefix: '/events', ...services })
}

const registerAdministration = async (api: FastifyInstance, services: Services): Promise<void> => {
  await api.register(auditLogPlugin, { prefix: '/admin/audit-log', ...services })
  await api.register(adminPersonalDataPlugin, { prefix: '/admin', ...services })
  await api.register(adminUsersPlugin, { prefix: '/admin/users', ...services })
  await api.register(adminSellersPlugin, { prefix: '/admin/sellers', ...services })
  await api.register(adminBrandingPlugin, { prefix: '/admin/sellers', ...services })
  await api.register(adminMembersPlugin, { prefix: '/admin/members', ...services })
  await api.register(adminInvitationsPlugin, { prefix: '/admin/members/invitations', ...services })
  await api.register(adminDisputesPlugin, { prefix: '/admin/disputes', ...services })
  await api.register(adminPaymentsPlugin, { prefix: '/admin/payments', ...services })
  await api.register(adminProviderEventsPlugin, { prefix: '/admin/provider-events', ...services })
  await api.register(adminReceivedPixPlugin, { prefix: '/admin/received-pix', ...services })
  await api.register(adminWebhookEventsPlugin, { prefix: '/admin/webhook-events', ...services })
  await api.register(companyReviewsPlugin, { prefix: '/admin/enterprises', ...services })
  await api.register(adminTransactionsPlugin, { prefix: '/admin/transactions', ...services })
  await api.register(adminReportsPlugin, { prefix: '/admin', ...services })
  await api.register(adminDisputeFeesPlugin, { prefix: '/admin/dispute-fees', ...services })
  await api.register(adminFeesPlugin, { prefix: '/admin/fees', ...services })
  await api.register(adminHolidaysPlugin, { prefix: '/admin/holidays', ...services })
  await api.register(adminReserveConfigsPlugin, { prefix: '/admin/reserve-configs', ...services })
  await api.register(adminReserveReleasesPlugin, { prefix: '/admin/reserve-configs', ...services })
  await api.register(adminReserveHoldsPlugin, { prefix: '/admin/reserve-holds', ...services })
  await api.register(adminApprovalsPlugin, { prefix: '/admin', ...services })
  await api.register(adminAdjustmentsPlugin, { prefix: '/admin', ...services })
  await api.register(adminReconciliationPlugin, { prefix: '/admin', ...services })
  await api.register(adminJournalPlugin, { prefix: '/admin/journal', ...services })
  await api.register(adminTreasuryPlugin, { prefix: '/admin/treasury', ...services })
  await api.register(adminProviderCostsPlugin, { prefix: '/admin/provider-costs', ...services })
  await api.register(adminVelocityRulesPlugin, { prefix: '/admin/velocity-rules', ...services })
  await api.register(adminWithdrawalsPlugin, { prefix: '/admin/withdrawals', ...services })
  await api.register(adminWithdrawalConfigsPlugin, { prefix: '/admin/withdrawal-configs', ...services })
}

/** The HTTP server with every plugin and area, not yet listening. */
export const buildApp = async ({ config, services, logger, metrics }: AppOptions): Promise<FastifyInstance> => {
  const app = await createHttpServer({
    config,
    logger,
    accessTokenSeconds: ACCESS_TOKEN_SECONDS,
    findActor: services.authentication.findActor,
    isReady: services.status.isReady,
    rateLimits: services.rateLimits,
    metrics: metrics ?? createMetrics(services.gauges),
    events: EVENT_CATALOGUE,
  })
  app.addHook('onListen', async () => services.publicAddress.listensAt(app.listeningOrigin))
  await app.register(providerCallbacksPlugin, { prefix: '/callbacks', ...services })
  await app.register(checkoutPlugin, { prefix: '/pay', ...services })
  await app.register(shopFieldsPlugin, { prefix: '/fields', ...services })
  await app.register(
    async (api) => {
      await registerAreas(api, services)
      await registerAdministration(api, services)
      if (services.sandbox) {
        await api.register(sandboxPlugin, { prefix: '/sandbox', sandbox: services.sandbox })
        await api.register(sandboxFaultsPlugin, { prefix: '/sandbox', sandbox: services.sandbox })
      }
      await api.register(statusPlugin, { prefix: '/status', ...services })
      await api.register(withdrawalEventsPlugin, { prefix: '/status' })
    },
    { prefix: '/api/v1' },
  )
  const { cardFields, mailFolder } = services
  await app.register(linkPagesPlugin, { prefix: '/account' })
  if (mailFolder) await app.register(devMailPlugin, { prefix: '/dev/mail', mailFolder })
  if (cardFields) {
    app.addHook('onReady', cardFields.listen)
    app.addHook('onClose', cardFields.close)
  }
  return app
}
