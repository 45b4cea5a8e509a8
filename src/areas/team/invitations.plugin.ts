import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { actorOf } from '../../http/plugins/access.ts'
import { idempotencyHeaders, idempotencyOf } from '../../http/plugins/idempotency.ts'
import { approvalResponse } from '../approvals/approvals.schemas.ts'
import { loginResponse } from '../authentication/authentication.schemas.ts'
import { openedFrom } from '../authentication/authentication.view.ts'
import type { InvitationsService } from './invitations.service.ts'
import {
  acceptInvitationBody,
  adminInvitationResponse,
  inviteAdministratorBody,
  inviteMemberBody,
  teamMemberResponse,
} from './team.schemas.ts'

type Options = { invitations: InvitationsService }

/** Invitations to a seller's team. */
export const teamInvitationsPlugin: FastifyPluginAsyncZod<Options> = async (app, { invitations }) => {
  app.post(
    '',
    {
      config: {
        access: ['seller:owner'],
        scope: 'interactive',
        stepUp: true,
        rateLimit: 'tight',
        errors: ['team.full'],
      },
      schema: {
        operationId: 'inviteTeamMember',
        summary: 'Invite somebody to the team',
        description:
          'Sends a mail with a link that is good once, for seven days. Inviting the same address again replaces it. The answer does not tell whether anybody has this address.',
        tags: ['Team'],
        headers: idempotencyHeaders,
        body: inviteMemberBody,
        response: { 201: teamMemberResponse },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await invitations.inviteMember(actorOf(request), request.body, idempotencyOf(request))),
  )
}

/** Invitations to the administrators. */
export const adminInvitationsPlugin: FastifyPluginAsyncZod<Options> = async (app, { invitations }) => {
  app.post(
    '',
    {
      config: { access: ['admin:owner'], stepUp: true, rateLimit: 'tight' },
      schema: {
        operationId: 'inviteAdministrator',
        summary: 'Invite an administrator',
        description:
          'Sends a mail with a link that is good once, for seven days. Inviting the same address again replaces it. The answer does not tell whether anybody has this address. Where the approval policy asks for two administrators it answers 202, and the mail is sent when another one approves it.',
        tags: ['Admin'],
        headers: idempotencyHeaders,
        body: inviteAdministratorBody,
        response: { 201: adminInvitationResponse, 202: approvalResponse },
      },
    },
    async (request, reply) => {
      const [actor, idempotency] = [actorOf(request), idempotencyOf(request)]
      const { waits, view } = await invitations.inviteAdministrator(actor, request.body, idempotency)
      return reply.code(waits ? 202 : 201).send(view)
    },
  )
}

/** Where whoever was invited joins. */
export const acceptInvitationPlugin: FastifyPluginAsyncZod<Options> = async (app, { invitations }) => {
  app.post(
    '/accept',
    {
      config: {
        access: 'public',
        rateLimit: 'tight',
        errors: ['team.invitation_invalid', 'user.email_taken', 'auth.account_blocked'],
      },
      schema: {
        operationId: 'acceptInvitation',
        summary: 'Accept an invitation',
        description:
          'Makes the account that was offered, with a name and a password of one’s own, and logs in. An address has one account: with another one of the same address it answers `user.email_taken`.',
        tags: ['Authentication'],
        body: acceptInvitationBody,
        response: { 200: loginResponse },
      },
    },
    async (request, reply) => {
      // RFC 6749, 5.1: no cache on the way may keep an answer with tokens.
      void reply.header('cache-control', 'no-store')
      return invitations.accept(request.body, openedFrom(request), (claims) => app.jwt.sign(claims))
    },
  )
}
