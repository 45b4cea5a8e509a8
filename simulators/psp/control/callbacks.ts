import { z } from 'zod'
import type { Bank } from '../bank.ts'
import { type Callback, callbackUrl, forge, listCallbacks, releaseHeld } from '../callbacks.ts'
import { isoOf } from '../clock.ts'
import { findWebhook } from '../standard/webhooks.ts'
import { about, type ControlServer, merchantBy, missing } from './operation.ts'

const forgeBody = z.strictObject({
  merchant: z.string().max(60).optional(),
  /** Where to; the address that is registered for the merchant's first key where nothing is said. */
  url: z.url().optional(),
  body: z.unknown(),
})

const callbackView = (callback: Callback): Record<string, unknown> => ({
  id: callback.id,
  merchant: callback.merchant_id,
  key: callback.key,
  url: callback.url,
  body: JSON.parse(callback.body),
  state: callback.state,
  createdAt: isoOf(callback.created_at),
  dueAt: callback.due_at === null ? null : isoOf(callback.due_at),
  attempts: callback.attempts,
  lastStatus: callback.last_status,
  lastError: callback.last_error,
})

/** What was and will be told to merchants. */
export const callbackControls = (app: ControlServer, bank: Bank): void => {
  app.get(
    '/control/callbacks',
    {
      ...about('the latest callbacks and what became of them: ?merchant='),
      schema: { querystring: z.object({ merchant: z.string().optional() }) },
    },
    async (request) => ({ callbacks: listCallbacks(bank, request.query.merchant).map(callbackView) }),
  )

  app.post(
    '/control/callbacks',
    { ...about('sends a forged callback: {merchant?, url?, body}'), schema: { body: forgeBody } },
    async (request, reply) => {
      const { merchant: id, url, body } = request.body
      const merchant = merchantBy(bank, id)
      const registered = findWebhook(bank, merchant.keys[0] ?? '')?.url
      if (url === undefined && registered === undefined) throw missing(`webhook of ${merchant.id}`)
      reply.code(202)
      return { id: forge(bank, merchant.id, url ?? callbackUrl(registered ?? ''), body) }
    },
  )

  app.post('/control/callbacks/release', about('lets go what faults hold back'), async () => ({
    released: releaseHeld(bank),
  }))
}
