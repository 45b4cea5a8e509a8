import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { EmailAddressesService } from './email-addresses.service.ts'
import { forgotPasswordBody, NOTHING, resetPasswordBody, verifyEmailBody } from './recovery.schemas.ts'
import type { RecoveryService } from './recovery.service.ts'

type Options = { recovery: RecoveryService; emailAddresses: EmailAddressesService }

const tags = ['Authentication']
const TOKEN_INVALID = 'auth.token_invalid 400'

/** What people do with the links that mails bring them. */
export const recoveryPlugin: FastifyPluginAsyncZod<Options> = async (app, { recovery, emailAddresses }) => {
  app.post(
    '/password/forgot',
    {
      config: { access: 'public', rateLimit: 'tight' },
      schema: {
        operationId: 'forgotPassword',
        summary: 'Ask for a new password',
        description:
          'Sends a mail with a link to the address, if somebody logs in with it. The answer and its time are the same if nobody does. The link works once, for an hour. An address gets at most five in an hour.',
        tags,
        body: forgotPasswordBody,
        response: { 202: z.null().meta({ description: 'If somebody has this address, a mail is on its way.' }) },
      },
    },
    async (request, reply) => {
      await recovery.forgot(request.body)
      return reply.code(202).send(NOTHING)
    },
  )

  app.post(
    '/password/reset',
    {
      config: { access: 'public', rateLimit: 'tight', errors: [TOKEN_INVALID] },
      schema: {
        operationId: 'resetPassword',
        summary: 'Set a new password by a link',
        description:
          'The token of the link is used up. All sessions of the account end, its API tokens included, and its address counts as verified. A second factor stays in force.',
        tags,
        body: resetPasswordBody,
        response: { 204: z.null().meta({ description: 'The new password logs in.' }) },
      },
    },
    async (request, reply) => {
      await recovery.reset(request.body)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/email/verify',
    {
      config: { access: 'public', rateLimit: 'tight', errors: [TOKEN_INVALID, 'user.email_taken'] },
      schema: {
        operationId: 'verifyEmail',
        summary: 'Verify an e-mail address by a link',
        description:
          'Verifies the address that an account was opened with, or puts the one in its place that was asked for with `PUT /users/{id}/email`: from then on that one logs in, and the one before it is told. The token is used up.',
        tags,
        body: verifyEmailBody,
        response: { 204: z.null().meta({ description: 'The address is verified.' }) },
      },
    },
    async (request, reply) => {
      await emailAddresses.verify(request.body)
      return reply.code(204).send(null)
    },
  )
}
