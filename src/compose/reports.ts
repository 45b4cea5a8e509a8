import type { BalanceService } from '../areas/balance/balance.service.ts'
import { createDashboardService } from '../areas/dashboard/dashboard.service.ts'
import { createAdminDashboardService } from '../areas/reports/admin-dashboard.service.ts'
import { createReportsService } from '../areas/reports/reports.service.ts'
import type { ProviderHealth } from '../providers/provider-health.ts'
import type { Ground } from './ground.ts'
import type { composeWebhooks } from './webhooks.ts'

type Foundations = Ground & {
  balance: BalanceService
  providerHealth: ProviderHealth
  findWebhookBacklog: ReturnType<typeof composeWebhooks>['services']['findWebhookBacklog']
}

/** Figures over periods, for sellers and for administrators. */
export const composeReports = (foundations: Foundations) => {
  const lagging = { ...foundations, read: foundations.readReplica }
  return {
    dashboard: createDashboardService(lagging),
    reports: createReportsService(lagging),
    adminDashboard: createAdminDashboardService({ ...lagging, providerName: foundations.config.provider }),
  }
}
