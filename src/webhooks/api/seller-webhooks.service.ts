import type { Clock } from '../../clock.ts'
import type { SecretBox } from '../../crypto/secret-box.ts'
import { toListResponse } from '../../db/page.ts'
import type { Actor } from '../../domain/actor.ts'
import type { Precondition } from '../../domain/precondition.ts'
import { EVERY_EVENT } from '../../events/event-filters.ts'
import type { Idempotency, Once } from '../../idempotency/once.ts'
import type { NewId } from '../../ids.ts'
import type { Reads, Repositories, Transact } from '../../repositories.ts'
import { newWebhookSecret } from '../signature.ts'
import type { PreviousSecret } from '../webhooks.tables.ts'
import { webhookErrors } from './seller-webhooks.errors.ts'
import type { WebhookChanges, WebhookRow } from './seller-webhooks.repository.ts'
import type {
  CreateWebhookBody,
  RotateSecretBody,
  UpdateWebhookBody,
  WebhooksQuery,
} from './seller-webhooks.schemas.ts'
import { type WebhookView, webhookView } from './seller-webhooks.view.ts'
import type { WebhookTarget } from './webhook-target.ts'

type Dependencies = {
  read: Pick<Reads, 'sellerWebhooks'>
  transact: Transact
  once: Once<Repositories>
  clock: Clock
  /** Real time: how long an old secret signs. */
  wallClock: Clock
  newId: NewId
  secretBox: SecretBox
  checkTarget: WebhookTarget
  /** Tells the delivery engine, after a commit. */
  notify: () => void
}

export const WEBHOOKS_PER_SELLER_MAX = 10
const HOUR_MS = 3_600_000
const OVERLAP_HOURS = 24
const PREVIOUS_SECRETS_MAX = 5

const target = ({ sellerId, id }: Pick<WebhookRow, 'sellerId' | 'id'>) => ({
  targetType: 'webhook',
  targetId: id,
  sellerId,
})

// Whoever knows the path of many a webhook may write to it: the audit log has no more than the host.
const audited = ({ url, events, status }: Pick<WebhookRow, 'url' | 'events' | 'status'>) => ({
  host: new URL(url).host,
  events,
  status,
})

const changesOf = ({ events, description, status }: UpdateWebhookBody, url: string | undefined): WebhookChanges => ({
  ...(url === undefined ? {} : { url, lastSuccessAt: null }),
  ...(events === undefined ? {} : { events: [...new Set(events)] }),
  ...(description === undefined ? {} : { description }),
  ...(status === undefined ? {} : { status, statusReason: null }),
})

const getWebhook = (webhook: WebhookRow | undefined): WebhookRow => {
  if (webhook === undefined) throw webhookErrors.not_found()
  return webhook
}

/** The secret that is replaced now, and those before it whose time is not over. */
const stillSigning = (webhook: WebhookRow, now: Date, overlapHours: number): PreviousSecret[] => {
  const validUntil = new Date(now.getTime() + overlapHours * HOUR_MS).toISOString()
  const older = webhook.previousSecrets.filter((secret) => Date.parse(secret.validUntil) > now.getTime())
  return [{ sealed: webhook.secretSealed, validUntil }, ...older].slice(0, PREVIOUS_SECRETS_MAX)
}

const createSecrets = ({ read, transact, clock, wallClock, secretBox }: Dependencies) => ({
  /** The secret that signs deliveries; that it was read is in the audit log. Throws webhook.not_found. */
  async getSecret(actor: Actor, id: string): Promise<{ secret: string }> {
    const webhook = getWebhook(await read.sellerWebhooks.find(actor.sellerId, id))
    const secret = secretBox.open(webhook.secretSealed)
    await transact((tx) => tx.audit.add({ actor, action: 'webhook.read_secret', ...target(webhook) }, clock.now()))
    return { secret }
  },

  /**
   * Makes a new secret. The one before it signs beside it for 24 hours, or for as long as the seller says; where that is
   * nothing, every older secret ends. Throws webhook.not_found.
   */
  async rotateSecret(actor: Actor, id: string, body: RotateSecretBody): Promise<{ secret: string }> {
    const overlapHours = body?.overlapHours ?? OVERLAP_HOURS
    const secret = newWebhookSecret()
    const secretSealed = secretBox.seal(secret)
    await transact(async (tx) => {
      const webhook = getWebhook(await tx.sellerWebhooks.lock(actor.sellerId, id))
      const previousSecrets = overlapHours === 0 ? [] : stillSigning(webhook, wallClock.now(), overlapHours)
      const now = clock.now()
      await tx.sellerWebhooks.update(actor.sellerId, id, { secretSealed, previousSecrets }, now)
      const after = { overlapHours }
      await tx.audit.add({ actor, action: 'webhook.rotate_secret', ...target(webhook), after }, now)
    })
    return { secret }
  },
})

