import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { jsonOrCsv } from '../../http/csv.ts'
import { preferredType } from '../../http/negotiation.ts'
import { AS_CSV, pageOrCsv } from '../../http/page-or-csv.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { idempotencyHeaders, idempotencyOf } from '../../http/plugins/idempotency.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { QR_CODE_TYPES } from '../../qr-code.ts'
import { paymentResponse, settledPaymentResponse } from './payment-responses.schemas.ts'
import { captureAmountOf, newPaymentOf } from './payments.requests.ts'
import { capturePaymentBody, createPaymentBody, listPaymentsQuery, paymentListResponse } from './payments.schemas.ts'
import type { PaymentsService } from './payments.service.ts'
import { PAYMENTS_FILE } from './payments.view.ts'

const tags = ['Payments']

export const paymentsPlugin: FastifyPluginAsyncZod<{ payments: PaymentsService }> = async (app, { payments }) => {
  app.post(
    '',
    {
      config: {
        access: ['seller:finance', 'seller:developer'],
        scope: 'payments:write',
        errors: [
          'seller.not_approved',
          'customer.not_found',
          'card.not_found',
          'card.expired',
          'fee.not_configured',
          'payment.method_unavailable',
          'payment.due_terms_unavailable',
          'payment.provider_unavailable',
        ],
        location: '/api/v1/payments/{id}',
      },
      schema: {
        operationId: 'createPayment',
        summary: 'Create a payment',
        description:
          'Pix and boleto are born `pending`, with what the payer needs. A card is answered with its outcome: `paid`, `authorized`, `failed`, or `processing` while nobody knows.',
        tags,
        headers: idempotencyHeaders,
        body: createPaymentBody,
        response: { 201: paymentResponse },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(await payments.create(actorOf(request).sellerId, newPaymentOf(request.body), idempotencyOf(request))),
  )

  app.get(
    '',
    {
      config: { access: ['seller:viewer'], scope: 'payments:read', searchedInParts: true },
      schema: {
        operationId: 'listPayments',
        summary: 'List payments',
        description: `Your payments, newest first. \`next\` and \`prev\` of the Link header carry a cursor. What was paid on a day: \`paidFrom\` that day, \`paidTo\` the day after, sorted by \`paidAt\`. ${AS_CSV}`,
        tags,
        querystring: listPaymentsQuery,
        response: { 200: jsonOrCsv(paymentListResponse) },
      },
    },
    async (request, reply) =>
      pageOrCsv(request, reply, {
        ...PAYMENTS_FILE,
        page: () => payments.list(actorOf(request), request.query),
        rows: () => payments.export(actorOf(request), request.query),
      }),
  )

  app.get(
    '/:id',
    {
      config: { access: ['seller:viewer'], scope: 'payments:read', errors: ['payment.not_found'] },
      schema: {
        operationId: 'getPayment',
        summary: 'Get a payment',
        description: 'One of your payments, with when its money becomes available.',
        tags,
        params: idParams,
        response: { 200: settledPaymentResponse },
      },
    },
    async (request) => payments.get(actorOf(request), request.params.id),
  )

  app.get(
    '/:id/qr-code',
    {
      config: {
        access: ['seller:viewer'],
        scope: 'payments:read',
        errors: ['payment.not_found', 'payment.no_qr_code'],
      },
      schema: {
        operationId: 'getPaymentQrCode',
        summary: 'Get the QR code of a Pix',
        description: 'As `image/svg+xml`, or as `image/png` where the Accept header asks for that.',
        tags,
        produces: ['image/svg+xml', 'image/png'],
        params: idParams,
        response: { 200: z.any().meta({ description: 'The image.', type: 'string', format: 'binary' }) },
      },
    },
    async (request, reply) => {
      const type = preferredType(request, reply, QR_CODE_TYPES)
      const image = await payments.qrCode(actorOf(request), request.params.id, type)
      return reply
        .type(type)
        .serializer((sent: unknown) => sent as string)
        .send(image)
    },
  )

  app.post(
    '/:id/cancel',
    {
      config: {
        access: ['seller:finance', 'seller:developer'],
        scope: 'payments:write',
        errors: ['payment.not_found', 'payment.not_cancelable'],
      },
      schema: {
        operationId: 'cancelPayment',
        summary: 'Cancel a payment',
        description: 'Ends a payment that is `pending`, or voids an authorization. Canceling twice changes nothing.',
        tags,
        params: idParams,
        response: { 200: paymentResponse },
      },
    },
    async (request) => payments.cancel(actorOf(request), request.params.id),
  )

  app.post(
    '/:id/capture',
    {
      config: {
        access: ['seller:finance', 'seller:developer'],
        scope: 'payments:write',
        errors: [
          'payment.not_found',
          'payment.not_capturable',
          'payment.capture_exceeds_amount',
          'payment.partial_capture_unavailable',
        ],
      },
      schema: {
        operationId: 'capturePayment',
        summary: 'Capture an authorized card payment',
        description:
          'Takes all of the authorized amount, or less: the rest is let go. Capturing twice changes nothing.',
        tags,
        params: idParams,
        body: capturePaymentBody,
        response: { 200: paymentResponse },
      },
    },
    async (request) => payments.capture(actorOf(request), request.params.id, captureAmountOf(request.body)),
  )
}
