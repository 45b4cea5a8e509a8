import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { linkPages, listResponse } from '../../http/pagination.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { memberParams, teamMemberResponse, teamQuery, updateTeamMemberBody } from './team.schemas.ts'
import type { TeamService } from './team.service.ts'

const tags = ['Team']

export const teamPlugin: FastifyPluginAsyncZod<{ team: TeamService }> = async (app, { team }) => {
  app.get(
    '',
    {
      config: { access: ['seller:owner'], scope: 'interactive' },
      schema: {
        operationId: 'listTeam',
        summary: 'List the team',
        description: 'Everybody who may log in to the seller’s account or is invited to, newest first.',
        tags,
        querystring: teamQuery,
        response: { 200: listResponse(teamMemberResponse, 'members') },
      },
    },
    async (request, reply) => linkPages(request, reply, await team.list(actorOf(request), request.query)),
  )

  app.put(
    '/:userId',
    {
      config: {
        access: ['seller:owner'],
        scope: 'interactive',
        stepUp: true,
        errors: ['team.member_not_found', 'user.last_owner'],
      },
      schema: {
        operationId: 'updateTeamMember',
        summary: 'Give a member another role',
        description: 'It holds at once, also for tokens that were made before. One owner always stays.',
        tags,
        params: memberParams,
        body: updateTeamMemberBody,
        response: { 200: teamMemberResponse },
      },
    },
    async (request) => team.update(actorOf(request), request.params.userId, request.body),
  )

  app.delete(
    '/:userId',
    {
      config: {
        access: ['seller:owner'],
        scope: 'interactive',
        stepUp: true,
        errors: ['team.member_not_found', 'team.account_holder', 'user.last_owner'],
      },
      schema: {
        operationId: 'removeTeamMember',
        summary: 'Take a member out of the team',
        description:
          'Ends their account with its sessions, or withdraws an invitation. Who opened the seller’s account stays.',
        tags,
        params: memberParams,
        response: { 204: z.null().meta({ description: 'They are in the team no more.' }) },
      },
    },
    async (request, reply) => {
      await team.remove(actorOf(request), request.params.userId)
      return reply.code(204).send(null)
    },
  )
}
