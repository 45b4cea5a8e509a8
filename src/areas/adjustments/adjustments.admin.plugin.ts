import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { linkPages } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { idempotencyHeaders, idempotencyOf } from '../../http/plugins/idempotency.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { approvalResponse } from '../approvals/approvals.schemas.ts'
import {
  adjustmentBody,
  adjustmentResponse,
  adjustmentsQuery,
  adjustmentsResponse,
  debtsResponse,
} from './adjustments.schemas.ts'
import type { AdjustmentsService } from './adjustments.service.ts'

const tags = ['Admin']

export const adminAdjustmentsPlugin: FastifyPluginAsyncZod<{ adjustments: AdjustmentsService }> = async (
  app,
  { adjustments },
) => {
  app.post(
    '/adjustments',
    {
      config: {
        access: ['admin:finance'],
        errors: [
          'adjustment.seller_not_found',
          'adjustment.exceeds_debt',
          'adjustment.exceeds_loss',
          'adjustment.balance_insufficient',
        ],
        location: '/api/v1/admin/adjustments/{id}',
      },
      schema: {
        operationId: 'createAdjustment',
        summary: 'Correct a seller’s balance',
        description:
          'Posts the amount to the available balance, balanced against an account of the platform, and tells the seller. From the amount of the approval policy on it answers 202, and is posted when another administrator approves it.',
        tags,
        headers: idempotencyHeaders,
        body: adjustmentBody,
        response: { 201: adjustmentResponse, 202: approvalResponse },
      },
    },
    async (request, reply) => {
      const { waits, view } = await adjustments.create(actorOf(request), request.body, idempotencyOf(request))
      return reply.code(waits ? 202 : 201).send(view)
    },
  )

  app.get(
    '/adjustments',
    {
      config: { access: ['admin:finance'] },
      schema: {
        operationId: 'listAdjustments',
        summary: 'List adjustments',
        description: 'Corrections, write-offs and recoveries of all sellers, newest first.',
        tags,
        querystring: adjustmentsQuery,
        response: { 200: adjustmentsResponse },
      },
    },
    async (request, reply) => linkPages(request, reply, await adjustments.list(request.query), { cursors: true }),
  )

  app.get(
    '/adjustments/:id',
    {
      config: { access: ['admin:finance'], errors: ['adjustment.not_found'] },
      schema: {
        operationId: 'getAdjustment',
        summary: 'Get an adjustment',
        description: 'One adjustment by its id.',
        tags,
        params: idParams,
        response: { 200: adjustmentResponse },
      },
    },
    async (request) => adjustments.get(request.params.id),
  )

  app.get(
    '/debts',
    {
      config: { access: ['admin:finance'] },
      schema: {
        operationId: 'listDebts',
        summary: 'List sellers who owe the platform',
        description:
          'Sellers whose available balance is below zero, the oldest debts first. New income covers a debt by itself; what will never be paid is written off by an adjustment.',
        tags,
        response: { 200: debtsResponse },
      },
    },
    async () => adjustments.listDebts(),
  )
}
