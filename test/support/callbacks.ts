import { centavos } from '../../src/domain/money.ts'
import type { ChargeState, Notice } from '../../src/providers/provider.port.ts'
import { sandboxCallbackBody } from '../../src/providers/sandbox/sandbox.callbacks.ts'
import { SIGNATURE_HEADER, sandboxSecret, signSandboxCallback } from '../../src/providers/sandbox/sandbox.signature.ts'
import type { TestApp } from './app.ts'

/** What the acquirer would say about a payment. */
export const chargeNotice = (paymentId: string, state: ChargeState): Notice => ({
  kind: 'charge',
  reference: paymentId.replaceAll('-', ''),
  state,
})

export const paidNotice = (paymentId: string, amount = 10_000, endToEndId: string | null = null): Notice =>
  chargeNotice(paymentId, { status: 'paid', paidAmount: centavos(amount), endToEndId })

/** The body and headers of a callback that the simulated acquirer signed. */
export const signedCallback = (app: TestApp, notices: readonly Notice[], atMs = Date.now()) => {
  const body = sandboxCallbackBody(app.services.newId(), notices)
  const secret = sandboxSecret(app.config.encryptionKey)
  return {
    body,
    headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signSandboxCallback(secret, body, atMs) },
  }
}

/** Sends a callback over HTTP and waits until it has been worked on. */
export const callBack = async (app: TestApp, notices: readonly Notice[]) => {
  const { body, headers } = signedCallback(app, notices)
  const answer = await app.api.post('/callbacks/sandbox', { body, headers })
  await app.services.providerEvents.idle()
  return answer
}

export const lastProviderEvent = async (app: TestApp) => {
  const { rows } = await app.sql.query('select * from provider_events order by id desc limit 1')
  return rows[0]
}
