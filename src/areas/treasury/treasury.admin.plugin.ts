import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { linkPages } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { requiredIdempotencyHeaders, requiredIdempotencyOf } from '../../http/plugins/idempotency.ts'
import { approvalResponse } from '../approvals/approvals.schemas.ts'
import {
  treasuryPayoutBody,
  treasuryPayoutResponse,
  treasuryPayoutsQuery,
  treasuryPayoutsResponse,
  treasuryResponse,
} from './treasury.schemas.ts'
import type { TreasuryService } from './treasury.service.ts'

const tags = ['Admin']

export const adminTreasuryPlugin: FastifyPluginAsyncZod<{ treasury: TreasuryService }> = async (app, { treasury }) => {
  app.get(
    '',
    {
      config: { access: ['admin:finance'] },
      schema: {
        operationId: 'getTreasury',
        summary: 'Get what is the platform’s own',
        description:
          'Every account over all books, what the providers say that they hold, what the platform earned, and how much of it could be paid out now.',
        tags,
        response: { 200: treasuryResponse },
      },
    },
    async () => treasury.get(),
  )

  app.get(
    '/payouts',
    {
      config: { access: ['admin:finance'] },
      schema: {
        operationId: 'listTreasuryPayouts',
        summary: 'List payouts of the platform',
        description: 'What the platform paid out to itself, newest first.',
        tags,
        querystring: treasuryPayoutsQuery,
        response: { 200: treasuryPayoutsResponse },
      },
    },
    async (request, reply) => linkPages(request, reply, await treasury.listPayouts(request.query)),
  )

  app.post(
    '/payouts',
    {
      config: {
        access: ['admin:finance'],
        errors: [
          'idempotency.key_required',
          'treasury.unavailable',
          'treasury.amount_exceeds_payable',
          'treasury.provider_away',
        ],
      },
      schema: {
        operationId: 'createTreasuryPayout',
        summary: 'Pay out what the platform earned',
        description:
          'Never more than was earned, nor than lies at the provider, by the books and as it says itself, beyond what sellers are owed. A provider that does not answer is 503. From the amount of the approval policy on it answers 202, and goes out when another administrator approves it.',
        tags,
        headers: requiredIdempotencyHeaders,
        body: treasuryPayoutBody,
        response: { 201: treasuryPayoutResponse, 202: approvalResponse },
      },
    },
    async (request, reply) => {
      const { waits, view } = await treasury.payOut(actorOf(request), request.body, requiredIdempotencyOf(request))
      return reply.code(waits ? 202 : 201).send(view)
    },
  )
}
