import { z } from 'zod'
import { DELIVERY_STATUSES, WEBHOOK_STATUSES } from '../../domain/webhook.ts'
import { EVENT_FILTERS } from '../../events/event-filters.ts'
import { listQuery } from '../../http/list-query.schemas.ts'
import { listResponse } from '../../http/pagination.ts'
import { instantSchema } from '../../http/period.schemas.ts'
import { idSchema, repeatable, text, timestampView, urlView } from '../../http/primitives.schemas.ts'
import { URL_LENGTH_MAX } from '../../outbound/url-rules.ts'

const DESCRIPTION_MAX = 200
const SNIPPET_MAX = 1_024
const EXAMPLE_TIME = '2026-11-21T13:05:12.481Z'

const urlSchema = z
  .string()
  .trim()
  .min(1)
  .max(URL_LENGTH_MAX)
  .meta({
    format: 'uri',
    description:
      'Where deliveries go: an http(s) URL without credentials and fragment, whose host is on the public internet.',
    examples: ['https://shop.example.com/webhooks'],
  })

const eventsSchema = z
  .array(z.enum(EVENT_FILTERS))
  .min(1)
  .max(EVENT_FILTERS.length)
  .meta({
    description: 'Which events are delivered: types, whole areas as in payment.*, or * for all.',
    examples: [['payment.*', 'withdrawal.completed']],
  })

const descriptionSchema = text(DESCRIPTION_MAX)
  .nullable()
  .meta({ description: 'A note of your own.', examples: ['Order system'] })

export const createWebhookBody = z.strictObject({
  url: urlSchema,
  events: eventsSchema.optional(),
  description: descriptionSchema.optional(),
})

export const updateWebhookBody = z.strictObject({
  url: urlSchema.optional(),
  events: eventsSchema.optional(),
  description: descriptionSchema.optional(),
  status: z
    .enum(['enabled', 'paused'])
    .optional()
    .meta({
      description: 'Paused: deliveries wait. Enabled: those that waited go on, also after the platform disabled it.',
      examples: ['enabled'],
    }),
})

export const createWebhookResponse = z
  .object({ id: idSchema.meta({ description: 'Id of the new webhook.' }) })
  .meta({ title: 'NewWebhook', description: 'The new webhook.' })

const healthResponse = z
  .object({
    state: z.enum(['working', 'failing', 'paused']).meta({
      description:
        'working: the last attempt succeeded, or there was none. failing: it did not. paused: too many in a row found no working server, so that nothing is sent until `nextAttemptAt`, when one attempt decides.',
      examples: ['paused'],
    }),
    reason: z
      .string()
      .max(100)
      .nullable()
      .meta({
        description: 'What the last attempt that failed brought: the `result` of attempts.',
        examples: ['timeout'],
      }),
    responseStatus: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'HTTP status of that answer, if one came.', examples: [null] }),
    nextAttemptAt: timestampView.nullable().meta({
      description: 'When it is called next, at the earliest. Null: it works, or you or the platform stopped it.',
      examples: ['2026-11-21T13:06:28.120Z'],
    }),
  })
  .meta({ title: 'WebhookHealth', description: 'How the address fares.' })

export const webhookResponse = z
  .object({
    id: idSchema,
    url: urlView.meta({ description: 'Where deliveries go.', examples: ['https://shop.example.com/webhooks'] }),
    events: z
      .array(z.string().max(100))
      .max(EVENT_FILTERS.length)
      .meta({ description: 'Which events are delivered.', examples: [['*']] }),
    description: z
      .string()
      .max(DESCRIPTION_MAX)
      .nullable()
      .meta({ description: 'Your note.', examples: ['Order system'] }),
    status: z.enum(WEBHOOK_STATUSES).meta({
      description: 'enabled: delivers. paused: you stopped it. disabled: the platform did, see statusReason.',
      examples: ['enabled'],
    }),
    statusReason: z
      .string()
      .max(100)
      .nullable()
      .meta({ description: 'Why it is disabled: gone (410) or failing (five days).', examples: [null] }),
    failingSince: timestampView.nullable().meta({
      description: 'When the first attempt failed since the last that succeeded. Null: it works.',
      examples: [null],
    }),
    health: healthResponse,
    createdAt: timestampView.meta({ description: 'When it was made.', examples: [EXAMPLE_TIME] }),
    updatedAt: timestampView.meta({ description: 'When it was last changed.', examples: [EXAMPLE_TIME] }),
  })
  .meta({ title: 'Webhook', description: 'An address that is told what happened.' })

export const webhooksResponse = listResponse(webhookResponse, 'webhooks')
export const webhooksQuery = listQuery({
  status: repeatable(WEBHOOK_STATUSES).meta({ description: 'Only these states.', examples: [['disabled']] }),
})

export type WebhooksQuery = z.output<typeof webhooksQuery>

const OVERLAP_HOURS_MAX = 168

