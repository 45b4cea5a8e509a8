import { z } from 'zod'
import { timestampView } from '../../http/primitives.schemas.ts'

const stateView = z.enum(['ok', 'degraded', 'down'])

/** What the platform says of itself. */
export const statusResponse = z
  .object({
    status: z.enum(['ok', 'degraded']).meta({ description: 'ok: every component works.', examples: ['ok'] }),
    environment: z.enum(['live', 'sandbox']).meta({
      description: 'sandbox: some or all money here is only simulated.',
      examples: ['live'],
    }),
    version: z.string().meta({ description: 'Version of the platform.', examples: ['1.0.0'] }),
    time: timestampView.meta({ description: 'The time of the platform, ISO 8601 in UTC with milliseconds.' }),
    components: z
      .object({
        database: stateView.meta({
          description: 'Whether the database answers (down: it does not) and takes writes (degraded: it only reads).',
          examples: ['ok'],
        }),
        worker: stateView.meta({
          description: 'Whether a process runs the background jobs, without long waits and by a clock that is right.',
          examples: ['ok'],
        }),
        provider: stateView.meta({ description: 'Whether the payment provider answers.', examples: ['ok'] }),
        ledger: stateView.meta({
          description: 'Whether the last nightly proof of the ledger found every balance right, not two nights ago.',
          examples: ['ok'],
        }),
        reconciliation: stateView.meta({
          description:
            'Whether nothing that a provider and the books do not agree on has waited for longer than two days.',
          examples: ['ok'],
        }),
        mail: stateView.meta({
          description:
            'Whether mails are sent: there is a server that takes them, and none has waited for it for long.',
          examples: ['ok'],
        }),
        clock: stateView.meta({
          description:
            'Whether the clock of the process that answers is right by that of the database (down: nobody can tell).',
          examples: ['ok'],
        }),
      })
      .meta({ description: 'The parts of the platform.' }),
    warnings: z
      .array(z.string().max(300))
      .max(10)
      .meta({
        description: 'What operators have to do before long, such as renewing a certificate that ends within a month.',
        examples: [['The certificate of the Pix account ends on 2026-12-20. Ask the bank for a new one.']],
      }),
  })
  .meta({ title: 'Status', description: 'Whether the platform works.' })
