import type { EventEntries } from '../../events/event-catalogue.ts'
import type { EventType } from '../../events/event-types.ts'
import { webhookResponse } from './seller-webhooks.schemas.ts'
import { webhookView } from './seller-webhooks.view.ts'

const CREATED_AT = new Date('2026-11-19T18:20:31.702Z')
const FAILING_SINCE = new Date('2026-11-21T13:05:58.120Z')
const DISABLED_AT = new Date('2026-11-26T13:06:44.310Z')

const webhook = {
  id: '01939f3e-8888-7b1e-9d6a-3f5b8c2d1e00',
  url: 'https://shop.example.com/webhooks',
  events: ['*'],
  description: 'Order system',
  status: 'enabled' as const,
  statusReason: null,
  failingSince: null,
  lastFailure: null,
  lastFailureStatus: null,
  breakerOpenUntil: null,
  nextDueAt: null,
  createdAt: CREATED_AT,
  updatedAt: CREATED_AT,
}

const data = { name: 'WebhookEventData', schema: webhookResponse }

/** Every event of a webhook itself, as the code that sends it makes it. */
export const webhookEvents: EventEntries<Extract<EventType, `webhook.${string}`>> = {
  'webhook.disabled': {
    description:
      'The platform stopped calling a webhook; `statusReason` says why. Nothing is lost: what waits for it is sent once it is enabled, and what ran out of attempts once it is recovered since `failingSince`.',
    data,
    example: webhookView({
      ...webhook,
      status: 'disabled',
      statusReason: 'failing',
      failingSince: FAILING_SINCE,
      lastFailure: 'rejected',
      lastFailureStatus: 503,
      updatedAt: DISABLED_AT,
    }),
    happenedAt: DISABLED_AT,
  },
  'webhook.test': {
    description: 'You asked for a test. It goes to that webhook alone, whatever its `events`.',
    data,
    example: webhookView(webhook),
    happenedAt: CREATED_AT,
  },
}
