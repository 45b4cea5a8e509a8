import { hash, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../clock.ts'
import type { SecretBox } from '../../crypto/secret-box.ts'
import { retryAfterMs } from '../../domain/webhook-retry.ts'
import type { OutboundResult, SafeClient } from '../../outbound/safe-client.ts'
import { signingKey, signWebhook } from '../signature.ts'
import type { PreviousSecret } from '../webhooks.tables.ts'
import type { ClaimedDelivery } from './claim.ts'

export type DeliverDependencies = {
  client: Pick<SafeClient, 'post'>
  secretBox: SecretBox
  /** Real time: receivers compare it with theirs. */
  wallClock: Clock
  deadlineMs: number
}

/** What one attempt brought. */
export type Outcome = {
  kind: 'succeeded' | 'failed' | 'gone'
  /** `succeeded`, `rejected` or the reason of a call that got no answer. */
  result: string
  /** No working server answered. */
  unreachable: boolean
  responseStatus: number | null
  responseSnippet: string | null
  durationMs: number
  /** Of the bytes that were sent, in hexadecimal. */
  bodySha256: string
  /** The receiver's wish: not before this time has passed. */
  retryAfterMs: number
}

const USER_AGENT = 'payment-platform-webhooks/1'
const GONE = 410
const TOO_MANY_REQUESTS = 429

const isStillValid =
  (now: Date) =>
  ({ validUntil }: PreviousSecret): boolean =>
    Date.parse(validUntil) > now.getTime()

/** Only 2xx is success: a redirect is not followed, and 410 asks never to be called again (Standard Webhooks 1.0.0). */
export const outcomeOf = (answer: OutboundResult, now: Date): Omit<Outcome, 'bodySha256'> => {
  const { durationMs } = answer
  if (answer.kind === 'failure') {
    const nothing = { responseStatus: null, responseSnippet: null, retryAfterMs: 0 }
    return { kind: 'failed', result: answer.reason, unreachable: true, durationMs, ...nothing }
  }
  const { status, bodySnippet, headers } = answer
  const succeeded = status >= 200 && status < 300
  return {
    kind: succeeded ? 'succeeded' : status === GONE ? 'gone' : 'failed',
    result: succeeded ? 'succeeded' : 'rejected',
    unreachable: status >= 500 || status === TOO_MANY_REQUESTS,
    responseStatus: status,
    responseSnippet: bodySnippet,
    durationMs,
    retryAfterMs: retryAfterMs(headers.retryAfter, now) ?? 0,
  }
}

const KEYS_MAX = 10_000

/** Opens each sealed secret once: another seal is another secret, so that nothing here goes out of date. */
const createKeys = (secretBox: SecretBox) => {
  const keys = new LRUCache<string, KeyObject>({ max: KEYS_MAX })
  return (sealed: string): KeyObject => {
    const known = keys.get(sealed)
    if (known !== undefined) return known
    const key = signingKey(secretBox.open(sealed))
    keys.set(sealed, key)
    return key
  }
}

/** Sends one delivery once: the stored text byte for byte, signed for this moment with every secret that is valid. */
export const createDeliver = ({ client, secretBox, wallClock, deadlineMs }: DeliverDependencies) => {
  const keyOf = createKeys(secretBox)
  return async ({ eventId, body, endpoint }: ClaimedDelivery): Promise<Outcome> => {
    const now = wallClock.now()
    const previous = endpoint.previousSecrets.filter(isStillValid(now)).map(({ sealed }) => sealed)
    const keys = [endpoint.secretSealed, ...previous].map(keyOf)
    const timestampSeconds = Math.floor(now.getTime() / 1_000)
    // One encoding for all three: what is signed is what is sent and what the log says was sent.
    const bytes = Buffer.from(body)
    const headers = {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'webhook-id': eventId,
      'webhook-timestamp': String(timestampSeconds),
      'webhook-signature': signWebhook({ id: eventId, timestampSeconds, body: bytes, keys }),
    }
    const answer = await client.post({ url: endpoint.url, headers, body: bytes, deadlineMs })
    return { ...outcomeOf(answer, wallClock.now()), bodySha256: hash('sha256', bytes) }
  }
}

export type Deliver = ReturnType<typeof createDeliver>
