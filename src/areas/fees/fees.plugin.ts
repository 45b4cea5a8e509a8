import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { linkPages } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { preconditionOf } from '../../http/plugins/conditional-requests.ts'
import { idempotencyHeaders, idempotencyOf } from '../../http/plugins/idempotency.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { approvalResponse } from '../approvals/approvals.schemas.ts'
import type { createFeeSimulation } from './fee-simulation.ts'
import {
  adminFeesQuery,
  createFeeBody,
  feeResponse,
  feesQuery,
  feesResponse,
  simulateFeeBody,
  simulateFeeResponse,
  updateFeeBody,
} from './fees.schemas.ts'
import type { FeesService } from './fees.service.ts'

type Options = { fees: FeesService; simulateFee: ReturnType<typeof createFeeSimulation> }

const tags = ['Fees']

export const feesPlugin: FastifyPluginAsyncZod<Options> = async (app, { fees, simulateFee }) => {
  app.post(
    '',
    {
      config: {
        access: ['admin:finance'],
        errors: ['fee.seller_not_found', 'fee.overlaps'],
        location: '/api/v1/admin/fees/{id}',
      },
      schema: {
        operationId: 'createFee',
        summary: 'Create a fee',
        description:
          "Sets what a method costs, for everyone or for one seller. A seller's own fee wins over everyone's. Where the approval policy asks for two administrators it answers 202, and holds when another one approves it.",
        tags,
        headers: idempotencyHeaders,
        body: createFeeBody,
        response: { 201: feeResponse, 202: approvalResponse },
      },
    },
    async (request, reply) => {
      const { waits, view } = await fees.create(actorOf(request), request.body, idempotencyOf(request))
      return reply.code(waits ? 202 : 201).send(view)
    },
  )

  app.put(
    '/:id',
    {
      config: {
        access: ['admin:finance'],
        errors: ['fee.not_found', 'fee.closed', 'fee.scope_fixed', 'fee.overlaps'],
        conditional: true,
      },
      schema: {
        operationId: 'updateFee',
        summary: 'Change a fee',
        description:
          'Changes new payments only. A fee that payments were made with is closed and a new version with a new id takes its place; the answer is the version in force. Where the approval policy asks for two administrators it answers 202, and holds when another one approves it.',
        tags,
        params: idParams,
        body: updateFeeBody,
        response: { 200: feeResponse, 202: approvalResponse },
      },
    },
    async (request, reply) => {
      const [actor, precondition] = [actorOf(request), preconditionOf(request)]
      const { waits, view } = await fees.update(actor, request.params.id, request.body, precondition)
      return reply.code(waits ? 202 : 200).send(view)
    },
  )

  app.get(
    '',
    {
      config: { access: ['seller:viewer', 'admin:viewer'], scope: 'fees:read' },
      schema: {
        operationId: 'listFees',
        summary: 'List fees',
        description: 'A seller sees the fees that apply to them now, an administrator all active ones.',
        tags,
        querystring: feesQuery,
        response: { 200: feesResponse },
      },
    },
    async (request, reply) => linkPages(request, reply, await fees.list(actorOf(request), request.query)),
  )

  app.post(
    '/simulate',
    {
      config: { access: ['seller:viewer', 'admin:viewer'], scope: 'fees:read', errors: ['fee.not_configured'] },
      schema: {
        operationId: 'simulateFee',
        summary: 'Simulate a payment',
        description:
          "What a payment would cost and when its parts would be available if it were paid now. An administrator sees everyone's fees.",
        tags,
        body: simulateFeeBody,
        response: { 200: simulateFeeResponse },
      },
    },
    async (request) => simulateFee(actorOf(request), request.body),
  )
}

export const adminFeesPlugin: FastifyPluginAsyncZod<Pick<Options, 'fees'>> = async (app, { fees }) => {
  app.get(
    '',
    {
      config: { access: ['admin:viewer'] },
      schema: {
        operationId: 'listAllFees',
        summary: 'List all fees',
        description: 'Every fee and every closed version of one.',
        tags: ['Admin'],
        querystring: adminFeesQuery,
        response: { 200: feesResponse },
      },
    },
    async (request, reply) => linkPages(request, reply, await fees.listAll(request.query), { cursors: true }),
  )

  app.get(
    '/:id',
    {
      config: { access: ['admin:viewer'], errors: ['fee.not_found'], conditional: true },
      schema: {
        operationId: 'getFee',
        summary: 'Get a fee',
        description: 'One fee or closed version.',
        tags: ['Admin'],
        params: idParams,
        response: { 200: feeResponse },
      },
    },
    async (request) => fees.get(request.params.id),
  )
}
