import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { linkPages, listResponse, pageFields, pageRequest } from '../../http/pagination.ts'
import { periodOf } from '../../http/period.ts'
import { periodFields } from '../../http/primitives.schemas.ts'
import { memberResponse } from '../users/users.schemas.ts'
import type { UsersService } from '../users/users.service.ts'

export const adminMembersPlugin: FastifyPluginAsyncZod<{ users: UsersService }> = async (app, { users }) => {
  app.get(
    '',
    {
      config: { access: ['admin'] },
      schema: {
        operationId: 'listMembers',
        summary: 'List administrators',
        description: 'The accounts that run the platform, newest first.',
        tags: ['Admin'],
        querystring: z.strictObject({ ...pageFields, ...periodFields }),
        response: { 200: listResponse(memberResponse, 'administrators') },
      },
    },
    async (request, reply) =>
      linkPages(request, reply, await users.listAdmins(periodOf(request.query), pageRequest(request.query))),
  )
}
