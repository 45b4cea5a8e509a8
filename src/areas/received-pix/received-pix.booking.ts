import type { NewId } from '../../ids.ts'
import type {
  NotificationHandler,
  NotificationOutcome,
  ReceivedDelivery,
} from '../../providers/notification-routing.ts'
import { paymentIdOf } from '../../providers/pix/pix.ids.ts'
import type { Repositories } from '../../repositories.ts'
import type { Payment } from '../payments/payments.repository.ts'
import type { ReceivedPix } from './received-pix.repository.ts'

type Dependencies = {
  newId: NewId
  /** Applies what is known about charges to their payments. */
  applyToPayments: NotificationHandler<'charge'>
  /** Whether money that becomes no payment goes back by itself. */
  refundsUnmatched: boolean
}

const NOT_JUDGED = 'not_judged'
const CHARGE_UNKNOWN = 'charge_unknown'
const NO_CHANGE: NotificationOutcome = { status: 'ignored', reason: 'no_change' }
const PROCESSED: NotificationOutcome = { status: 'processed' }

type Key = { sellerId: string; id: string }

const draftOf = ({ provider, notification }: ReceivedDelivery, now: Date, newId: NewId): ReceivedPix => ({
  provider,
  endToEndId: notification.reference,
  id: newId(),
  txid: notification.received.txid,
  amount: notification.received.amount,
  status: 'open',
  reason: NOT_JUDGED,
  sellerId: null,
  paymentId: null,
  resolvedBy: null,
  explanation: null,
  lastAttemptAt: null,
  receivedAt: notification.received.receivedAt,
  createdAt: now,
  updatedAt: now,
})

// The payment is written before its charge is asked for, so that a charge whose answer was lost is found by its txid.
const ownerOf = async (tx: Repositories, provider: string, txid: string): Promise<Key | undefined> => {
  const filed = await tx.providerReferences.find({ provider, kind: 'charge', reference: txid })
  if (filed) return { sellerId: filed.sellerId, id: filed.resourceId }
  const paymentId = paymentIdOf(txid)
  const payment = paymentId === undefined ? undefined : await tx.payments.findAnywhere(paymentId)
  return payment?.provider === provider ? payment : undefined
}

const REASONS: Readonly<Record<string, string>> = { already_underpaid: 'underpaid' }

/** Why money is no payment; null: it is one. */
const reasonOf = (payment: Payment | undefined, endToEndId: string, outcome: NotificationOutcome): string | null => {
  if (payment !== undefined && payment.paidAt !== null && payment.pixEndToEndId === endToEndId) return null
  if (outcome.status === 'processed') return payment?.statusReason ?? 'underpaid'
  const reason = outcome.status === 'held' ? undefined : outcome.reason
  return REASONS[reason ?? ''] ?? reason ?? 'not_booked'
}

const nameOf = (provider: string, endToEndId: string): string => `${provider}/${endToEndId}`

const lockRows = async (
  tx: Repositories,
  deliveries: readonly ReceivedDelivery[],
): Promise<Map<string, ReceivedPix>> => {
  const rows = new Map<string, ReceivedPix>()
  for (const provider of new Set(deliveries.map((delivery) => delivery.provider))) {
    const mine = deliveries.filter((delivery) => delivery.provider === provider)
    const endToEndIds = mine.map(({ notification }) => notification.reference)
    const locked = await tx.receivedPix.lockMany(provider, endToEndIds)
    for (const row of locked) rows.set(nameOf(provider, row.endToEndId), row)
  }
  return rows
}

/** What nobody has judged yet, and money of a charge that a restored platform may come to know again. */
const isToBeJudged = ({ status, reason }: ReceivedPix): boolean =>
  reason === NOT_JUDGED || (status === 'open' && reason === CHARGE_UNKNOWN)

/**
 * Money that came in by Pix, each once by its end-to-end id. It is paid to the payment of its charge where that takes it;
 * whatever becomes no payment goes back to its payer or stays open for an administrator. Nothing is dropped or booked twice.
 */
export const createReceivedPixHandler = ({ newId, applyToPayments, refundsUnmatched }: Dependencies) => {
  const judged = (row: ReceivedPix, reason: string | null, owner: Key | undefined, now: Date): ReceivedPix => ({
    ...row,
    status: reason === null ? 'booked' : refundsUnmatched ? 'refunding' : 'open',
    reason,
    sellerId: owner?.sellerId ?? null,
    paymentId: owner?.id ?? null,
    updatedAt: now,
  })

  const judge = async (tx: Repositories, delivery: ReceivedDelivery, row: ReceivedPix, now: Date) => {
    const { provider, notification } = delivery
    const { txid, amount, parts, receivedAt } = notification.received
    const owner = txid === null ? undefined : await ownerOf(tx, provider, txid)
    if (owner === undefined) return judged(row, txid === null ? 'without_txid' : CHARGE_UNKNOWN, undefined, now)
    const endToEndId = notification.reference
    const state = { status: 'paid' as const, paidAmount: amount, endToEndId, parts, receivedAt }
    const charge = {
      ...{ provider, sellerId: owner.sellerId, resourceId: owner.id, resourceKind: 'charge' as const },
      notification: { kind: 'charge' as const, reference: txid ?? '', state },
    }
    const [outcome = NO_CHANGE] = await applyToPayments(tx, [charge], now)
    const [payment] = await tx.payments.listByKeys([owner])
    return judged(row, reasonOf(payment, endToEndId, outcome), owner, now)
  }

  /** What a row comes to by a delivery; undefined: nothing that it was not before. */
  const anew = async (tx: Repositories, delivery: ReceivedDelivery, row: ReceivedPix | undefined, now: Date) => {
    if (row === undefined || !isToBeJudged(row)) return undefined
    const after = await judge(tx, delivery, row, now)
    return after.reason === row.reason ? undefined : { from: row.status, row: after }
  }

  return async (
    tx: Repositories,
    deliveries: readonly ReceivedDelivery[],
    now: Date,
  ): Promise<NotificationOutcome[]> => {
    await tx.receivedPix.insertMany(deliveries.map((delivery) => draftOf(delivery, now, newId)))
    const rows = await lockRows(tx, deliveries)
    const outcomes: NotificationOutcome[] = []
    for (const delivery of deliveries) {
      const name = nameOf(delivery.provider, delivery.notification.reference)
      const move = await anew(tx, delivery, rows.get(name), now)
      outcomes.push(move ? PROCESSED : NO_CHANGE)
      if (move === undefined) continue
      rows.set(name, move.row)
      await tx.receivedPix.moveMany([move])
    }
    return outcomes
  }
}
