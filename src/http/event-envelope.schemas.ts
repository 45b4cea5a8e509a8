import { z } from 'zod'
import { EVENT_API_VERSION } from '../events/events.repository.ts'
import { idSchema, timestampView } from './primitives.schemas.ts'

/** What surrounds the data of every event. */
export const eventEnvelope = <Type extends z.ZodType>(type: Type) => ({
  id: idSchema.meta({ description: 'Id of the event, the same in every delivery: the header `webhook-id`.' }),
  type,
  createdAt: timestampView.meta({ description: 'When it happened.' }),
  apiVersion: z
    .string()
    .max(20)
    .meta({ description: 'Version of the shape of event bodies.', examples: [EVENT_API_VERSION] }),
})