export const rotateSecretBody = z
  .strictObject({
    overlapHours: z
      .number()
      .int()
      .min(0)
      .max(OVERLAP_HOURS_MAX)
      .optional()
      .meta({
        description:
          'For how many more hours the secret before it signs too, 24 by default. 0 ends every older secret at once: for one that leaked.',
        examples: [24],
      }),
  })
  // A POST without a body arrives as null.
  .nullish()
  .meta({ description: 'How the old secret ends.' })

export type RotateSecretBody = z.output<typeof rotateSecretBody>

export const secretResponse = z
  .object({
    secret: z
      .string()
      .max(100)
      .meta({
        description: 'Signing secret (Standard Webhooks): the key is the base64 after whsec_. Keep it like a password.',
        examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      }),
  })
  .meta({ title: 'WebhookSecret', description: 'The secret that signs deliveries.' })

const attemptResponse = z
  .object({
    attempt: z
      .number()
      .int()
      .min(1)
      .meta({ description: 'Number of the attempt, from 1.', examples: [1] }),
    result: z
      .string()
      .max(100)
      .meta({
        description:
          'succeeded, rejected (an answer other than 2xx), or what went wrong: timeout, dns, refused, reset, tls, protocol, too_large, blocked_address, other.',
        examples: ['succeeded'],
      }),
    responseStatus: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'HTTP status of the answer, if one came.', examples: [200] }),
    responseSnippet: z
      .string()
      .max(SNIPPET_MAX)
      .nullable()
      .meta({ description: 'First KiB of the answer.', examples: ['ok'] }),
    durationMs: z
      .number()
      .int()
      .min(0)
      .meta({ description: 'How long it took, in milliseconds.', examples: [84] }),
    bodySha256: z
      .string()
      .length(64)
      .nullable()
      .meta({
        description: 'SHA-256 of the body that was sent, in hexadecimal.',
        examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
      }),
    createdAt: timestampView.meta({ description: 'When it ended.', examples: [EXAMPLE_TIME] }),
  })
  .meta({ title: 'WebhookAttempt', description: 'One try.' })

export const deliveryResponse = z
  .object({
    id: idSchema,
    webhookId: idSchema.meta({ description: 'Where it goes.' }),
    eventId: idSchema.meta({ description: 'What it tells: the header webhook-id, the same on every attempt.' }),
    eventType: z
      .string()
      .max(100)
      .meta({ description: 'Type of the event.', examples: ['payment.paid'] }),
    replayNumber: z
      .number()
      .int()
      .min(0)
      .meta({ description: '0 for the first delivery of the event, then counted up by resends.', examples: [0] }),
    status: z.enum(DELIVERY_STATUSES).meta({
      description:
        'pending: waits for its next attempt. failed: no attempt is left. canceled: the webhook was deleted.',
      examples: ['succeeded'],
    }),
    attemptsMade: z
      .number()
      .int()
      .min(0)
      .meta({ description: 'Attempts so far.', examples: [1] }),
    nextAttemptAt: timestampView
      .nullable()
      .meta({ description: 'When it is tried next, at the earliest.', examples: [null] }),
    createdAt: timestampView.meta({ description: 'When it was made.', examples: [EXAMPLE_TIME] }),
    updatedAt: timestampView.meta({ description: 'When it last changed.', examples: [EXAMPLE_TIME] }),
    attempts: z.array(attemptResponse).max(100).meta({ description: 'Every attempt, in order.' }),
  })
  .meta({ title: 'WebhookDelivery', description: 'One event for one webhook.' })

export const deliveriesResponse = listResponse(deliveryResponse, 'deliveries')

const deliveryFilters = {
  status: repeatable(DELIVERY_STATUSES).meta({ description: 'Only these states.', examples: [['failed']] }),
}

export const deliveriesQuery = listQuery(deliveryFilters, { cursors: true })

export type DeliveriesQuery = z.output<typeof deliveriesQuery>

export const deliveryParams = z.strictObject({ id: idSchema, deliveryId: idSchema })

export const recoverBody = z.strictObject({
  since: instantSchema.meta({
    description: 'Events from this instant on, up to 30 days ago.',
    examples: ['2026-11-20T00:00:00.000Z'],
  }),
})

export const recoveryResponse = z
  .object({
    id: idSchema,
    webhookId: idSchema.meta({ description: 'Where the events go again.' }),
    since: timestampView.meta({ description: 'Events from here on.', examples: [EXAMPLE_TIME] }),
    status: z.enum(['running', 'finished']).meta({ description: 'How far it is.', examples: ['running'] }),
    resentCount: z
      .number()
      .int()
      .min(0)
      .meta({ description: 'Deliveries made so far.', examples: [0] }),
    createdAt: timestampView.meta({ description: 'When it was asked for.', examples: [EXAMPLE_TIME] }),
  })
  .meta({ title: 'WebhookRecovery', description: 'Missed events on their way again.' })

export type CreateWebhookBody = z.output<typeof createWebhookBody>
export type UpdateWebhookBody = z.output<typeof updateWebhookBody>
