import { webhookView } from '../../areas/seller-webhooks/seller-webhooks.view.ts'
import type { DeliveryResult, LaneResult, LockedLane } from '../../areas/seller-webhooks/webhook-lanes.repository.ts'
import type { Clock } from '../../clock.ts'
import { invariant } from '../../domain/invariant.ts'
import { afterFailure, HEALTHY, isGivenUp } from '../../domain/webhook-breaker.ts'
import { nextAttemptAt } from '../../domain/webhook-retry.ts'
import type { NewId } from '../../ids.ts'
import type { Repositories, Transact } from '../../repositories.ts'
import type { ClaimedDelivery } from './claim.ts'
import type { Outcome } from './deliver.ts'

type Dependencies = { transact: Transact; clock: Clock; newId: NewId; random: () => number }

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

type Judged = LaneResult & { disabledReason: 'gone' | 'failing' | null }

const judge = ({ sellerId, webhookId, status, health, now }: LockedLane, outcomes: readonly Outcome[]): Judged => {
  const after = outcomes.reduce(
    (known, { kind, unreachable }) => (kind === 'succeeded' ? HEALTHY : afterFailure(known, unreachable, now)),
    health,
  )
  const reason = outcomes.some(({ kind }) => kind === 'gone') ? 'gone' : isGivenUp(after, now) ? 'failing' : null
  const succeeded = outcomes.some(({ kind }) => kind === 'succeeded')
  return { sellerId, webhookId, health: after, succeeded, disabledReason: status === 'enabled' ? reason : null }
}

/**
 * Ends leases in one transaction: the attempts' log, the deliveries, and how their endpoints fare. A lease that is no
 * longer ours changes nothing. Answers how many those were.
 */
export const createSettle = ({ transact, clock, newId, random }: Dependencies) => {
  const resultOf = (settlement: Settlement): DeliveryResult => {
    const { id, sellerId, webhookId, leaseToken, attemptsMade } = settlement.delivery
    const key = { id, sellerId, webhookId, leaseToken }
    if ('returnAfterMs' in settlement) {
      return { ...key, status: 'pending', delayMs: settlement.returnAfterMs, attemptsMade, attempt: null }
    }
    const { result, responseStatus, responseSnippet, durationMs, bodySha256 } = settlement.outcome
    const delayMs = delayAfter(attemptsMade + 1, settlement.outcome, random)
    const status = statusAfter(settlement.outcome, delayMs)
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

  return (settlements: readonly Settlement[]): Promise<number> => {
    const results = settlements.map(resultOf)
    return transact(async (tx) => {
      const lanes = await tx.webhookLanes.lock(results)
      const settled = await tx.webhookLanes.settle(results)
      const ours = settlements.filter(({ delivery }) => settled.has(delivery.id))
      const byLane = Map.groupBy(ours, ({ delivery }) => delivery.webhookId)
      const judged = lanes.map((lane) => {
        const settled = byLane.get(lane.webhookId) ?? []
        return judge(
          lane,
          settled.flatMap((one) => ('outcome' in one ? [one.outcome] : [])),
        )
      })
      await tx.webhookLanes.updateHealth(judged)
      for (const lane of judged) await disable(tx, lane)
      return settlements.length - ours.length
    })
  }
}

export type Settle = ReturnType<typeof createSettle>
