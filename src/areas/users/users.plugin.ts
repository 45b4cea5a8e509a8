import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { actorOf } from '../../http/plugins/access.ts'
import { idempotencyHeaders, idempotencyOf } from '../../http/plugins/idempotency.ts'
import { idParams } from '../../http/primitives.schemas.ts'
import { createUserBody, updatePasswordBody, updateUserBody, userResponse } from './users.schemas.ts'
import type { UsersService } from './users.service.ts'

const tags = ['Users']

export const usersPlugin: FastifyPluginAsyncZod<{ users: UsersService }> = async (app, { users }) => {
  app.post(
    '',
    {
      config: { access: ['admin'], errors: ['user.email_taken'] },
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
      config: { access: ['seller', 'admin'], scope: 'interactive', errors: ['user.not_found'] },
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
      config: { access: ['seller', 'admin'], scope: 'interactive', errors: ['user.not_found', 'user.email_taken'] },
      schema: {
        operationId: 'updateUser',
        summary: 'Update a user',
        description: 'Replaces name, company name and phone, and the e-mail address if one is sent.',
        tags,
        params: idParams,
        body: updateUserBody,
        response: { 200: userResponse },
      },
    },
    async (request) => users.update(actorOf(request), request.params.id, request.body),
  )

  app.delete(
    '/:id',
    {
      config: {
        access: ['seller', 'admin'],
        scope: 'interactive',
        errors: ['user.not_found', 'user.balance_not_zero', 'user.last_administrator'],
      },
      schema: {
        operationId: 'deleteUser',
        summary: 'Delete a user',
        description:
          'Ends an account for good, with its sessions, API credentials and webhooks, and takes the person’s data out of it. Payments are kept. A seller’s balance must be zero.',
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
        access: ['seller', 'admin'],
        scope: 'interactive',
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
