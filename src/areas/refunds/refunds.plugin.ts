import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { jsonOrCsv } from '../../http/csv.ts'
import { AS_CSV, pageOrCsv } from '../../http/page-or-csv.ts'
import { linkPages } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { requiredIdempotencyHeaders, requiredIdempotencyOf } from '../../http/plugins/idempotency.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { REQUEST_ERRORS } from './refunds.errors.ts'
import {
  listRefundsQuery,
  listSellerRefundsQuery,
  refundResponse,
  refundsResponse,
  requestRefundBody,
} from './refunds.schemas.ts'
import type { RefundsService } from './refunds.service.ts'
import type { RefundView } from './refunds.view.ts'

const tags = ['Payments']

const COLUMNS = [
  'id',
  'paymentId',
  'amount',
  'reason',
  'status',
  'origin',
  'createdAt',
  'updatedAt',
] as const satisfies readonly (keyof RefundView)[]

/** The refunds of all payments of a seller: /refunds. */
export const sellerRefundsPlugin: FastifyPluginAsyncZod<{ refunds: RefundsService }> = async (app, { refunds }) => {
  app.get(
    '',
    {
      config: { access: ['seller:viewer'], scope: 'payments:read' },
      schema: {
        operationId: 'listSellerRefunds',
        summary: 'List refunds',
        description: `The refunds of all your payments, newest first. ${AS_CSV}`,
        tags,
        querystring: listSellerRefundsQuery,
        response: { 200: jsonOrCsv(refundsResponse) },
      },
    },
    async (request, reply) =>
      pageOrCsv(request, reply, {
        fileName: 'refunds.csv',
        columns: COLUMNS,
        page: () => refunds.listOfSeller(actorOf(request), request.query),
        rows: () => refunds.export(actorOf(request), request.query),
      }),
  )
}

/** Under a payment: /payments/{id}/refunds. */
export const refundsPlugin: FastifyPluginAsyncZod<{ refunds: RefundsService }> = async (app, { refunds }) => {
  app.post(
    '/:id/refunds',
    {
      config: { access: ['seller:finance'], scope: 'refunds:write', errors: [...REQUEST_ERRORS] },
      schema: {
        operationId: 'requestRefund',
        summary: 'Refund a payment',
        description:
          'All or part of a Pix or card payment. The money leaves your balance at once: parts of this payment that still wait, the latest first, then its own reserve, then what is available. The platform’s fee is not returned. A Pix can be refunded for 90 days; a boleto has no way back to its payer.',
        tags,
        params: idParams,
        headers: requiredIdempotencyHeaders,
        body: requestRefundBody,
        response: { 201: refundResponse },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(await refunds.request(actorOf(request), request.params.id, request.body, requiredIdempotencyOf(request))),
  )

  app.get(
    '/:id/refunds',
    {
      config: { access: ['seller:viewer'], scope: 'payments:read', errors: ['payment.not_found'] },
      schema: {
        operationId: 'listRefunds',
        summary: 'List the refunds of a payment',
        description: 'Newest first.',
        tags,
        params: idParams,
        querystring: listRefundsQuery,
        response: { 200: refundsResponse },
      },
    },
    async (request, reply) =>
      linkPages(request, reply, await refunds.list(actorOf(request), request.params.id, request.query), {
        cursors: true,
      }),
  )
}
