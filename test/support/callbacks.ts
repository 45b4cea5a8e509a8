import { centavos } from '../../src/domain/money.ts'
import type { ChargeState, Notification } from '../../src/providers/provider.port.ts'
import { sandboxCallbackBody } from '../../src/providers/sandbox/sandbox.callbacks.ts'
import { SIGNATURE_HEADER, sandboxSecret, signSandboxCallback } from '../../src/providers/sandbox/sandbox.signature.ts'
import type { TestApp } from './app.ts'

/** What the acquirer would say about a payment. */
export const chargeNotification = (paymentId: string, state: ChargeState): Notification => ({
  kind: 'charge',
  reference: paymentId.replaceAll('-', ''),
  state,
})

export const paidNotification = (paymentId: string, amount = 10_000, endToEndId: string | null = null): Notification =>
  chargeNotification(paymentId, { status: 'paid', paidAmount: centavos(amount), endToEndId })

/** The body and headers of a callback that the simulated acquirer signed. */
export const signedCallback = (app: TestApp, notifications: readonly Notification[], atMs = Date.now()) => {
  const body = sandboxCallbackBody(app.services.newId(), notifications)
  const secret = sandboxSecret(app.config.encryptionKey)
  return {
    body,
    headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signSandboxCallback(secret, body, atMs) },
  }
}

/** Sends a callback over HTTP and waits until it has been worked on. */
export const callBack = async (app: TestApp, notifications: readonly Notification[]) => {
  const { body, headers } = signedCallback(app, notifications)
  const answer = await app.api.post('/callbacks/sandbox', { body, headers })
  await app.services.providerEvents.idle()
  return answer
}

export const lastProviderEvent = async (app: TestApp) => {
  const { rows } = await app.sql.query('select * from provider_events order by id desc limit 1')
  return rows[0]
}
