import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { DISPUTE_TYPES } from '../../domain/dispute.ts'
import { actorOf } from '../../http/plugins/access.ts'
import { amountSchema, idParams, timestampView } from '../../http/primitives.schemas.ts'
import type { SandboxService } from './sandbox.service.ts'

const DAYS_MAX = 400
const HOURS_MAX = 24 * DAYS_MAX

const tags = ['Sandbox']

const acceptedResponse = z
  .object({ status: z.literal('accepted').meta({ description: 'The simulated acquirer said it.' }) })
  .meta({ title: 'SandboxAnswer', description: 'Said, and processed like a callback of a real acquirer.' })

const payBody = z
  .strictObject({
    amount: amountSchema.optional().meta({ description: 'Centavos that the payer pays. By default what was asked.' }),
  })
  // A POST without a body arrives as null.
  .nullish()
  .meta({ description: 'What the payer does.' })

const refundBody = z
  .strictObject({
    amount: amountSchema
      .optional()
      .meta({ description: 'Centavos that go back. By default all that was paid.', examples: [2_500] }),
  })
  // A POST without a body arrives as null.
  .nullish()
  .meta({ description: 'What the acquirer does.' })

const settleBody = z
  .strictObject({
    outcome: z
      .enum(['completed', 'failed', 'returned'])
      .meta({ description: 'What becomes of the payout.', examples: ['completed'] }),
  })
  .meta({ description: 'What the bank does.' })

const disputeBody = z
  .strictObject({
    type: z.enum(DISPUTE_TYPES).meta({
      description: 'How it is disputed: `med` is how a Pix is, `chargeback` how a card is.',
      examples: ['med'],
    }),
    amount: amountSchema
      .optional()
      .meta({ description: 'Centavos that the payer claims. By default all that was paid.', examples: [10_000] }),
  })
  .meta({ description: 'What the payer claims.' })

const resolveBody = z
  .strictObject({
    outcome: z.enum(['won', 'lost']).meta({
      description: 'Whether the seller keeps the money (`won`) or the payer gets it back.',
      examples: ['won'],
    }),
  })
  .meta({ description: 'How the dispute ends.' })

const advanceBody = z
  .strictObject({
    days: z
      .number()
      .int()
      .min(0)
      .max(DAYS_MAX)
      .optional()
      .meta({ description: 'Days of 24 hours.', examples: [30] }),
    hours: z
      .number()
      .int()
      .min(0)
      .max(HOURS_MAX)
      .optional()
      .meta({ description: 'Hours.', examples: [1] }),
  })
  .refine(({ days = 0, hours = 0 }) => days + hours > 0, 'must move the clock by at least one hour')
  .meta({ description: 'How far the clock moves forward.' })

const clockResponse = z
  .object({
    now: timestampView.meta({ description: 'The platform’s time.' }),
    offsetMs: z
      .number()
      .int()
      .min(0)
      .meta({ description: 'Milliseconds that it runs ahead of real time.', examples: [0] }),
  })
  .meta({ title: 'SandboxClock', description: 'The platform’s clock.' })

