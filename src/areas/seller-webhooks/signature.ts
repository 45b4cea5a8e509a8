import { createHmac, randomBytes } from 'node:crypto'

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** A signing secret in the form of Standard Webhooks 1.0.0: `whsec_` and the base64 of 32 random bytes. */
export const newWebhookSecret = (): string => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')

export type SignedMessage = {
  /** The event's id, the same on every attempt. Holds no full stop. */
  id: string
  /** Unix time of the attempt. */
  timestampSeconds: number
  /** Exactly the bytes that are sent. */
  body: Buffer | string
  /** The current secret and, during a rotation, the ones before it. */
  secrets: readonly string[]
}

/**
 * The value of `webhook-signature` (Standard Webhooks 1.0.0, symmetric scheme `v1`): for each secret the HMAC-SHA256
 * of `id.timestamp.body`, separated by spaces. The receiver accepts the message when any of them fits.
 */
export const signWebhook = ({ id, timestampSeconds, body, secrets }: SignedMessage): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.`).update(body).digest('base64')}`
    })
    .join(' ')
