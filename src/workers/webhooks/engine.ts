import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../clock.ts'
import type { SecretBox } from '../../crypto/secret-box.ts'
import { IN_FLIGHT_MAX } from '../../domain/webhook-breaker.ts'
import type { NewId } from '../../ids.ts'
import type { SafeClient } from '../../outbound/safe-client.ts'
import type { Reads, Transact } from '../../repositories.ts'
import { type ClaimedDelivery, createClaim } from './claim.ts'
import { createDeliver, type Outcome } from './deliver.ts'
import { createFanOut } from './fan-out.ts'
import { createRecover } from './recover.ts'
import { createSendQueue } from './send-queue.ts'
import { createSettle, type Settlement } from './settle.ts'
import { createSettleBatches } from './settle-batches.ts'

export type WebhookEngineDependencies = {
  read: Pick<Reads, 'events' | 'webhookLanes'>
  transact: Transact
  clock: Clock
  wallClock: Clock
  newId: NewId
  secretBox: SecretBox
  client: SafeClient
  logger: Pick<FastifyBaseLogger, 'error'>
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
const LATER_MS = 30_000
const SETTLE_MS = 1_000

/** An endpoint that answers at once is handed this much work in advance, so that claiming does not slow it down. */
const HELD_IN_ADVANCE_MS = 250
const HELD_PER_ENDPOINT_MAX = 200
const PACES_MAX = 10_000

const paceAfter = ({ kind, durationMs }: Outcome): number => {
  if (kind !== 'succeeded') return IN_FLIGHT_MAX
  const fitting = Math.floor((IN_FLIGHT_MAX * HELD_IN_ADVANCE_MS) / Math.max(1, durationMs))
  return Math.min(Math.max(fitting, IN_FLIGHT_MAX), HELD_PER_ENDPOINT_MAX)
}

/** What this process has done so far and does now. */
export type EngineFigures = {
  /** Attempts by result: `succeeded`, `rejected` or what went wrong. */
  attempts: Record<string, number>
  /** Settlements that came after their lease had ended. */
  staleCount: number
}

type Sending = Pick<
  WebhookEngineDependencies,
  'secretBox' | 'client' | 'clock' | 'wallClock' | 'transact' | 'newId' | 'logger'
> & {
  deadlineMs: number
  random: () => number
}

/** Holds claimed deliveries from their claim until they are settled. */
const createSender = ({ deadlineMs, random, ...dependencies }: Sending) => {
  const { logger } = dependencies
  const paces = new LRUCache<string, number>({ max: PACES_MAX })
  const figures: EngineFigures = { attempts: {}, staleCount: 0 }
  const listeners = new Set<() => void>()
  let heldCount = 0
  let stopping = false
  let abandoned = false

  const tellListeners = (): void => {
    for (const listener of listeners) listener()
  }
  const deliver = createDeliver({ ...dependencies, deadlineMs })
  const settling = createSettleBatches({
    settle: createSettle({ ...dependencies, random }),
    logger,
    onSettled: (staleCount) => {
      figures.staleCount += staleCount
    },
  })

  const settle = (settlement: Settlement): void => {
    // The database may be gone by now: the lease ends by itself.
    if (abandoned) return
    void settling.add(settlement).then(() => {
      heldCount -= 1
      tellListeners()
    })
  }

  const send = async (delivery: ClaimedDelivery): Promise<void> => {
    const outlastsCall = delivery.leasedUntilMs - performance.now() > deadlineMs
    if (stopping || !outlastsCall) return settle({ delivery, returnAfterMs: 0 })
    try {
      const outcome = await deliver(delivery)
      paces.set(delivery.webhookId, paceAfter(outcome))
      figures.attempts[outcome.result] = (figures.attempts[outcome.result] ?? 0) + 1
      settle({ delivery, outcome })
    } catch (error) {
      // Our own fault, a secret that cannot be opened perhaps: no attempt of the receiver's is burnt for it.
      logger.error({ err: error, webhookId: delivery.webhookId }, 'a webhook delivery could not be sent')
      settle({ delivery, returnAfterMs: LATER_MS })
    }
  }
  const queue = createSendQueue({ perEndpointMax: IN_FLIGHT_MAX, send })

  return {
    figures,
    activeCount: queue.activeCount,
    heldCount: (): number => heldCount,
    /** How many deliveries of an endpoint are worth holding. */
    paceOf: (webhookId: string): number => paces.get(webhookId) ?? IN_FLIGHT_MAX,
    add: (claimed: readonly ClaimedDelivery[]): void => {
      heldCount += claimed.length
      queue.add(claimed)
    },
    /** Gives back everything that is not yet being sent, now and from now on. */
    stop: (): void => {
      stopping = true
      for (const delivery of queue.takeUnsent()) settle({ delivery, returnAfterMs: 0 })
    },
    /** Settles nothing that ends from now on. */
    abandon: (): void => {
      abandoned = true
    },
    /** Calls back whenever a delivery was settled. Answers the function that ends it. */
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Turns events into deliveries and sends them. Any number of these, in any processes, share the work. */
export const createWebhookEngine = (dependencies: WebhookEngineDependencies) => {
  const { newId, client, deadlineMs = DEADLINE_MS, random = Math.random } = dependencies
  const leaseMs = dependencies.leaseMs ?? deadlineMs + LEASE_MARGIN_MS
  const sender = createSender({ ...dependencies, deadlineMs, random })
  const fanOut = createFanOut(dependencies)
  const recover = createRecover(dependencies)
  const claim = createClaim({ ...dependencies, workerId: newId(), leaseMs, paceOf: sender.paceOf })
  let stopping = false

  /** Waits until nothing claimed is left unsettled. */
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
    figures: sender.figures,
    inFlightCount: sender.activeCount,
    /** Called whenever settled deliveries may have made room for others. Answers the function that ends it. */
    onSettled: sender.subscribe,

    /** One batch of everything, sent and settled. Answers how much was done: 0 when there is nothing left to do. */
    async runOnce(): Promise<number> {
      const events = await fanOut.runOnce()
      const recoveries = await recover.runOnce()
      const deliveries = await claimAndSend()
      await idle()
      return events + recoveries + deliveries
    },

    /**
     * Gives back what is not yet sent and waits for the calls under way, at most `withinMs`: what is not settled by then
     * becomes due when its lease ends. The engine cannot be used afterwards.
     */
    async stop(withinMs: number = deadlineMs + SETTLE_MS): Promise<void> {
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
