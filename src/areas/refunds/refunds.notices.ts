import type { FastifyBaseLogger } from 'fastify'
import { invariant } from '../../domain/invariant.ts'
import type { NewId } from '../../ids.ts'
import type { NoticeOutcome, RoutedNotice } from '../../providers/notice-routing.ts'
import type { Repositories } from '../../repositories.ts'
import { createForeignRefunds } from './refunds.foreign.ts'
import type { ApplyRefundNews } from './refunds.outcome.ts'

type Dependencies = { newId: NewId; logger: Pick<FastifyBaseLogger, 'error'>; applyNews: ApplyRefundNews }
type Notice = RoutedNotice<'refund'>

/** What callbacks say about refunds, applied in the transaction that marks the callbacks as processed. */
export const createRefundNotices = ({ applyNews, ...dependencies }: Dependencies) => {
  const hearForeign = createForeignRefunds(dependencies)

  const hearKnown = async (tx: Repositories, resourceId: string, notice: Notice, now: Date): Promise<NoticeOutcome> => {
    const { sellerId, notice: said } = notice
    const [outcome] = await applyNews(tx, [{ sellerId, id: resourceId, state: said.state }], now)
    return outcome ?? { status: 'unmatched' }
  }

  // Found by its payment. Under the payment's lock it is looked for again: it may have been booked since.
  const hearOne = async (tx: Repositories, notice: Notice, now: Date): Promise<NoticeOutcome> => {
    const { sellerId, provider, resourceId, notice: said } = notice
    const [payment] = await tx.payments.lockMany([{ sellerId, id: resourceId }])
    if (payment === undefined) return { status: 'unmatched' }
    const filed = await tx.providerReferences.find({ provider, kind: 'refund', reference: said.reference })
    if (filed !== undefined) return hearKnown(tx, filed.resourceId, notice, now)
    const heard = await hearForeign(tx, payment, notice, now)
    if ('status' in heard) return heard
    await tx.events.add(heard.events, now)
    const posted = await tx.ledger.post(heard.transfers, now)
    invariant(
      posted.every((outcome) => outcome.posted),
      'a refund that was begun at the provider could not be booked',
    )
    return { status: 'processed' }
  }

  return async (tx: Repositories, notices: readonly Notice[], now: Date): Promise<NoticeOutcome[]> => {
    const ours = notices.filter(({ resourceKind }) => resourceKind === 'refund')
    const news = ours.map(({ sellerId, resourceId: id, notice: { state } }) => ({ sellerId, id, state }))
    const applied = await applyNews(tx, news, now)
    const heard = new Map(ours.map((notice, index) => [notice, applied[index]]))
    const outcomes: NoticeOutcome[] = []
    for (const notice of notices) outcomes.push(heard.get(notice) ?? (await hearOne(tx, notice, now)))
    return outcomes
  }
}
