import { createHash } from 'node:crypto'
import type { Services } from '../../src/compose.ts'
import type { Actor } from '../../src/domain/actor.ts'
import type { Idempotency } from '../../src/idempotency/once.ts'
import type { DemoClock } from './demo-clock.ts'
import type { Shop } from './shops.ts'
import type { WebhookReceiver } from './webhook-receiver.ts'

/** What every part of the story is told with. */
export type Demo = {
  services: Services
  sandbox: NonNullable<Services['sandbox']>
  clock: DemoClock
  admin: Actor
  receiver: WebhookReceiver
}

/** A seller who has registered. */
export type DemoSeller = { shop: Shop; actor: Actor; companyId: string; customerIds: string[] }

/** Acts as a person who logged in. */
export const personOf = (userId: string, role: Actor['role']): Actor => ({
  userId,
  role,
  accessRole: 'owner',
  sellerId: userId,
  sessionId: null,
  provedAt: new Date(),
  hasSecondFactor: false,
  hasMadeUpPassword: false,
  scopes: 'all',
})

/** Names a request after what it is for, as a seller's own server would. */
export const keyOf = ({ userId }: Actor, operation: string, key: string): Idempotency => ({
  ownerId: userId,
  operation,
  key,
  requestHash: createHash('sha256').update(key).digest('hex'),
  requestId: key,
  replayed: false,
})

type Job = { runOnce(): Promise<number> }

/** Runs jobs, one after the other, until nothing is due at the demo's time. */
export const runJobs = async (jobs: readonly Job[]): Promise<void> => {
  for (const job of jobs) {
    while ((await job.runOnce()) > 0);
  }
}
