import type { Clock } from '../../clock.ts'
import { toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import { NIL_UUID } from '../../domain/uuid.ts'
import { EVENTS_KEPT_MS } from '../../domain/webhook.ts'
import { requestErrors } from '../../errors.ts'
import type { Idempotency, Once } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { Reads, Repositories } from '../../repositories.ts'
import type { NewDelivery } from '../engine/webhook-deliveries.queries.ts'
import { webhookDeliveryErrors, webhookErrors } from './seller-webhooks.errors.ts'
import type { WebhookRow } from './seller-webhooks.repository.ts'
import type { DeliveriesQuery } from './seller-webhooks.schemas.ts'
import {
  type DeliveryView,
  deliveryView,
  type RecoveryView,
  recoveryView,
  webhookView,
} from './seller-webhooks.view.ts'

type Dependencies = {
  read: Pick<Reads, 'sellerWebhooks' | 'deliveryHistory'>
  once: Once<Repositories>
  clock: Clock
  newId: NewId
  /** Tells the delivery engine, after a commit. */
  notify: () => void
}

const getWebhook = (webhook: WebhookRow | undefined): WebhookRow => {
  if (webhook === undefined) throw webhookErrors.not_found()
  return webhook
}

const sinceFault = (code: string, message: string) =>
  requestErrors.failed({ errors: [{ in: 'body', path: 'since', code, message }] })

const refuseSince = (since: Date, now: Date): void => {
  if (since > now) throw sinceFault('too_big', 'must not be in the future')
  if (since.getTime() < now.getTime() - EVENTS_KEPT_MS) throw sinceFault('too_small', 'must be within the last 30 days')
}

const waiting = (delivery: NewDelivery): DeliveryView =>
  deliveryView(
    {
      ...delivery,
      status: 'pending',
      attemptsMade: 0,
      nextAttemptAt: delivery.createdAt,
      updatedAt: delivery.createdAt,
    },
    [],
  )

type Writing = Pick<Dependencies, 'once' | 'clock' | 'newId' | 'notify'>

const notifyAfter = async <Result>(work: Promise<Result>, notify: () => void): Promise<Result> => {
  const result = await work
  notify()
  return result
}

const createRecover = ({ once, clock, newId, notify }: Writing) => ({
  /**
   * Has every event since then sent again that this webhook listens to and has not received. Only that it is wanted is
   * written down here; the engine does it. While one runs, asking again answers its progress.
   * Throws validation.failed, webhook.not_found and webhook.recovery_running.
   */
  recover: (
    actor: Actor,
    webhookId: string,
    since: Date,
    idempotency: Idempotency | undefined,
  ): Promise<RecoveryView> =>
    notifyAfter(
      once(idempotency, async (tx) => {
        const createdAt = clock.now()
        refuseSince(since, createdAt)
        getWebhook(await tx.sellerWebhooks.lock(actor.sellerId, webhookId))
        const running = await tx.webhookRecoveries.findRunning(actor.sellerId, webhookId)
        if (running !== undefined && running.since.getTime() !== since.getTime()) throw webhookErrors.recovery_running()
        const wanted = { sellerId: actor.sellerId, id: newId(), webhookId, since, cursorEventId: NIL_UUID, createdAt }
        const recovery = running ?? (await tx.webhookRecoveries.insert(wanted))
        if (recovery === undefined) throw webhookErrors.recovery_running()
        return recoveryView(recovery)
      }),
      notify,
    ),
})

/** Deliveries as sellers see them, and the three ways to have one made: a test, a resend and a recovery. */
export const createWebhookDeliveriesService = (dependencies: Dependencies) => {
  const { read, once, clock, newId, notify } = dependencies
  const andNotify = <Result>(work: Promise<Result>): Promise<Result> => notifyAfter(work, notify)

  return {
    ...createRecover(dependencies),

    /**
     * Sends a `webhook.test` event to this webhook only, whatever its filter, and before all that waits for it: also where
     * failures have paused the address, which it decides on. Throws webhook.not_found and webhook.not_enabled.
     */
    test: (actor: Actor, id: string, idempotency: Idempotency | undefined): Promise<DeliveryView> =>
      andNotify(
        once(idempotency, async (tx) => {
          const webhook = getWebhook(await tx.sellerWebhooks.lock(actor.sellerId, id))
          if (webhook.status !== 'enabled') throw webhookErrors.not_enabled()
          await tx.sellerWebhooks.updateToProbe(actor.sellerId, id)
          const createdAt = clock.now()
          const data = webhookView(webhook)
          const event = await tx.events.addFannedOut(
            { type: 'webhook.test', sellerId: actor.sellerId, data },
            createdAt,
          )
          const delivery = {
            sellerId: actor.sellerId,
            id: newId(),
            webhookId: id,
            eventId: event.id,
            eventType: event.type,
            replayNumber: 0,
            createdAt,
          }
          await tx.webhookDeliveries.insertDue([{ ...delivery, isFirst: true }])
          return waiting(delivery)
        }),
      ),

    /** Newest first, each with its attempts. Throws webhook.not_found. */
    async list(actor: Actor, webhookId: string, { page, status, ...period }: DeliveriesQuery) {
      getWebhook(await read.sellerWebhooks.find(actor.sellerId, webhookId))
      const filter = { ...period, sellerId: actor.sellerId, webhookId, statuses: status }
      const found = await read.deliveryHistory.list(filter, page)
      const attempts = await read.deliveryHistory.listAttempts(
        actor.sellerId,
        found.rows.map(({ id }) => id),
      )
      const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId)
      return toListResponse(found, page, (delivery) => deliveryView(delivery, byDelivery.get(delivery.id) ?? []))
    },

    /** Sends the event of a delivery once more, as a delivery of its own. Throws webhook(_delivery).not_found. */
    resend: (
      actor: Actor,
      webhookId: string,
      deliveryId: string,
      idempotency: Idempotency | undefined,
    ): Promise<DeliveryView> =>
      andNotify(
        once(idempotency, async (tx) => {
          // The lock also makes two resends of one event count one after the other.
          getWebhook(await tx.sellerWebhooks.lock(actor.sellerId, webhookId))
          const original = await tx.deliveryHistory.find(actor.sellerId, webhookId, deliveryId)
          if (original === undefined) throw webhookDeliveryErrors.not_found()
          const { sellerId, eventId, eventType } = original
          const fields = { sellerId, webhookId, eventId, eventType, replayNumber: 0, createdAt: clock.now() }
          const replayNumber = await tx.webhookDeliveries.findNextReplay(fields)
          const delivery = { ...fields, id: newId(), replayNumber }
          await tx.webhookDeliveries.insertDue([delivery])
          return waiting(delivery)
        }),
      ),
  }
}

export type WebhookDeliveriesService = ReturnType<typeof createWebhookDeliveriesService>
