import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { Clock } from '../../clock.ts'
import { csvStream, jsonOrCsv, prefersCsv } from '../../http/csv.ts'
import { linkPages } from '../../http/pagination.ts'
import { adminDashboardQuery, adminDashboardResponse } from './admin-dashboard.schemas.ts'
import type { AdminDashboardService } from './admin-dashboard.service.ts'
import {
  type BillingView,
  billingQuery,
  billingResponse,
  revenueQuery,
  revenueResponse,
  transactionsTotalQuery,
  transactionsTotalResponse,
} from './reports.schemas.ts'
import type { ReportsService } from './reports.service.ts'
import { BILLING_COLUMNS, type BillingLine, billingLine } from './reports.view.ts'

type Options = { reports: ReportsService; adminDashboard: AdminDashboardService; clock: Clock }

const tags = ['Admin']
const PERIOD = 'The last 30 days of São Paulo, today included, unless asked otherwise.'

async function* linesOf(batches: AsyncIterable<readonly BillingView[]>): AsyncGenerator<BillingLine[]> {
  for await (const rows of batches) yield rows.map(billingLine)
}

/** Reports over all sellers. */
export const adminReportsPlugin: FastifyPluginAsyncZod<Options> = async (app, { reports, adminDashboard, clock }) => {
  app.get(
    '/transactions/total',
    {
      config: { access: ['admin:viewer'] },
      schema: {
        operationId: 'getTransactionsTotal',
        summary: 'Get what all sellers were paid',
        description: `Payments by the date they were paid, in total, by method and by status. ${PERIOD}`,
        tags,
        querystring: transactionsTotalQuery(clock),
        response: { 200: transactionsTotalResponse },
      },
    },
    async (request) => reports.getTransactionsTotal(request.query),
  )

  app.get(
    '/revenue',
    {
      config: { access: ['admin:viewer'] },
      schema: {
        operationId: 'getRevenue',
        summary: 'Get what the platform earned',
        description: `Volume by the date of payment; fees and costs from the ledger, by the date they were posted. The items sum to the totals, however they are grouped. ${PERIOD}`,
        tags,
        querystring: revenueQuery(clock),
        response: { 200: revenueResponse },
      },
    },
    async (request) => reports.getRevenue(request.query),
  )

  app.get(
    '/billing',
    {
      config: { access: ['admin:viewer'] },
      schema: {
        operationId: 'listBilling',
        summary: 'List what to bill the sellers for a month',
        description:
          'One row per seller who was paid, or whose money moved, in a month of São Paulo, newest sellers first, with the company to invoice. Send `Accept: text/csv` for all of them as a file.',
        tags,
        querystring: billingQuery,
        response: { 200: jsonOrCsv(billingResponse) },
      },
    },
    async (request, reply) => {
      if (!prefersCsv(request, reply)) {
        return linkPages(request, reply, await reports.listBilling(request.query))
      }
      void reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment; filename="billing.csv"')
      return reply.send(csvStream(BILLING_COLUMNS, linesOf(reports.exportBilling(request.query))) as never)
    },
  )

  app.get(
    '/dashboard',
    {
      config: { access: ['admin:viewer'] },
      schema: {
        operationId: 'getAdminDashboard',
        summary: 'Get the platform at a glance',
        description: `Volume and revenue of a period, and what waits for somebody now. ${PERIOD}`,
        tags,
        querystring: adminDashboardQuery(clock),
        response: { 200: adminDashboardResponse },
      },
    },
    async (request) => adminDashboard.getSummary(request.query),
  )
}
