import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { linkPages } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { approvalResponse } from '../approvals/approvals.schemas.ts'
import {
  adminWithdrawalDetailResponse,
  adminWithdrawalsResponse,
  listAllWithdrawalsQuery,
  rejectWithdrawalBody,
  withdrawalResponse,
} from './withdrawals.schemas.ts'
import type { WithdrawalsService } from './withdrawals.service.ts'

const tags = ['Admin']
const DECISION_ERRORS = ['withdrawal.not_found', 'withdrawal.not_pending', 'withdrawal.same_person']

/** Withdrawals of all sellers, for administrators. */
export const adminWithdrawalsPlugin: FastifyPluginAsyncZod<{ withdrawals: WithdrawalsService }> = async (
  app,
  { withdrawals },
) => {
  app.get(
    '',
    {
      config: { access: ['admin:viewer'] },
      schema: {
        operationId: 'listAllWithdrawals',
        summary: 'List the withdrawals of all sellers',
        description: 'Newest first, each with its seller. `status=pending_approval` is what waits for a decision.',
        tags,
        querystring: listAllWithdrawalsQuery,
        response: { 200: adminWithdrawalsResponse },
      },
    },
    async (request, reply) => linkPages(request, reply, await withdrawals.listAll(request.query), { cursors: true }),
  )

  app.get(
    '/:id',
    {
      config: { access: ['admin:viewer'], errors: ['withdrawal.not_found'] },
      schema: {
        operationId: 'getAnyWithdrawal',
        summary: 'Get any withdrawal',
        description: 'A withdrawal of any seller, whose it is, and who brought that seller in.',
        tags,
        params: idParams,
        response: { 200: adminWithdrawalDetailResponse },
      },
    },
    async (request) => withdrawals.getAny(request.params.id),
  )

  app.post(
    '/:id/approve',
    {
      config: {
        access: ['admin:finance'],
        errors: [...DECISION_ERRORS, 'withdrawal.seller_blocked', 'withdrawal.uncovered', 'approval.first_day'],
      },
      schema: {
        operationId: 'approveWithdrawal',
        summary: 'Approve a withdrawal',
        description:
          'It is paid out right away, unless a dispute has taken the seller’s balance below zero since (409). From the amount of the approval policy on it answers 202, and is paid out when another administrator approves it. Who made the seller’s account or approved its company leaves it to another administrator, if there is one (409), and who is an administrator since less than a day waits (403). Of two decisions at the same time one wins, the other answers 409.',
        tags,
        params: idParams,
        response: { 200: withdrawalResponse, 202: approvalResponse },
      },
    },
    async (request, reply) => {
      const { waits, view } = await withdrawals.approve(actorOf(request), request.params.id)
      return reply.code(waits ? 202 : 200).send(view)
    },
  )

  app.post(
    '/:id/reject',
    {
      config: { access: ['admin:finance'], errors: DECISION_ERRORS },
      schema: {
        operationId: 'rejectWithdrawal',
        summary: 'Reject a withdrawal',
        description:
          'Also one that was approved and cannot be paid out, because a dispute has taken the balance below zero or the seller may not withdraw any more. The money is available again at once, and the seller sees the reason. Of this and the payout at the same time one wins.',
        tags,
        params: idParams,
        body: rejectWithdrawalBody,
        response: { 200: withdrawalResponse },
      },
    },
    async (request) => withdrawals.reject(actorOf(request), request.params.id, request.body.reason),
  )
}
