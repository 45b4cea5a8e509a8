import fc from 'fast-check'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { newWebhookSecret, signingKey, signWebhook } from '../../src/webhooks/signature.ts'

const nowSeconds = () => Math.floor(Date.now() / 1_000)

const headersOf = (id: string, timestampSeconds: number, signature: string) => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestampSeconds),
  'webhook-signature': signature,
})

test("the signature of the specification's example is reproduced", () => {
  const signature = signWebhook({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestampSeconds: 1_614_265_330,
    body: '{"test": 2432232314}',
    keys: [signingKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')],
  })
  expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('a secret is whsec_ and 32 fresh random bytes', () => {
  const secrets = Array.from({ length: 100 }, newWebhookSecret)
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
  }
  expect(new Set(secrets).size).toBe(100)
})

test('the public library verifies every body, as text and as bytes', () => {
  const body = fc.oneof(
    fc.json(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('', '🧾 ação', ' \n', 'x'.repeat(256 * 1024)),
  )
  fc.assert(
    fc.property(body, fc.uuid({ version: 7 }), (text, id) => {
      const secret = newWebhookSecret()
      const timestampSeconds = nowSeconds()
      const message = { id, timestampSeconds, keys: [signingKey(secret)] }
      const signature = signWebhook({ ...message, body: Buffer.from(text) })
      expect(signWebhook({ ...message, body: text })).toBe(signature)
      const verify = () =>
        new Webhook(secret).verify(text, headersOf(id, timestampSeconds, signature), { jsonParse: false })
      expect(verify).not.toThrow()
    }),
  )
})

test('during a rotation both secrets verify, after it the old one does not', () => {
  const [current, previous] = [newWebhookSecret(), newWebhookSecret()]
  const message = { id: 'evt_1', timestampSeconds: nowSeconds(), body: '{}' }
  const verifies = (secret: string, signature: string) => {
    new Webhook(secret).verify(message.body, headersOf(message.id, message.timestampSeconds, signature))
    return true
  }
  const both = signWebhook({ ...message, keys: [current, previous].map(signingKey) })
  expect(both.split(' ')).toHaveLength(2)
  expect([verifies(current, both), verifies(previous, both)]).toEqual([true, true])

  const after = signWebhook({ ...message, keys: [signingKey(current)] })
  expect(verifies(current, after)).toBe(true)
  expect(() => verifies(previous, after)).toThrow(WebhookVerificationError)
})

test('the id, the time and the body are all under the signature', () => {
  const secret = newWebhookSecret()
  const message = { id: 'evt_1', timestampSeconds: nowSeconds(), body: '{"amount":1}', keys: [signingKey(secret)] }
  const signature = signWebhook(message)
  const verify = (id: string, timestampSeconds: number, body: string) => () =>
    new Webhook(secret).verify(body, headersOf(id, timestampSeconds, signature))
  expect(verify(message.id, message.timestampSeconds, message.body)).not.toThrow()
  expect(verify('evt_2', message.timestampSeconds, message.body)).toThrow(WebhookVerificationError)
  expect(verify(message.id, message.timestampSeconds - 1, message.body)).toThrow(WebhookVerificationError)
  expect(verify(message.id, message.timestampSeconds, '{"amount":2}')).toThrow(WebhookVerificationError)
})
