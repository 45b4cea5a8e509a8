import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { eventStream } from '../../http/event-stream.ts'
import { preferredType } from '../../http/negotiation.ts'
import { idempotencyHeaders, idempotencyOf } from '../../http/plugins/idempotency.ts'
import { addressBucket } from '../../http/plugins/rate-limit.ts'
import { PUBLIC_OWNER_ID } from '../../ids.ts'
import { QR_CODE_TYPES } from '../../qr-code.ts'
import {
  linkParams,
  linkPaymentParams,
  payLinkBody,
  publicLinkParams,
  publicLinkResponse,
  publicPaymentResponse,
} from './public-links.schemas.ts'
import type { PublicLinksService } from './public-links.service.ts'

type Options = { publicLinks: PublicLinksService }

const tags = ['Payment links']

// Anybody may call these, so each is guarded against being called too often.
const publicly = (...errors: string[]) => ({ access: 'public' as const, rateLimit: 'tight' as const, errors })

const ENDED = ['inactive', 'expired', 'completed', 'slots_taken', 'amount_changed'].map(
  (name) => `payment_link.${name}`,
)

/** What payers do with a payment link. */
export const publicLinksPlugin: FastifyPluginAsyncZod<Options> = async (app, { publicLinks }) => {
  app.addHook('preClose', async () => publicLinks.closeStreams())

  app.get(
    '/:id',
    {
      config: publicly('payment_link.not_found', 'payment_link.deleted'),
      schema: {
        operationId: 'getPaymentLink',
        summary: 'See a payment link',
        description:
          'What a payer may see of it. `id` is the `hash` at the end of its URL; sellers find theirs in their list.',
        tags,
        params: publicLinkParams,
        response: { 200: publicLinkResponse },
      },
    },
    async (request) => publicLinks.get(request.params.id),
  )

  app.get(
    '/:hash/qr-code',
    {
      config: publicly('payment_link.not_found', 'payment_link.deleted'),
      schema: {
        operationId: 'getPaymentLinkQrCode',
        summary: 'Get the QR code of a link',
        description:
          'The address of its page, to be scanned at a counter. As `image/svg+xml`, or as `image/png` where the Accept header asks for that.',
        tags,
        produces: ['image/svg+xml', 'image/png'],
        params: linkParams,
        response: { 200: z.any().meta({ description: 'The image.', type: 'string', format: 'binary' }) },
      },
    },
    async (request, reply) => {
      const type = preferredType(request, reply, QR_CODE_TYPES)
      const image = await publicLinks.qrCode(request.params.hash, type)
      return reply
        .type(type)
        .serializer((sent: unknown) => sent as string)
        .send(image)
    },
  )

  app.post(
    '/:hash/payments',
    {
      config: {
        ...publicly(
          'payment_link.not_found',
          'payment_link.deleted',
          ...ENDED,
          'fee.not_configured',
          'velocity.exceeded',
        ),
        location: '/api/v1/payment-links/{hash}/payments/{id}',
      },
      schema: {
        operationId: 'payPaymentLink',
        summary: 'Pay through a link',
        description:
          'Makes a payment and answers with what is needed to pay it. A Pix can be paid for an hour. A card is answered with its outcome: `paid`, `failed`, or `processing` while nobody knows. Declined cards are counted for the link, the card and the address, which then wait, longer each time. Where the link takes a limited number of payments, this one holds a place until it ends.',
        tags,
        params: linkParams,
        headers: idempotencyHeaders,
        body: payLinkBody,
        response: { 201: publicPaymentResponse },
      },
    },
    async (request, reply) =>
      reply
        .code(201)
        .send(
          await publicLinks.pay(
            request.params.hash,
            request.body,
            addressBucket(request.ip),
            idempotencyOf(request, PUBLIC_OWNER_ID),
          ),
        ),
  )

  app.get(
    '/:hash/payments/:id',
    {
      config: publicly('payment_link.not_found', 'payment.not_found'),
      schema: {
        operationId: 'getLinkPayment',
        summary: 'See a payment of a link',
        description: 'For whoever pays: ask every few seconds, or better, listen to its events.',
        tags,
        params: linkPaymentParams,
        response: { 200: publicPaymentResponse },
      },
    },
    async (request) => publicLinks.getPayment(request.params.hash, request.params.id),
  )

  app.get(
    '/:hash/payments/:id/events',
    {
      config: publicly('payment_link.not_found', 'payment.not_found'),
      schema: {
        operationId: 'watchLinkPayment',
        summary: 'Watch a payment of a link',
        description:
          'Server-sent events named `payment`, whose data is the payment as its payer sees it: first as it is now, then each change. Ends after a final one, and after 15 minutes: a browser’s EventSource then comes back by itself, so close it once the payment is final.',
        tags,
        produces: ['text/event-stream'],
        params: linkPaymentParams,
        response: { 200: z.any().meta({ description: 'The events.', type: 'string' }) },
      },
    },
    async (request, reply) => {
      const { hash, id } = request.params
      const watching = await publicLinks.watchPayment(hash, id, addressBucket(request.ip))
      return reply
        .type('text/event-stream')
        .headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no', connection: 'close' })
        .send(eventStream('payment', watching))
    },
  )
}
