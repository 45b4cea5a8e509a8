import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Clock } from '../../clock.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { dashboardQuery, dashboardResponse } from './dashboard.schemas.ts'
import type { DashboardService } from './dashboard.service.ts'

type Options = { dashboard: DashboardService; clock: Clock }

export const dashboardPlugin: FastifyPluginAsyncZod<Options> = async (app, { dashboard, clock }) => {
  app.get(
    '/summary',
    {
      config: { access: ['seller:viewer'], scope: 'dashboard:read' },
      schema: {
        operationId: 'getDashboardSummary',
        summary: 'Get the summary of a period',
        description:
          'Balance, payments and withdrawals of a period: the last 30 days of São Paulo, today included, unless asked otherwise. What was paid counts when it was paid, conversion by when payments were created.',
        tags: ['Dashboard'],
        querystring: dashboardQuery(clock),
        response: { 200: dashboardResponse },
      },
    },
    async (request) => dashboard.getSummary(actorOf(request), request.query),
  )
}
