import type { BalanceService } from '../areas/balance/balance.service.ts'
import { createDashboardService } from '../areas/dashboard/dashboard.service.ts'
import type { ReconciliationService } from '../areas/reconciliation/reconciliation.service.ts'
import { createAdminDashboardService } from '../areas/reports/admin-dashboard.service.ts'
import { createReportsService } from '../areas/reports/reports.service.ts'
import { createSellersService } from '../areas/sellers/sellers.service.ts'
import type { ProviderHealth } from '../providers/provider-health.ts'
import type { Foundation } from './foundation.ts'
import type { composeWebhooks } from './webhooks.ts'

type Dependencies = Foundation & {
  balance: BalanceService
  providerHealth: ProviderHealth
  findOpenExceptions: ReconciliationService['findOpen']
  findWebhookBacklog: ReturnType<typeof composeWebhooks>['services']['findWebhookBacklog']
}

/** Reports over periods, for sellers and for administrators. */
export const composeReports = (dependencies: Dependencies) => {
  const providerName = [...new Set(Object.values(dependencies.config.providers.routes))].join(', ')
  const lagging = { ...dependencies, read: dependencies.readReplica }
  const dashboard = createDashboardService(lagging)
  return {
    dashboard,
    sellers: createSellersService({ ...dependencies, dashboard }),
    reports: createReportsService(lagging),
    adminDashboard: createAdminDashboardService({ ...lagging, providerName }),
  }
}
