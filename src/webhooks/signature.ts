import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** A signing secret in the form of Standard Webhooks 1.0.0: `whsec_` and the base64 of 32 random bytes. */
export const newWebhookSecret = (): string => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/** The key that a secret stands for. Made once and kept: making it costs five times as much as signing with it. */
export const signingKey = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))

export type SignedMessage = {
  /** The event's id, the same on every attempt. Holds no full stop. */
  id: string
  /** Unix time of the attempt. */
  timestampSeconds: number
  /** Exactly the bytes that are sent. */
  body: Buffer | string
  /** Of the current secret and, during a rotation, of the ones before it. */
  keys: readonly KeyObject[]
}

/**
 * The value of `webhook-signature` (Standard Webhooks 1.0.0, symmetric scheme `v1`): for each key the HMAC-SHA256
 * of `id.timestamp.body`, separated by spaces. The receiver accepts the message when any of them fits.
 */
export const signWebhook = ({ id, timestampSeconds, body, keys }: SignedMessage): string =>
  keys
    .map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.`).update(body).digest('base64')}`)
    .join(' ')
