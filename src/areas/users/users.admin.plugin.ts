import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { linkPages } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import type { TotpService } from '../authentication/totp.service.ts'
import type { BlockUsers } from './users.block.ts'
import { adminUserResponse, adminUsersQuery, adminUsersResponse, blockBody } from './users.schemas.ts'
import type { UsersService } from './users.service.ts'

type Options = { users: UsersService; blockUsers: BlockUsers; totp: TotpService }

const tags = ['Admin']
const BLOCKS = ['user.not_found', 'user.own_account'] as const

const blockPlugin: FastifyPluginAsyncZod<Pick<Options, 'blockUsers'>> = async (app, { blockUsers }) => {
  app.put(
    '/:id/block',
    {
      config: { access: ['admin:risk'], errors: BLOCKS },
      schema: {
        operationId: 'blockUser',
        summary: 'Block somebody',
        description:
          'All their sessions end at once, and none begins. With who opened a seller’s account all of it is blocked: its team and API credentials too, no payment is made and nothing is paid out, while payers may still pay what they were asked for. Of a team, one member alone can be blocked. Administrators are blocked by owners only. Repeating it changes nothing.',
        tags,
        params: idParams,
        body: blockBody,
        response: { 200: adminUserResponse },
      },
    },
    async (request) => blockUsers.block(actorOf(request), request.params.id, request.body.reason),
  )

  app.put(
    '/:id/unblock',
    {
      config: { access: ['admin:risk'], errors: BLOCKS },
      schema: {
        operationId: 'unblockUser',
        summary: 'Lift a block',
        description:
          'They may log in again, and withdrawals that were approved go out. The reason is kept in the audit log. Repeating it changes nothing.',
        tags,
        params: idParams,
        body: blockBody,
        response: { 200: adminUserResponse },
      },
    },
    async (request) => blockUsers.unblock(actorOf(request), request.params.id, request.body.reason),
  )
}

/** Whom administrators see, keep out, and help who cannot get in. */
export const adminUsersPlugin: FastifyPluginAsyncZod<Options> = async (app, options) => {
  const { users, blockUsers, totp } = options
  await app.register(blockPlugin, { blockUsers })

  app.get(
    '',
    {
      config: { access: ['admin:viewer'] },
      schema: {
        operationId: 'listUsers',
        summary: 'List people',
        description: 'Everybody who may log in, newest first: administrators, sellers and their teams.',
        tags,
        querystring: adminUsersQuery,
        response: { 200: adminUsersResponse },
      },
    },
    async (request, reply) => linkPages(request, reply, await users.listAll(request.query), { cursors: true }),
  )

  app.delete(
    '/:id/totp',
    {
      config: {
        access: ['admin:support'],
        stepUp: true,
        errors: ['user.not_found', 'totp.not_enabled', 'totp.own_account'],
      },
      schema: {
        operationId: 'resetTotp',
        summary: 'Take somebody’s second factor away',
        description:
          'For somebody who lost both the phone and the recovery codes, once you are sure who asks. All their sessions end; the password alone logs in, and they can set up a second factor again.',
        tags,
        params: idParams,
        response: { 204: z.null().meta({ description: 'Logins need no code any more.' }) },
      },
    },
    async (request, reply) => {
      await totp.reset(actorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}
