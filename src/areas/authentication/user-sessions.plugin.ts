import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { linkPages, listResponse } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { sessionParams, sessionsQuery, userSessionResponse } from './user-sessions.schemas.ts'
import type { UserSessionsService } from './user-sessions.service.ts'

const tags = ['Users']
const own = { access: ['seller:viewer', 'admin:viewer'], scope: 'interactive', secondFactor: 'none' } as const

export const userSessionsPlugin: FastifyPluginAsyncZod<{ userSessions: UserSessionsService }> = async (
  app,
  { userSessions },
) => {
  app.get(
    '/:id/sessions',
    {
      config: { ...own, errors: ['user.not_found'] },
      schema: {
        operationId: 'listSessions',
        summary: 'List where somebody is logged in',
        description:
          'One’s own logins that have not ended, newest first. An owner of a seller’s account sees those of its team, an owner among administrators those of everybody. Those of API credentials are not listed.',
        tags,
        params: idParams,
        querystring: sessionsQuery,
        response: { 200: listResponse(userSessionResponse, 'sessions') },
      },
    },
    async (request, reply) =>
      linkPages(request, reply, await userSessions.list(actorOf(request), request.params.id, request.query)),
  )

  app.delete(
    '/:id/sessions/:sessionId',
    {
      config: { ...own, errors: ['user.not_found', 'session.not_found'] },
      schema: {
        operationId: 'endSession',
        summary: 'End a session',
        description: 'Ends a login with all of its tokens, at once. Who may see a session may end it.',
        tags,
        params: sessionParams,
        response: { 204: z.null().meta({ description: 'The session has ended.' }) },
      },
    },
    async (request, reply) => {
      await userSessions.end(actorOf(request), request.params.id, request.params.sessionId)
      return reply.code(204).send(null)
    },
  )
}
