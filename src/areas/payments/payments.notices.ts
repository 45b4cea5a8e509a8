import type { NewId } from '../../ids.ts'
import type { NoticeOutcome, RoutedNotice } from '../../providers/notice-routing.ts'
import type { Repositories } from '../../repositories.ts'
import type { LinkUrl } from '../payment-links/payment-links.view.ts'
import { applyCharges } from './payments.apply.ts'

/** What callbacks say about charges, applied in the transaction that marks the callbacks as processed. */
export const createNoticeHandler =
  ({ newId, linkUrl }: { newId: NewId; linkUrl: LinkUrl }) =>
  async (tx: Repositories, notices: readonly RoutedNotice<'charge'>[], now: Date): Promise<NoticeOutcome[]> => {
    const changes = notices.map(({ sellerId, resourceId, notice: { state } }) => ({ sellerId, id: resourceId, state }))
    const applied = await applyCharges(tx, changes, { now, newId, linkUrl })
    return applied.map((one) => {
      if (one === undefined) return { status: 'unmatched' }
      return one.changed ? { status: 'processed' } : { status: 'ignored', reason: one.reason ?? 'no_change' }
    })
  }
