import type { NewId } from '../../ids.ts'
import type { NotificationOutcome, RoutedNotification } from '../../providers/notification-routing.ts'
import type { Repositories } from '../../repositories.ts'
import type { LinkUrl } from '../payment-links/payment-links.view.ts'
import type { KnownCosts } from '../provider-costs/known-costs.ts'
import { confirmPayments } from './payments.confirm.batch.ts'

/** What callbacks say about charges, applied in the transaction that marks the callbacks as processed. */
export const createNotificationHandler =
  ({ newId, linkUrl, knownCosts }: { newId: NewId; linkUrl: LinkUrl; knownCosts: KnownCosts }) =>
  async (
    tx: Repositories,
    notifications: readonly RoutedNotification<'charge'>[],
    now: Date,
  ): Promise<NotificationOutcome[]> => {
    const changes = notifications.map(({ sellerId, resourceId, notification: { state } }) => ({
      sellerId,
      id: resourceId,
      state,
    }))
    const confirmed = await confirmPayments(tx, changes, { now, newId, linkUrl, knownCosts })
    return confirmed.map((one) => {
      if (one === undefined) return { status: 'unmatched' }
      return one.changed ? { status: 'processed' } : { status: 'ignored', reason: one.reason ?? 'no_change' }
    })
  }
