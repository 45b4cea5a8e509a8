import { defineErrors } from '../../errors.ts'

export const webhookErrors = defineErrors('webhook', {
  not_found: [404, 'No webhook has this id.'],
  limit_reached: [422, 'This account has as many webhooks as it may have. Delete one first.'],
  not_enabled: [409, 'This webhook is paused or disabled: nothing is sent to it. Enable it first.'],
  recovery_running: [409, 'A recovery of this webhook from another time is still running. Wait until it has finished.'],
})

export const webhookDeliveryErrors = defineErrors('webhook_delivery', {
  not_found: [404, 'No delivery of this webhook has this id.'],
})
