import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { actorOf } from '../../http/plugins/access.ts'
import { preconditionOf } from '../../http/plugins/conditional-requests.ts'
import { idempotencyHeaders, idempotencyOf } from '../../http/plugins/idempotency.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { createUserBody, updatePasswordBody, updateUserBody, userResponse } from './users.schemas.ts'
import type { UsersService } from './users.service.ts'

const tags = ['Users']

export const usersPlugin: FastifyPluginAsyncZod<{ users: UsersService }> = async (app, { users }) => {
  app.post(
    '',
    {
      config: {
        access: ['admin:owner'],
        stepUp: true,
        errors: ['user.email_taken', 'user.invitation_required'],
        location: '/api/v1/users/{id}',
      },
      schema: {
        operationId: 'createUser',
        summary: 'Create a user',
        description: 'Makes an account of either role. A seller starts with an empty balance and is not approved.',
        tags,
        headers: idempotencyHeaders,
        body: createUserBody,
        response: { 201: userResponse },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await users.create(actorOf(request), request.body, idempotencyOf(request))),
  )

  app.get(
    '/:id',
    {
      config: {
        access: ['seller:viewer', 'admin:viewer'],
        scope: 'interactive',
        secondFactor: 'none',
        errors: ['user.not_found'],
        conditional: true,
      },
      schema: {
        operationId: 'getUser',
        summary: 'Get a user',
        description: 'One’s own account. Administrators may see every account, also deleted ones.',
        tags,
        params: idParams,
        response: { 200: userResponse },
      },
    },
    async (request) => users.get(actorOf(request), request.params.id),
  )

  app.put(
    '/:id',
    {
      config: {
        access: ['seller:viewer', 'admin:viewer'],
        scope: 'interactive',
        errors: ['user.not_found', 'user.email_taken', 'auth.step_up_required'],
        conditional: true,
      },
      schema: {
        operationId: 'updateUser',
        summary: 'Update a user',
        description:
          'Replaces name, company name and phone. Another e-mail address is sent a link, and logs in once that was opened; `PUT /users/{id}/email` does the same. For another address a person must have logged in, or called `POST /auth/step-up`, within the last ten minutes.',
        tags,
        params: idParams,
        body: updateUserBody,
        response: { 200: userResponse },
      },
    },
    async (request) => users.update(actorOf(request), request.params.id, request.body, preconditionOf(request)),
  )

  app.delete(
    '/:id',
    {
      config: {
        access: ['seller:viewer', 'admin:viewer'],
        scope: 'interactive',
        stepUp: true,
        secondFactor: 'none',
        errors: ['user.not_found', 'user.balance_not_zero', 'user.last_administrator', 'user.last_owner'],
      },
      schema: {
        operationId: 'deleteUser',
        summary: 'Delete a user',
        description:
          'Ends an account for good, with its sessions, API credentials and webhooks, and takes the person’s data out of it. Payments are kept. A seller’s balance must be zero. Who opened a seller’s account takes everybody of its team along, and must be an owner; who joined one leaves alone.',
        tags,
        params: idParams,
        response: { 204: z.null().meta({ description: 'The account has ended.' }) },
      },
    },
    async (request, reply) => {
      await users.delete(actorOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )

  app.put(
    '/:id/password',
    {
      config: {
        access: ['seller:viewer', 'admin:viewer'],
        scope: 'interactive',
        secondFactor: 'none',
        rateLimit: 'tight',
        errors: ['user.not_found', 'user.password_incorrect', 'auth.account_locked'],
      },
      schema: {
        operationId: 'updatePassword',
        summary: 'Change one’s own password',
        description:
          'All other sessions end; this one stays. Wrong current passwords count like failed logins and lock the account the same way.',
        tags,
        params: idParams,
        body: updatePasswordBody,
        response: { 204: z.null().meta({ description: 'The password was changed.' }) },
      },
    },
    async (request, reply) => {
      await users.changePassword(actorOf(request), request.params.id, request.body)
      return reply.code(204).send(null)
    },
  )
}
