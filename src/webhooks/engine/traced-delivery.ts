import { isTracing, traced } from '../../tracing.ts'
import type { ClaimedDelivery } from './claim.ts'
import type { Deliver, Outcome } from './deliver.ts'

const nameOf = ({ eventType, sellerId, webhookId, eventId, attemptsMade }: ClaimedDelivery) => ({
  'webhook.event_type': eventType,
  'webhook.event_id': eventId,
  'webhook.id': webhookId,
  'webhook.attempt': attemptsMade + 1,
  'seller.id': sellerId,
})

const fieldsOf = ({ result, responseStatus }: Outcome) => ({
  'webhook.result': result,
  ...(responseStatus === null ? {} : { 'http.response.status_code': responseStatus }),
})

/**
 * Sends one delivery as part of the trace that its event belongs to. Neither the receiver's address, which may hold
 * secrets, nor anything it was sent is in the span, and the receiver is not told of the trace.
 */
export const tracedDelivery = async (delivery: ClaimedDelivery, deliver: Deliver): Promise<Outcome> => {
  if (!isTracing()) return deliver(delivery)
  const parent = delivery.trace ?? undefined
  return traced({ name: 'webhook delivery', kind: 'client', parent, fields: nameOf(delivery) }, async (span) => {
    const outcome = await deliver(delivery)
    span?.note(fieldsOf(outcome))
    if (outcome.kind === 'failed') span?.fail(outcome.result)
    return outcome
  })
}