/** The tester’s hands on the simulated acquirer and on time. Registered only with the sandbox provider. */
export const sandboxPlugin: FastifyPluginAsyncZod<{ sandbox: SandboxService }> = async (app, { sandbox }) => {
  const paymentErrors = ['payment.not_found']

  app.post(
    '/payments/:id/pay',
    {
      config: { access: ['seller:finance', 'seller:developer'], scope: 'payments:write', errors: paymentErrors },
      schema: {
        operationId: 'paySandboxPayment',
        summary: 'Let the payer pay',
        description: 'The simulated acquirer confirms the payment, optionally with another amount.',
        tags,
        params: idParams,
        body: payBody,
        response: { 202: acceptedResponse },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await sandbox.pay(actorOf(request), request.params.id, request.body?.amount)),
  )

  app.post(
    '/payments/:id/expire',
    {
      config: { access: ['seller:finance', 'seller:developer'], scope: 'payments:write', errors: paymentErrors },
      schema: {
        operationId: 'expireSandboxPayment',
        summary: 'Let a payment expire',
        description: 'The simulated acquirer says that the time to pay is over.',
        tags,
        params: idParams,
        response: { 202: acceptedResponse },
      },
    },
    async (request, reply) => reply.code(202).send(await sandbox.expire(actorOf(request), request.params.id)),
  )

  app.post(
    '/payments/:id/fail',
    {
      config: { access: ['seller:finance', 'seller:developer'], scope: 'payments:write', errors: paymentErrors },
      schema: {
        operationId: 'failSandboxPayment',
        summary: 'Let a payment fail',
        description: 'The simulated acquirer refuses the payment.',
        tags,
        params: idParams,
        response: { 202: acceptedResponse },
      },
    },
    async (request, reply) => reply.code(202).send(await sandbox.fail(actorOf(request), request.params.id)),
  )

  app.post(
    '/payments/:id/refund',
    {
      config: { access: ['seller:finance', 'seller:developer'], scope: 'payments:write', errors: paymentErrors },
      schema: {
        operationId: 'refundSandboxPayment',
        summary: 'Let the acquirer refund a payment',
        description: 'The simulated acquirer sends money back that nobody here asked it to send back.',
        tags,
        params: idParams,
        body: refundBody,
        response: { 202: acceptedResponse },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await sandbox.refund(actorOf(request), request.params.id, request.body?.amount)),
  )

  app.post(
    '/payments/:id/dispute',
    {
      config: { access: ['seller:finance', 'seller:developer'], scope: 'payments:write', errors: paymentErrors },
      schema: {
        operationId: 'disputeSandboxPayment',
        summary: 'Let the payer dispute a payment',
        description:
          'The simulated acquirer opens a dispute. It has to be answered within seven days (`med`) or ten (`chargeback`).',
        tags,
        params: idParams,
        body: disputeBody,
        response: { 202: acceptedResponse },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await sandbox.openDispute(actorOf(request), request.params.id, request.body)),
  )

  app.post(
    '/disputes/:id/resolve',
    {
      config: {
        access: ['seller:finance', 'seller:developer'],
        scope: 'payments:write',
        errors: ['dispute.not_found'],
      },
      schema: {
        operationId: 'resolveSandboxDispute',
        summary: 'Decide a dispute',
        description: 'The simulated acquirer says who is right.',
        tags,
        params: idParams,
        body: resolveBody,
        response: { 202: acceptedResponse },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await sandbox.resolveDispute(actorOf(request), request.params.id, request.body.outcome)),
  )

  app.post(
    '/withdrawals/:id/settle',
    {
      config: {
        access: ['seller:finance', 'seller:developer'],
        scope: 'withdrawals:write',
        errors: ['withdrawal.not_found'],
      },
      schema: {
        operationId: 'settleSandboxWithdrawal',
        summary: 'Decide a payout',
        description: 'For payouts that do not complete by themselves, and for those that a bank sends back.',
        tags,
        params: idParams,
        body: settleBody,
        response: { 202: acceptedResponse },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await sandbox.settlePayout(actorOf(request), request.params.id, request.body.outcome)),
  )

  app.get(
    '/clock',
    {
      config: { access: ['admin:viewer'] },
      schema: {
        operationId: 'getSandboxClock',
        summary: 'Read the clock',
        description: 'The platform’s time, which may run ahead.',
        tags,
        response: { 200: clockResponse },
      },
    },
    async () => sandbox.clock(),
  )

  app.post(
    '/clock/advance',
    {
      config: { access: ['admin:owner'] },
      schema: {
        operationId: 'advanceSandboxClock',
        summary: 'Move the clock forward',
        description:
          'Runs everything that falls due on the way, day by day: settlements, reserves, expiries. Logins keep real time.',
        tags,
        body: advanceBody,
        response: { 200: clockResponse },
      },
    },
    async (request) => sandbox.advanceClock(actorOf(request), request.body),
  )
}
