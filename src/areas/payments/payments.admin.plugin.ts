import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { linkPages } from '../../http/pagination.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { adminPaymentResponse } from './payment-responses.schemas.ts'
import { adminPaymentListResponse, listAllPaymentsQuery } from './payments.schemas.ts'
import type { PaymentsService } from './payments.service.ts'

const tags = ['Admin']

export const adminPaymentsPlugin: FastifyPluginAsyncZod<{ payments: PaymentsService }> = async (app, { payments }) => {
  app.get(
    '',
    {
      config: { access: ['admin:viewer'] },
      schema: {
        operationId: 'listAllPayments',
        summary: 'List all payments',
        description: 'Payments of all sellers, newest first, with who each seller is.',
        tags,
        querystring: listAllPaymentsQuery,
        response: { 200: adminPaymentListResponse },
      },
    },
    async (request, reply) =>
      linkPages(request, reply, await payments.listAll(request.query), {
        cursors: true,
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
