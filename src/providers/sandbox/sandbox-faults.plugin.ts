import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { actorOf } from '../../http/plugins/access.ts'
import { amountOrZeroSchema, amountView, idSchema, timestampView } from '../../http/primitives.schemas.ts'
import { SANDBOX_FAULTS } from './sandbox.faults.ts'
import type { SandboxService } from './sandbox.service.ts'

const faultBody = z
  .strictObject({
    fault: z.enum(SANDBOX_FAULTS).meta({
      description:
        '`lost_callback`: a payment was paid there, and nobody was told. `doubled`: a Pix is there twice. `other_amount` and `wrong_fee`: it says another one. `missing_there`: it has it no more. `ghost_payout` and `late_refund`: money left that nobody here asked for.',
      examples: ['ghost_payout'],
    }),
    id: idSchema.optional().meta({
      description: 'The payment, refund or withdrawal; left out for what nobody here knows.',
      examples: ['01939f3e-7c1a-7b1e-9d6a-3f5b8c2d1e00'],
    }),
    amount: amountOrZeroSchema
      .optional()
      .meta({ description: 'Centavos that the statement is to say.', examples: [5_000] }),
  })
  .meta({ description: 'What is to be wrong with the acquirer’s statement.' })

const faultResponse = z
  .object({
    fault: z.enum(SANDBOX_FAULTS).meta({ description: 'What was planted.', examples: ['ghost_payout'] }),
    kind: z
      .enum(['charge', 'payout', 'refund', 'dispute'])
      .meta({ description: 'What the line is about.', examples: ['payout'] }),
    reference: z
      .string()
      .max(100)
      .meta({ description: 'How the statement names it.', examples: ['ghostpayout5f0c8a1e7b2d4963'] }),
    amount: amountView.meta({ description: 'Centavos of the line.' }),
    happenedAt: timestampView.meta({ description: 'When, by the statement: its day is the one to compare.' }),
  })
  .meta({ title: 'SandboxFault', description: 'A fault in the statement of the simulated acquirer.' })

/** What administrators plant to see how reconciliation finds it. Registered only with the sandbox provider. */
export const sandboxFaultsPlugin: FastifyPluginAsyncZod<{ sandbox: SandboxService }> = async (app, { sandbox }) => {
  app.post(
    '/faults',
    {
      config: { access: ['admin:finance'], errors: ['sandbox.nothing_booked'] },
      schema: {
        operationId: 'plantSandboxFault',
        summary: 'Plant a fault in the statement',
        description:
          'The simulated acquirer’s statement says something else than the books from now on. When the day is over, its reconciliation finds exactly that.',
        tags: ['Sandbox'],
        body: faultBody,
        response: { 201: faultResponse },
      },
    },
    async (request, reply) => reply.code(201).send(await sandbox.plantFault(actorOf(request), request.body)),
  )
}
