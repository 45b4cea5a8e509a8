import type { NewId } from '../../ids.ts'
import type { NoticeOutcome, RoutedNotice } from '../../providers/notice-routing.ts'
import type { Repositories } from '../../repositories.ts'
import { applyCharges } from './payments.apply.ts'

/** What callbacks say about charges, applied in the transaction that marks the callbacks as processed. */
export const createNoticeHandler =
  ({ newId }: { newId: NewId }) =>
  async (tx: Repositories, notices: readonly RoutedNotice<'charge'>[], now: Date): Promise<NoticeOutcome[]> => {
    const changes = notices.map(({ sellerId, resourceId, notice: { state } }) => ({ sellerId, id: resourceId, state }))
    const applied = await applyCharges(tx, changes, { now, newId })
    return applied.map((one) => {
      if (one === undefined) return { status: 'unmatched' }
      return one.changed ? { status: 'processed' } : { status: 'ignored', reason: one.reason ?? 'no_change' }
    })
  }
