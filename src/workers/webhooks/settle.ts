import type { DeliveryResult, LaneResult } from '../../areas/seller-webhooks/webhook-lanes.repository.ts'
import { afterFailure, type EndpointHealth, HEALTHY, isGivenUp } from '../../domain/webhook-breaker.ts'
import { nextAttemptAt } from '../../domain/webhook-retry.ts'
import type { NewId } from '../../ids.ts'
import type { Transact } from '../../repositories.ts'
import type { ClaimedDelivery } from './claim.ts'
import type { Outcome } from './deliver.ts'

type Dependencies = { transact: Transact; newId: NewId; random: () => number }

/** How a lease ends: with what its attempt brought, or given back unsent after a pause. */
export type Settlement = { delivery: ClaimedDelivery } & ({ outcome: Outcome } | { returnAfterMs: number })

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

const laneAfter = (health: EndpointHealth, outcomes: readonly Outcome[], now: Date) => {
  const after = outcomes.reduce(
    (known, { kind, unreachable }) => (kind === 'succeeded' ? HEALTHY : afterFailure(known, unreachable, now)),
    health,
  )
  const reason = outcomes.some(({ kind }) => kind === 'gone') ? 'gone' : isGivenUp(after, now) ? 'failing' : null
  return { health: after, succeeded: outcomes.some(({ kind }) => kind === 'succeeded'), disabledReason: reason }
}

/**
 * Ends leases in one transaction: the attempts' log, the deliveries, and how their endpoints fare. A lease that is no
 * longer ours changes nothing. Answers how many those were.
 */
export const createSettle = ({ transact, newId, random }: Dependencies) => {
  const resultOf = (settlement: Settlement): DeliveryResult => {
    const { id, sellerId, webhookId, leaseToken, attemptsMade } = settlement.delivery
    const key = { id, sellerId, webhookId, leaseToken }
    if ('returnAfterMs' in settlement) {
      return { ...key, status: 'pending', delayMs: settlement.returnAfterMs, attemptsMade, attempt: null }
    }
    const { result, responseStatus, responseSnippet, durationMs } = settlement.outcome
    const delayMs = delayAfter(attemptsMade + 1, settlement.outcome, random)
    const status = statusAfter(settlement.outcome, delayMs)
    const attempt = { id: newId(), result, responseStatus, responseSnippet, durationMs }
    return { ...key, status, delayMs, attemptsMade: attemptsMade + 1, attempt }
  }

  return (settlements: readonly Settlement[]): Promise<number> => {
    const results = settlements.map(resultOf)
    return transact(async (tx) => {
      const lanes = await tx.webhookLanes.lock(results)
      const settled = await tx.webhookLanes.settle(results)
      const ours = settlements.filter(({ delivery }) => settled.has(delivery.id))
      const byLane = Map.groupBy(ours, ({ delivery }) => delivery.webhookId)
      const laneResults = lanes.map(({ sellerId, webhookId, health, now }): LaneResult => {
        const outcomes = (byLane.get(webhookId) ?? []).flatMap((one) => ('outcome' in one ? [one.outcome] : []))
        return { sellerId, webhookId, ...laneAfter(health, outcomes, now) }
      })
      await tx.webhookLanes.updateHealth(laneResults)
      return settlements.length - ours.length
    })
  }
}

export type Settle = ReturnType<typeof createSettle>
