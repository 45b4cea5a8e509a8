import type { Clock } from '../../clock.ts'
import { invariant } from '../../domain/invariant.ts'
import { afterFailure, HEALTHY, isGivenUp } from '../../domain/webhook-breaker.ts'
import { nextAttemptAt } from '../../domain/webhook-retry.ts'
import type { NewId } from '../../ids.ts'
import type { Repositories, Transact } from '../../repositories.ts'
import { webhookView } from '../api/seller-webhooks.view.ts'
import type { ClaimedDelivery } from './claim.ts'
import type { Outcome } from './deliver.ts'
import type { DeliveryResult, EndpointResult, LockedEndpoint } from './webhook-queues.repository.ts'

export type RecordEndsDependencies = {
  transact: Transact
  clock: Clock
  newId: NewId
  /** From 0 up to but not 1: spreads retries. */
  random: () => number
}

/** How a lease ends: with what its attempt brought, or given back unsent after a pause. */
export type LeaseEnd = { delivery: ClaimedDelivery } & ({ outcome: Outcome } | { returnAfterMs: number })

const EPOCH = new Date(0)

const statusAfter = ({ kind }: Outcome, delayMs: number | null): DeliveryResult['status'] => {
  if (kind === 'succeeded') return 'succeeded'
  return delayMs === null ? 'failed' : 'pending'
}

const delayAfter = (attemptsMade: number, outcome: Outcome, random: () => number): number | null => {
  if (outcome.kind === 'succeeded') return null
  // Counted from the epoch, because only the database's clock decides when that is.
  return nextAttemptAt(attemptsMade, EPOCH, random, outcome.retryAfterMs)?.getTime() ?? null
}

type Judged = EndpointResult & { disabledReason: 'gone' | 'failing' | null }

const judge = ({ sellerId, webhookId, status, health, now }: LockedEndpoint, outcomes: readonly Outcome[]): Judged => {
  const after = outcomes.reduce(
    (known, { kind, unreachable }) => (kind === 'succeeded' ? HEALTHY : afterFailure(known, unreachable, now)),
    health,
  )
  const reason = outcomes.some(({ kind }) => kind === 'gone') ? 'gone' : isGivenUp(after, now) ? 'failing' : null
  const succeeded = outcomes.some(({ kind }) => kind === 'succeeded')
  const lastFailure = outcomes.findLast(({ kind }) => kind !== 'succeeded') ?? null
  return {
    sellerId,
    webhookId,
    health: after,
    succeeded,
    lastFailure,
    disabledReason: status === 'enabled' ? reason : null,
  }
}

/**
 * Ends leases in one transaction: the attempts' log, the deliveries, and how their endpoints fare. A lease that is no
 * longer ours changes nothing. Answers how many those were.
 */
export const createRecordEnds = ({ transact, clock, newId, random }: RecordEndsDependencies) => {
  const resultOf = (end: LeaseEnd): DeliveryResult => {
    const { id, sellerId, webhookId, leaseToken, attemptsMade } = end.delivery
    const key = { id, sellerId, webhookId, leaseToken }
    if ('returnAfterMs' in end) {
      return { ...key, status: 'pending', delayMs: end.returnAfterMs, attemptsMade, attempt: null }
    }
    const { result, responseStatus, responseSnippet, durationMs, bodySha256 } = end.outcome
    const delayMs = delayAfter(attemptsMade + 1, end.outcome, random)
    const status = statusAfter(end.outcome, delayMs)
    const attempt = { id: newId(), result, responseStatus, responseSnippet, durationMs, bodySha256 }
    return { ...key, status, delayMs, attemptsMade: attemptsMade + 1, attempt }
  }

  const disable = async (tx: Repositories, { sellerId, webhookId, disabledReason }: Judged): Promise<void> => {
    if (disabledReason === null) return
    const now = clock.now()
    const changes = { status: 'disabled', statusReason: disabledReason } as const
    const webhook = await tx.sellerWebhooks.update(sellerId, webhookId, changes, now)
    invariant(webhook, 'a locked webhook is gone')
    await tx.events.add([{ type: 'webhook.disabled', sellerId, data: webhookView(webhook) }], now)
  }

  return (ends: readonly LeaseEnd[]): Promise<number> => {
    const results = ends.map(resultOf)
    return transact(async (tx) => {
      const endpoints = await tx.webhookQueues.lock(results)
      const recorded = await tx.webhookQueues.record(results)
      const ours = ends.filter(({ delivery }) => recorded.has(delivery.id))
      const byEndpoint = Map.groupBy(ours, ({ delivery }) => delivery.webhookId)
      const judged = endpoints.map((endpoint) => {
        const recorded = byEndpoint.get(endpoint.webhookId) ?? []
        return judge(
          endpoint,
          recorded.flatMap((one) => ('outcome' in one ? [one.outcome] : [])),
        )
      })
      await tx.webhookQueues.updateHealth(judged)
      for (const endpoint of judged) await disable(tx, endpoint)
      return ends.length - ours.length
    })
  }
}

export type RecordEnds = ReturnType<typeof createRecordEnds>
