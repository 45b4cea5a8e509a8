import type { FastifyBaseLogger } from 'fastify'
import { invariant } from '../../domain/invariant.ts'
import type { NewId } from '../../ids.ts'
import type { NotificationOutcome, RoutedNotification } from '../../providers/notification-routing.ts'
import type { Repositories } from '../../repositories.ts'
import { createForeignRefunds } from './refunds.foreign.ts'
import type { ApplyRefundNews } from './refunds.outcome.ts'

type Dependencies = { newId: NewId; logger: Pick<FastifyBaseLogger, 'error'>; applyNews: ApplyRefundNews }
type Notification = RoutedNotification<'refund'>

/** What callbacks say about refunds, applied in the transaction that marks the callbacks as processed. */
export const createRefundNotifications = ({ applyNews, ...dependencies }: Dependencies) => {
  const hearForeign = createForeignRefunds(dependencies)

  const hearKnown = async (
    tx: Repositories,
    resourceId: string,
    notification: Notification,
    now: Date,
  ): Promise<NotificationOutcome> => {
    const { sellerId, notification: said } = notification
    const [outcome] = await applyNews(tx, [{ sellerId, id: resourceId, state: said.state }], now)
    return outcome ?? { status: 'unmatched' }
  }

  // Found by its payment. Under the payment's lock it is looked for again: it may have been booked since.
  const hearOne = async (tx: Repositories, notification: Notification, now: Date): Promise<NotificationOutcome> => {
    const { sellerId, provider, resourceId, notification: said } = notification
    const [payment] = await tx.payments.lockMany([{ sellerId, id: resourceId }])
    if (payment === undefined) return { status: 'unmatched' }
    const filed = await tx.providerReferences.find({ provider, kind: 'refund', reference: said.reference })
    if (filed !== undefined) return hearKnown(tx, filed.resourceId, notification, now)
    const heard = await hearForeign(tx, payment, notification, now)
    if ('status' in heard) return heard
    await tx.events.add(heard.events, now)
    const posted = await tx.ledger.post(heard.transfers, now)
    invariant(
      posted.every((outcome) => outcome.posted),
      'a refund that was begun at the provider could not be booked',
    )
    return { status: 'processed' }
  }

  return async (
    tx: Repositories,
    notifications: readonly Notification[],
    now: Date,
  ): Promise<NotificationOutcome[]> => {
    const ours = notifications.filter(({ resourceKind }) => resourceKind === 'refund')
    const news = ours.map(({ sellerId, resourceId: id, notification: { state } }) => ({ sellerId, id, state }))
    const applied = await applyNews(tx, news, now)
    const heard = new Map(ours.map((notification, index) => [notification, applied[index]]))
    const outcomes: NotificationOutcome[] = []
    for (const notification of notifications)
      outcomes.push(heard.get(notification) ?? (await hearOne(tx, notification, now)))
    return outcomes
  }
}