/** What sellers do with the addresses that are told what happened. */
export const createSellerWebhooksService = (dependencies: Dependencies) => {
  const { read, transact, once, clock, newId, secretBox, checkTarget, notify } = dependencies

  return {
    ...createSecrets(dependencies),

    /** Throws validation.failed for a URL that may not be called, and webhook.limit_reached. */
    async create(actor: Actor, body: CreateWebhookBody, idempotency: Idempotency | undefined): Promise<{ id: string }> {
      const url = await checkTarget(body.url)
      const secretSealed = secretBox.seal(newWebhookSecret())
      return once(idempotency, async (tx) => {
        await tx.sellerWebhooks.lockCount(actor.sellerId)
        if ((await tx.sellerWebhooks.countLive(actor.sellerId)) >= WEBHOOKS_PER_SELLER_MAX) {
          throw webhookErrors.limit_reached()
        }
        const createdAt = clock.now()
        const events = [...new Set(body.events ?? [EVERY_EVENT])]
        const description = body.description ?? null
        const webhook = { sellerId: actor.sellerId, id: newId(), url, events, description, secretSealed, createdAt }
        await tx.sellerWebhooks.insert(webhook)
        const after = audited({ ...webhook, status: 'enabled' })
        await tx.audit.add({ actor, action: 'webhook.create', ...target(webhook), after }, createdAt)
        return { id: webhook.id }
      })
    },

    /** Newest first. */
    async list(actor: Actor, { page, status, ...period }: WebhooksQuery) {
      const filter = { ...period, sellerId: actor.sellerId, statuses: status }
      return toListResponse(await read.sellerWebhooks.list(filter, page), page, webhookView)
    },

    /** Throws webhook.not_found. */
    async get(actor: Actor, id: string): Promise<WebhookView> {
      return webhookView(getWebhook(await read.sellerWebhooks.find(actor.sellerId, id)))
    },

    /**
     * Changes what is given. A new address or `enabled` gives the endpoint a fresh start: what waited is sent.
     * Throws validation.failed and webhook.not_found.
     */
    async update(actor: Actor, id: string, body: UpdateWebhookBody, precondition?: Precondition): Promise<WebhookView> {
      // Before the name is looked up: the lookup would tell a stranger's id from a missing one by its time.
      getWebhook(await read.sellerWebhooks.find(actor.sellerId, id))
      const url = body.url === undefined ? undefined : await checkTarget(body.url)
      const view = await transact(async (tx) => {
        const now = clock.now()
        const before = getWebhook(await tx.sellerWebhooks.lock(actor.sellerId, id))
        precondition?.(webhookView(before))
        const after = getWebhook(await tx.sellerWebhooks.update(actor.sellerId, id, changesOf(body, url), now))
        if (after.status === 'enabled' && (before.status !== 'enabled' || before.url !== after.url)) {
          await tx.sellerWebhooks.updateHealth(actor.sellerId, id)
        }
        const changes = { before: audited(before), after: audited(after) }
        await tx.audit.add({ actor, action: 'webhook.update', ...target(after), ...changes }, now)
        return webhookView(after)
      })
      notify()
      return view
    },

    /** What waits for it is canceled. Throws webhook.not_found. */
    async remove(actor: Actor, id: string): Promise<void> {
      await transact(async (tx) => {
        const now = clock.now()
        if (!(await tx.sellerWebhooks.deleteSoftly(actor.sellerId, id, now))) throw webhookErrors.not_found()
        await tx.webhookDeliveries.cancelPending(actor.sellerId, [id], now)
        await tx.audit.add({ actor, action: 'webhook.delete', ...target({ sellerId: actor.sellerId, id }) }, now)
      })
    },
  }
}

export type SellerWebhooksService = ReturnType<typeof createSellerWebhooksService>
