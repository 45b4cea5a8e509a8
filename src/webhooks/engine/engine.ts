import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../clock.ts'
import type { SecretBox } from '../../crypto/secret-box.ts'
import type { NewId } from '../../ids.ts'
import type { SafeClient } from '../../outbound/safe-client.ts'
import type { Reads, Transact } from '../../repositories.ts'
import { createClaim } from './claim.ts'
import { createFanOut, type FollowEvents } from './fan-out.ts'
import { createRecover } from './recover.ts'
import { createSender } from './sender.ts'
import type { PaceUnproven } from './unproven-pace.ts'

export type WebhookEngineDependencies = {
  read: Pick<Reads, 'events' | 'webhookQueues'>
  transact: Transact
  clock: Clock
  wallClock: Clock
  newId: NewId
  secretBox: SecretBox
  client: SafeClient
  /** What else follows from events; absent: nothing. */
  followEvents?: FollowEvents
  logger: Pick<FastifyBaseLogger, 'error'>
  paceUnproven: PaceUnproven
  /** From the call to the end of the answer. */
  deadlineMs?: number
  /** How long a claim holds: longer than a call may take, so that nobody sends beside us. */
  leaseMs?: number
  /** From 0 up to but not 1: spreads retries. */
  random?: () => number
}

const DEADLINE_MS = 15_000
const LEASE_MARGIN_MS = 15_000
const HELD_MAX = 1_000
const RECORD_MS = 1_000

/** Turns events into deliveries and sends them. Any number of these, in any processes, share the work. */
export const createWebhookEngine = (dependencies: WebhookEngineDependencies) => {
  const { newId, client, deadlineMs = DEADLINE_MS, random = Math.random } = dependencies
  const leaseMs = dependencies.leaseMs ?? deadlineMs + LEASE_MARGIN_MS
  const sender = createSender({ ...dependencies, deadlineMs, random })
  const fanOut = createFanOut(dependencies)
  const recover = createRecover(dependencies)
  const claim = createClaim({ ...dependencies, workerId: newId(), leaseMs, paceOf: sender.paceOf })
  let stopping = false

  /** Waits until nothing claimed is left unrecorded. */
  const idle = (): Promise<void> =>
    new Promise((resolve) => {
      const look = () => {
        if (sender.heldCount() > 0) return
        unsubscribe()
        resolve()
      }
      const unsubscribe = sender.subscribe(look)
      look()
    })

  /** Claims what there is room for and begins to send it. Answers how many deliveries that were. */
  const claimAndSend = async (): Promise<number> => {
    if (stopping) return 0
    const claimed = await claim(HELD_MAX - sender.heldCount())
    sender.add(claimed)
    return claimed.length
  }

  return {
    fanOut,
    recover,
    claimAndSend,
    counts: sender.counts,
    inFlightCount: sender.activeCount,
    /** Called whenever recorded deliveries may have made room for others. Answers the function that ends it. */
    onRecorded: sender.subscribe,

    /** One batch of everything, sent and recorded. Answers how much was done: 0 when there is nothing left to do. */
    async runOnce(): Promise<number> {
      const events = await fanOut.runOnce()
      const recoveries = await recover.runOnce()
      const deliveries = await claimAndSend()
      await idle()
      return events + recoveries + deliveries
    },

    /**
     * Gives back what is not yet sent and waits for the calls under way, at most `withinMs`: what is not recorded by then
     * becomes due when its lease ends. The engine cannot be used afterwards.
     */
    async stop(withinMs: number = deadlineMs + RECORD_MS): Promise<void> {
      stopping = true
      sender.stop()
      const giveUp = new AbortController()
      await Promise.race([idle(), wait(withinMs, undefined, { signal: giveUp.signal }).catch(() => undefined)])
      giveUp.abort()
      sender.abandon()
      const closing = client.close()
      if (sender.heldCount() === 0) await closing
    },
  }
}

export type WebhookEngine = ReturnType<typeof createWebhookEngine>
