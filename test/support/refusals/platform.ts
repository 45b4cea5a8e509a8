import { randomUUID } from 'node:crypto'
import { callBack, paidNotification } from '../callbacks.ts'
import { registerSeller } from '../factories.ts'
import { createPayment } from '../payments.ts'
import { newWebhook } from '../webhooks.ts'
import { ok, type Refusal, type Refusals, type World } from './world.ts'

const FEE = { method: 'pix', percentage: 1, fixedAmount: 0, minAmount: null, maxAmount: null, settlementDays: 1 }

const newFee = async ({ app, admin }: World) => {
  const body = { ...FEE, sellerId: (await registerSeller(app)).id }
  return { body, fee: ok(await app.api.post('fees', { token: admin, body })) }
}

const replayProcessed =
  (path: string): Refusal =>
  async ({ app, admin, seller }) => {
    await callBack(app, [paidNotification((await createPayment(app, seller)).id)])
    const [event] = ok(await app.api.get('admin/provider-events?status=processed', { token: admin })).data
    return app.api.post(`${path}/${event.id}/replay`, { token: admin })
  }

const URL = 'http://127.0.0.1:9/hooks'

export const platformRefusals: Refusals = {
  'POST /callbacks/{provider} callback.signature_invalid': ({ app }) =>
    app.api.post('/callbacks/sandbox', { body: '{}', headers: { 'sandbox-signature': 't=1,v1=00' } }),
  'POST /fees fee.overlaps': async (world) => {
    const { body } = await newFee(world)
    return world.app.api.post('fees', { token: world.admin, body })
  },
  'POST /fees fee.seller_not_found': ({ app, admin }) =>
    app.api.post('fees', { token: admin, body: { ...FEE, sellerId: randomUUID() } }),
  'PUT /fees/{id} fee.overlaps': async ({ app, admin }) => {
    const { id: sellerId } = await registerSeller(app)
    const band = (from: number, to: number) => ({
      ...FEE,
      sellerId,
      method: 'credit_card',
      installmentsFrom: from,
      installmentsTo: to,
    })
    ok(await app.api.post('fees', { token: admin, body: band(1, 1) }))
    const { id } = ok(await app.api.post('fees', { token: admin, body: band(2, 6) }))
    return app.api.put(`fees/${id}`, { token: admin, body: band(1, 6) })
  },
  'PUT /fees/{id} fee.closed': async (world) => {
    const { body, fee } = await newFee(world)
    const put = () => world.app.api.put(`fees/${fee.id}`, { token: world.admin, body: { ...body, isActive: false } })
    ok(await put())
    return put()
  },
  'PUT /fees/{id} fee.scope_fixed': async (world) => {
    const { body, fee } = await newFee(world)
    return world.app.api.put(`fees/${fee.id}`, { token: world.admin, body: { ...body, sellerId: null } })
  },
  'POST /seller-webhooks webhook.limit_reached': async ({ app }) => {
    const seller = await registerSeller(app)
    for (let made = 0; made < 10; made += 1) await newWebhook(app, seller, URL)
    return app.api.post('seller-webhooks', { token: seller.token, body: { url: URL } })
  },
  'POST /seller-webhooks/{id}/test webhook.not_enabled': async ({ app, seller }) => {
    const id = await newWebhook(app, seller, URL)
    await app.api.patch(`seller-webhooks/${id}`, { token: seller.token, body: { status: 'paused' } })
    return app.api.post(`seller-webhooks/${id}/test`, { token: seller.token })
  },
  'POST /seller-webhooks/{id}/recover webhook.recovery_running': async ({ app, seller }) => {
    const id = await newWebhook(app, seller, URL)
    const recover = (hours: number) => {
      const since = new Date(Date.now() - hours * 3_600_000).toISOString()
      return app.api.post(`seller-webhooks/${id}/recover`, { token: seller.token, body: { since } })
    }
    ok(await recover(1))
    return recover(2)
  },
  'POST /seller-webhooks/{id}/deliveries/{deliveryId}/resend webhook_delivery.not_found': async ({ app, seller }) => {
    const id = await newWebhook(app, seller, URL)
    return app.api.post(`seller-webhooks/${id}/deliveries/${randomUUID()}/resend`, { token: seller.token })
  },
  'POST /admin/provider-events/{id}/replay provider_event.already_processed': replayProcessed('admin/provider-events'),
  'POST /admin/webhook-events/{id}/replay provider_event.already_processed': replayProcessed('admin/webhook-events'),
}
