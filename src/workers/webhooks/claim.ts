import type { Lane, LeasedDelivery } from '../../areas/seller-webhooks/webhook-lanes.repository.ts'
import { IN_FLIGHT_MAX, inFlightMax } from '../../domain/webhook-breaker.ts'
import type { NewId } from '../../ids.ts'
import type { Reads, Transact } from '../../repositories.ts'

type Dependencies = {
  read: Pick<Reads, 'webhookLanes'>
  transact: Transact
  newId: NewId
  workerId: string
  leaseMs: number
  /** How many deliveries of an endpoint are worth holding, by how fast it has answered lately. */
  paceOf: (webhookId: string) => number
}

/** A delivery that this worker alone may send, until its lease ends. */
export type ClaimedDelivery = LeasedDelivery & {
  lane: Lane
  leaseToken: string
  /** By performance.now(). */
  leasedUntilMs: number
}

const LANES_MAX = 250

/** Takes due deliveries, each endpoint's in turn, never more of one than may be under way to it. */
export const createClaim = ({ read, transact, newId, workerId, leaseMs, paceOf }: Dependencies) => {
  const claimLocked = (limit: number, token: string) =>
    transact(async (tx) => {
      const lanes = await tx.webhookLanes.lockDue(Math.min(limit, LANES_MAX))
      if (lanes.length === 0) return []
      const rooms = lanes.map(({ sellerId, webhookId, health }) => {
        const sharedMax = inFlightMax(health)
        return { sellerId, webhookId, sharedMax, ownMax: sharedMax < IN_FLIGHT_MAX ? sharedMax : paceOf(webhookId) }
      })
      const leased = await tx.webhookLanes.lease(rooms, { token, workerId, leaseMs }, limit)
      await tx.webhookLanes.updateDue(rooms, workerId)
      const byId = new Map(lanes.map((lane) => [lane.webhookId, lane]))
      return leased.flatMap((delivery) => {
        const lane = byId.get(delivery.webhookId)
        return lane === undefined ? [] : [{ ...delivery, lane }]
      })
    })

  /** At most `limit` deliveries. */
  return async (limit: number): Promise<ClaimedDelivery[]> => {
    if (limit <= 0 || !(await read.webhookLanes.findDue())) return []
    // From before the claim, so that we never believe in a lease that the database has already ended.
    const leasedUntilMs = performance.now() + leaseMs
    const leaseToken = newId()
    const claimed = await claimLocked(limit, leaseToken)
    return claimed.map((delivery) => ({ ...delivery, leaseToken, leasedUntilMs }))
  }
}

export type Claim = ReturnType<typeof createClaim>
