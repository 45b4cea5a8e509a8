import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { jsonOrCsv } from '../../http/csv.ts'
import { AS_CSV, pageOrCsv } from '../../http/page-or-csv.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { adminPaymentResponse } from './payment-responses.schemas.ts'
import { adminPaymentListResponse, listAllPaymentsQuery } from './payments.schemas.ts'
import type { PaymentsService } from './payments.service.ts'
import { PAYMENTS_FILE } from './payments.view.ts'

const tags = ['Admin']

export const adminPaymentsPlugin: FastifyPluginAsyncZod<{ payments: PaymentsService }> = async (app, { payments }) => {
  app.get(
    '',
    {
      config: { access: ['admin:viewer'], searchedInParts: true },
      schema: {
        operationId: 'listAllPayments',
        summary: 'List all payments',
        description: `Payments of all sellers, newest first, with who each seller is. ${AS_CSV}`,
        tags,
        querystring: listAllPaymentsQuery,
        response: { 200: jsonOrCsv(adminPaymentListResponse) },
      },
    },
    async (request, reply) =>
      pageOrCsv(request, reply, {
        ...PAYMENTS_FILE,
        page: () => payments.listAll(request.query),
        rows: () => payments.exportAll(request.query),
      }),
  )

  app.get(
    '/:id',
    {
      config: { access: ['admin:viewer'], errors: ['payment.not_found'] },
      schema: {
        operationId: 'getAnyPayment',
        summary: 'Get any payment',
        description: 'A payment of any seller.',
        tags,
        params: idParams,
        response: { 200: adminPaymentResponse },
      },
    },
    async (request) => payments.getAny(request.params.id),
  )
}
