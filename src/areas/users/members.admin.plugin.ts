import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { listQuery } from '../../http/list-query.schemas.ts'
import { linkPages, listResponse } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { approvalResponse } from '../approvals/approvals.schemas.ts'
import type { MembersService } from './members.service.ts'
import { memberResponse, memberWithRoleResponse, updateMemberBody } from './users.schemas.ts'
import type { UsersService } from './users.service.ts'

type Options = { users: UsersService; members: MembersService }

const tags = ['Admin']

export const adminMembersPlugin: FastifyPluginAsyncZod<Options> = async (app, { users, members }) => {
  app.get(
    '',
    {
      config: { access: ['admin:viewer'] },
      schema: {
        operationId: 'listMembers',
        summary: 'List administrators',
        description: 'The accounts that run the platform, newest first.',
        tags,
        querystring: listQuery({}),
        response: { 200: listResponse(memberResponse, 'administrators') },
      },
    },
    async (request, reply) => linkPages(request, reply, await users.listAdmins(request.query)),
  )

  app.get(
    '/:id',
    {
      config: { access: ['admin:viewer'], errors: ['user.not_found'] },
      schema: {
        operationId: 'getMember',
        summary: 'Get an administrator',
        description: 'An administrator, also a deleted one, and what they may do.',
        tags,
        params: idParams,
        response: { 200: memberWithRoleResponse },
      },
    },
    async (request) => members.get(request.params.id),
  )

  app.put(
    '/:id',
    {
      config: { access: ['admin:owner'], stepUp: true, errors: ['user.not_found', 'user.last_owner'] },
      schema: {
        operationId: 'updateMember',
        summary: 'Give an administrator another role',
        description:
          'It holds at once, also for tokens that were made before. One owner always stays. Where the approval policy asks for two administrators it answers 202, and holds when another one approves it.',
        tags,
        params: idParams,
        body: updateMemberBody,
        response: { 200: memberWithRoleResponse, 202: approvalResponse },
      },
    },
    async (request, reply) => {
      const { waits, view } = await members.update(actorOf(request), request.params.id, request.body)
      return reply.code(waits ? 202 : 200).send(view)
    },
  )

  app.delete(
    '/:id',
    {
      config: {
        access: ['admin:owner'],
        stepUp: true,
        errors: ['user.not_found', 'user.last_owner'],
      },
      schema: {
        operationId: 'deleteMember',
        summary: 'Take an administrator out',
        description:
          'Ends the account with its sessions, or withdraws an invitation. What they did stays in the audit log.',
        tags,
        params: idParams,
        response: { 204: z.null().meta({ description: 'They are no administrator any more.' }) },
      },
    },
    async (request, reply) => {
      await members.delete(actorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}
