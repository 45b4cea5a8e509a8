import { z } from 'zod'
import { timestampView } from '../../http/primitives.schemas.ts'

const stateView = z.enum(['ok', 'degraded', 'down'])

/** What the platform says of itself. */
export const statusResponse = z.object({
  status: z.enum(['ok', 'degraded']).meta({ description: 'ok: every component works.', examples: ['ok'] }),
  version: z.string().meta({ description: 'Version of the platform.', examples: ['1.0.0'] }),
  time: timestampView.meta({ description: 'The time of the platform, ISO 8601 in UTC with milliseconds.' }),
  components: z
    .object({
      database: stateView.meta({ description: 'Whether the database answers.', examples: ['ok'] }),
      worker: stateView.meta({
        description: 'Whether a process runs the background jobs, without long waits and by a clock that is right.',
        examples: ['ok'],
      }),
      provider: stateView.meta({ description: 'Whether the payment provider answers.', examples: ['ok'] }),
      ledger: stateView.meta({
        description: 'Whether the last nightly proof of the ledger found every balance right, not two nights ago.',
        examples: ['ok'],
      }),
    })
    .meta({ description: 'The parts of the platform.' }),
})
