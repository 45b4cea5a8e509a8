import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { linkPages } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { requiredIdempotencyHeaders, requiredIdempotencyOf } from '../../http/plugins/idempotency.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { REQUEST_ERRORS } from './withdrawals.errors.ts'
import {
  listWithdrawalsQuery,
  requestWithdrawalBody,
  withdrawalResponse,
  withdrawalsResponse,
} from './withdrawals.schemas.ts'
import type { WithdrawalsService } from './withdrawals.service.ts'

const tags = ['Withdrawals']

export const withdrawalsPlugin: FastifyPluginAsyncZod<{ withdrawals: WithdrawalsService }> = async (
  app,
  { withdrawals },
) => {
  app.post(
    '',
    {
      config: {
        access: ['seller:finance'],
        stepUp: true,
        secondFactor: 'withdrawals',
        scope: 'withdrawals:write',
        errors: [...REQUEST_ERRORS],
        location: '/api/v1/withdrawals/{id}',
      },
      schema: {
        operationId: 'requestWithdrawal',
        summary: 'Request a withdrawal',
        description:
          'Sets the amount aside at once. Up to the seller’s limit it is paid out without anybody’s approval; above it an administrator decides. The fee is taken out of the amount.',
        tags,
        headers: requiredIdempotencyHeaders,
        body: requestWithdrawalBody,
        response: { 201: withdrawalResponse },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await withdrawals.request(actorOf(request), request.body, requiredIdempotencyOf(request))),
  )

  app.get(
    '',
    {
      config: { access: ['seller:viewer'], scope: 'withdrawals:read' },
      schema: {
        operationId: 'listWithdrawals',
        summary: 'List withdrawals',
        description: 'Newest first.',
        tags,
        querystring: listWithdrawalsQuery,
        response: { 200: withdrawalsResponse },
      },
    },
    async (request, reply) =>
      linkPages(request, reply, await withdrawals.list(actorOf(request), request.query), { cursors: true }),
  )

  app.get(
    '/:id',
    {
      config: { access: ['seller:viewer'], scope: 'withdrawals:read', errors: ['withdrawal.not_found'] },
      schema: {
        operationId: 'getWithdrawal',
        summary: 'Get a withdrawal',
        description: 'One withdrawal by its id.',
        tags,
        params: idParams,
        response: { 200: withdrawalResponse },
      },
    },
    async (request) => withdrawals.get(actorOf(request), request.params.id),
  )

  app.post(
    '/:id/cancel',
    {
      config: {
        access: ['seller:finance'],
        scope: 'withdrawals:write',
        errors: ['withdrawal.not_found', 'withdrawal.not_cancelable'],
      },
      schema: {
        operationId: 'cancelWithdrawal',
        summary: 'Cancel a withdrawal',
        description: 'Only while it waits for approval. The money is available again at once.',
        tags,
        params: idParams,
        response: { 200: withdrawalResponse },
      },
    },
    async (request) => withdrawals.cancel(actorOf(request), request.params.id),
  )
}
