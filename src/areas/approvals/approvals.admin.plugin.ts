import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { linkPages } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import {
  approvalPolicyBody,
  approvalPolicyResponse,
  approvalResponse,
  approvalsQuery,
  approvalsResponse,
  rejectApprovalBody,
} from './approvals.schemas.ts'
import type { ApprovalsService } from './approvals.service.ts'

const tags = ['Admin']
const DECISION_ERRORS = ['approval.not_found', 'approval.not_pending', 'approval.same_person']

export const adminApprovalsPlugin: FastifyPluginAsyncZod<{ approvals: ApprovalsService }> = async (
  app,
  { approvals },
) => {
  app.get(
    '/approval-policy',
    {
      config: { access: ['admin:finance'] },
      schema: {
        operationId: 'getApprovalPolicy',
        summary: 'Get the approval policy',
        description: 'From which amounts on a second administrator is asked. Nobody is where nothing was ever set.',
        tags,
        response: { 200: approvalPolicyResponse },
      },
    },
    async () => approvals.getPolicy(),
  )

  app.put(
    '/approval-policy',
    {
      config: { access: ['admin:finance'] },
      schema: {
        operationId: 'setApprovalPolicy',
        summary: 'Set the approval policy',
        description:
          'What makes it stricter holds at once. What loosens it in any way answers 202, and holds when another administrator approves it.',
        tags,
        body: approvalPolicyBody,
        response: { 200: approvalPolicyResponse, 202: approvalResponse },
      },
    },
    async (request, reply) => {
      const { waits, view } = await approvals.setPolicy(actorOf(request), request.body)
      return reply.code(waits ? 202 : 200).send(view)
    },
  )

  app.get(
    '/approvals',
    {
      config: { access: ['admin:finance'] },
      schema: {
        operationId: 'listApprovals',
        summary: 'List approvals',
        description: 'What administrators proposed, newest first. `status=pending` is what waits for a second one.',
        tags,
        querystring: approvalsQuery,
        response: { 200: approvalsResponse },
      },
    },
    async (request, reply) => linkPages(request, reply, await approvals.list(request.query), { cursors: true }),
  )

  app.post(
    '/approvals/:id/approve',
    {
      config: {
        access: ['admin:finance'],
        errors: [...DECISION_ERRORS, 'approval.first_day', 'approval.not_possible', 'treasury.provider_away'],
      },
      schema: {
        operationId: 'approveApproval',
        summary: 'Approve a proposal',
        description:
          'Does what was proposed, in the same moment. Who made the seller’s account or approved its company leaves it to another administrator, if there is one, and who is an administrator since less than a day waits. What can no longer be done is refused (409) and stays pending, and so does a payout of the platform while a provider does not say what it holds (503).',
        tags,
        params: idParams,
        response: { 200: approvalResponse },
      },
    },
    async (request) => approvals.approve(actorOf(request), request.params.id),
  )

  app.post(
    '/approvals/:id/reject',
    {
      config: { access: ['admin:finance'], errors: DECISION_ERRORS },
      schema: {
        operationId: 'rejectApproval',
        summary: 'Reject a proposal',
        description: 'Nothing is done. What it was about stays as it was, and may be proposed again.',
        tags,
        params: idParams,
        body: rejectApprovalBody,
        response: { 200: approvalResponse },
      },
    },
    async (request) => approvals.reject(actorOf(request), request.params.id, request.body.reason),
  )
}
