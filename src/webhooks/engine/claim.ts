import { IN_FLIGHT_MAX, inFlightMax } from '../../domain/webhook-breaker.ts'
import type { NewId } from '../../ids.ts'
import type { Reads, Transact } from '../../repositories.ts'
import type { DueEndpoint, LeasedDelivery } from './webhook-queues.repository.ts'

type Dependencies = {
  read: Pick<Reads, 'webhookQueues'>
  transact: Transact
  newId: NewId
  workerId: string
  leaseMs: number
  /** How many deliveries of an endpoint are worth holding, by how fast it has answered lately. */
  paceOf: (webhookId: string) => number
}

/** A delivery that this worker alone may send, until its lease ends. */
export type ClaimedDelivery = LeasedDelivery & {
  endpoint: DueEndpoint
  leaseToken: string
  /** By performance.now(). */
  leasedUntilMs: number
}

const ENDPOINTS_MAX = 250

/** Takes due deliveries, each endpoint's in turn, never more of one than may be under way to it. */
export const createClaim = ({ read, transact, newId, workerId, leaseMs, paceOf }: Dependencies) => {
  const claimLocked = (limit: number, token: string) =>
    transact(async (tx) => {
      const endpoints = await tx.webhookQueues.lockDue(Math.min(limit, ENDPOINTS_MAX))
      if (endpoints.length === 0) return []
      const rooms = endpoints.map(({ sellerId, webhookId, health }) => {
        const sharedMax = inFlightMax(health)
        return { sellerId, webhookId, sharedMax, ownMax: sharedMax < IN_FLIGHT_MAX ? sharedMax : paceOf(webhookId) }
      })
      const leased = await tx.webhookQueues.lease(rooms, { token, workerId, leaseMs }, limit)
      await tx.webhookQueues.updateDue(rooms, workerId)
      const byId = new Map(endpoints.map((endpoint) => [endpoint.webhookId, endpoint]))
      return leased.flatMap((delivery) => {
        const endpoint = byId.get(delivery.webhookId)
        return endpoint === undefined ? [] : [{ ...delivery, endpoint }]
      })
    })

  /** At most `limit` deliveries. */
  return async (limit: number): Promise<ClaimedDelivery[]> => {
    if (limit <= 0 || !(await read.webhookQueues.findDue())) return []
    // From before the claim, so that we never believe in a lease that the database has already ended.
    const leasedUntilMs = performance.now() + leaseMs
    const leaseToken = newId()
    const claimed = await claimLocked(limit, leaseToken)
    return claimed.map((delivery) => ({ ...delivery, leaseToken, leasedUntilMs }))
  }
}

export type Claim = ReturnType<typeof createClaim>
