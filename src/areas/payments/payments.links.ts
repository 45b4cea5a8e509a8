import type { Centavos } from '../../domain/money.ts'
import {
  countMove,
  type LinkRefusal,
  linkRefusal,
  type SlotMove,
  slotMove,
  takeSlot,
} from '../../domain/payment-link.ts'
import { type AppError, requestErrors } from '../../errors.ts'
import type { NewEvent } from '../../events/events.repository.ts'
import type { Repositories } from '../../repositories.ts'
import { paymentLinkErrors } from '../payment-links/payment-links.errors.ts'
import type { LinkKey, PaymentLink } from '../payment-links/payment-links.queries.ts'
import { type LinkUrl, paymentLinkView } from '../payment-links/payment-links.view.ts'
import type { NewPayment } from './payments.create.ts'
import type { Payment } from './payments.repository.ts'

type Tx = Pick<Repositories, 'paymentLinks'>

const keyOf = ({ sellerId, id }: LinkKey): string => `${sellerId}/${id}`

const refusalError = (refusal: LinkRefusal): AppError => {
  if (refusal.because !== 'faults') return paymentLinkErrors[refusal.because]()
  return requestErrors.failed({ errors: refusal.faults.map((fault) => ({ in: 'body', ...fault })) })
}

/** The links that some payments are made through: locked, and counted on while the payments are judged one by one. */
export type LockedLinks = {
  /** Why the link of this payment does not take it; undefined also for a payment without a link. */
  refusalOf: (payment: { sellerId: string; input: NewPayment; sellerApproved: boolean }) => AppError | undefined
  /** A payment was made through its link. */
  take: (payment: Payment) => void
  /** Writes the slots that were taken. */
  write: (tx: Tx) => Promise<void>
}

/** Locks what some payments are made through. */
export const lockLinks = async (
  tx: Tx,
  calls: readonly { sellerId: string; input: Pick<NewPayment, 'paymentLinkId'> }[],
  now: Date,
): Promise<LockedLinks> => {
  const keys = calls.flatMap(({ sellerId, input: { paymentLinkId: id } }) => (id === null ? [] : [{ sellerId, id }]))
  const standing = new Map((await tx.paymentLinks.lockForPayments(keys)).map((link) => [keyOf(link), link]))
  const taken = new Set<string>()
  return {
    refusalOf: ({ sellerId, input, sellerApproved }) => {
      if (input.paymentLinkId === null) return undefined
      const link = standing.get(keyOf({ sellerId, id: input.paymentLinkId }))
      if (link === undefined) return paymentLinkErrors.not_found()
      const refusal = linkRefusal(link, input, now)
      if (refusal) return refusalError(refusal)
      return sellerApproved ? undefined : paymentLinkErrors.inactive()
    },
    take: ({ sellerId, paymentLinkId }) => {
      const key = paymentLinkId === null ? '' : keyOf({ sellerId, id: paymentLinkId })
      const link = standing.get(key)
      // Without a limit nothing is counted, so that nothing is written and nobody waits.
      if (link === undefined || link.maxPayments === null) return
      standing.set(key, takeSlot(link))
      taken.add(key)
    },
    write: (given) =>
      given.paymentLinks.moveMany(
        [...taken].flatMap((key) => standing.get(key) ?? []).map((row) => ({ from: row.status, row })),
      ),
  }
}

/** A payment of a link that moved. */
export type LinkMove = { key: LinkKey; move: SlotMove; paidAmount: Centavos }

/** What the move of a payment does to its link: nothing or one thing. */
export const linkMovesOf = (before: Payment, after: Payment): LinkMove[] => {
  if (after.paymentLinkId === null) return []
  const move = slotMove(before.status, after.status)
  if (move === undefined) return []
  return [{ key: { sellerId: after.sellerId, id: after.paymentLinkId }, move, paidAmount: after.paidAmount }]
}

type CountContext = { now: Date; linkUrl: LinkUrl }

const completion = (before: PaymentLink, after: PaymentLink, { now, linkUrl }: CountContext): NewEvent[] =>
  before.status !== 'completed' && after.status === 'completed'
    ? [{ type: 'payment_link.completed', sellerId: after.sellerId, data: paymentLinkView(after, linkUrl, now) }]
    : []

/**
 * Counts on their links what payments did, in the transaction that moved them, and gives back the slots of those that
 * ended: one lock and one statement for a whole batch. Answers the events of links that have received all they take.
 */
export const countOnLinks = async (tx: Tx, moves: readonly LinkMove[], context: CountContext): Promise<NewEvent[]> => {
  if (moves.length === 0) return []
  const links = await tx.paymentLinks.lockForCounting(moves.map(({ key }) => key))
  const standing = new Map(links.map((link) => [keyOf(link), link]))
  for (const { key, move, paidAmount } of moves) {
    const link = standing.get(keyOf(key))
    if (link === undefined) continue
    const counted = countMove(link, move, paidAmount)
    standing.set(keyOf(key), move === 'released' ? counted : { ...counted, updatedAt: context.now })
  }
  const changed = links.flatMap((before) => {
    const after = standing.get(keyOf(before))
    return after === undefined || after === before ? [] : [{ before, after }]
  })
  await tx.paymentLinks.moveMany(changed.map(({ before, after }) => ({ from: before.status, row: after })))
  return changed.flatMap(({ before, after }) => completion(before, after, context))
}
