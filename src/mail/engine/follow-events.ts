import type { WaitingEvent } from '../../events/events.queries.ts'
import type { Repositories } from '../../repositories.ts'
import { mailKindOf } from './event-mails.ts'

/**
 * Asks for the mails that follow from events, in the transaction that makes the events' deliveries, so that each follows
 * once. Events of which no mail follows cost nothing.
 */
export const followEvents = async (
  tx: Pick<Repositories, 'mails' | 'mailPreferences'>,
  events: readonly WaitingEvent[],
): Promise<void> => {
  const followed = events.flatMap(({ sellerId, id, type }) => {
    const kind = mailKindOf(type)
    return kind === undefined ? [] : [{ sellerId, eventId: id, kind }]
  })
  const paidTo = followed.filter(({ kind }) => kind === 'payment_receipt').map(({ sellerId }) => sellerId)
  const wanting = new Set(await tx.mailPreferences.listReceiptSellers([...new Set(paidTo)]))
  await tx.mails.addOfEvents(
    followed.filter(({ kind, sellerId }) => kind !== 'payment_receipt' || wanting.has(sellerId)),
  )
}
