import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Callback } from '../provider.port.ts'

/** Older signatures are refused, so that a recorded callback cannot be sent again much later. Real time, not the platform's. */
const TOLERANCE_MS = 5 * 60_000

export const SIGNATURE_HEADER = 'x-sandbox-signature'

/**
 * The secret shared with the simulated acquirer, derived so that every process of one platform has the same. A key that is
 * made once signs in a sixth of the time that its bytes take.
 */
export const sandboxSecret = (encryptionKey: string): KeyObject =>
  createSecretKey(createHmac('sha256', encryptionKey).update('sandbox callbacks').digest())

const mac = (secret: KeyObject, timestampMs: number, body: string): Buffer =>
  createHmac('sha256', secret).update(`${timestampMs}.${body}`).digest()

/** The header value of a signed callback: `t=<Unix milliseconds>,v1=<HMAC-SHA256 of "t.body" in hex>`. */
export const signSandboxCallback = (secret: KeyObject, body: string, atMs: number): string =>
  `t=${atMs},v1=${mac(secret, atMs, body).toString('hex')}`

/** Whether the simulated acquirer signed this callback, with one of these secrets, within the last five minutes. */
export const isSandboxCallback = (
  secrets: readonly KeyObject[],
  { headers, body }: Callback,
  atMs: number,
): boolean => {
  const header = headers[SIGNATURE_HEADER]
  const match = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/.exec(typeof header === 'string' ? header : '')
  if (match === null) return false
  const timestampMs = Number(match[1])
  if (Math.abs(atMs - timestampMs) > TOLERANCE_MS) return false
  const given = Buffer.from(match[2] ?? '', 'hex')
  return secrets.some((secret) => timingSafeEqual(given, mac(secret, timestampMs, body)))
}
