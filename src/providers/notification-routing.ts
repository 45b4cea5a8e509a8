import type { Repositories } from '../repositories.ts'
import type { Notification, ReferenceKind } from './provider.port.ts'

/**
 * A notification with the thing of ours that it is about. A dispute that opens is about its payment, and so is a refund that
 * we know nothing of; everything else about the payment, withdrawal, refund or dispute itself. `resourceKind` says which.
 */
export type RoutedNotification<Kind extends ReferenceKind> = {
  provider: string
  sellerId: string
  resourceId: string
  resourceKind: ReferenceKind
  notification: Extract<Notification, { kind: Kind }>
}

/**
 * What became of a notification. `unmatched`: we do not know the thing yet, so it is tried again for a day, or without end
 * where it `waits` for something that is sure to end. `held`: somebody has the seller's book, and does not let go of it.
 */
export type NotificationOutcome =
  | { status: 'processed' }
  | { status: 'ignored'; reason: string }
  | { status: 'unmatched'; reason?: string; waits?: boolean }
  | { status: 'held' }

/** Applies notifications, in order, in the transaction that marks their callbacks as processed. One outcome each. */
export type NotificationHandler<Kind extends ReferenceKind> = (
  tx: Repositories,
  notifications: readonly RoutedNotification<Kind>[],
  now: Date,
) => Promise<readonly NotificationOutcome[]>

/** Money that came in. Whose it is, its own handler finds out. */
export type ReceivedDelivery = { provider: string; notification: Extract<Notification, { kind: 'received' }> }

export type ReceivedHandler = (
  tx: Repositories,
  deliveries: readonly ReceivedDelivery[],
  now: Date,
) => Promise<readonly NotificationOutcome[]>

export type NotificationHandlers = { readonly [Kind in ReferenceKind]?: NotificationHandler<Kind> } & {
  readonly received?: ReceivedHandler
}

/** A notification on its way: `outcome` is set once it is known. */
export type Delivery = { provider: string; notification: Notification; outcome?: NotificationOutcome }

type Name = { kind: ReferenceKind; reference: string }
type Owned = Exclude<Notification, { kind: 'received' }>

/** What a notification may be about, the likeliest first. */
const namesOf = (notification: Notification): Name[] => {
  if (notification.kind === 'received') return []
  return namesOfOwned(notification)
}

const namesOfOwned = (notification: Owned): Name[] => {
  if (notification.kind === 'dispute' && notification.state.status === 'open')
    return [{ kind: 'charge', reference: notification.state.chargeReference }]
  if (notification.kind === 'refund' && notification.begun !== undefined)
    return [notification, { kind: 'charge', reference: notification.begun.chargeReference }]
  return [notification]
}

const nameOf = (provider: string, kind: string, reference: string): string =>
  JSON.stringify([provider, kind, reference])

type Owner = { sellerId: string; resourceId: string; kind: ReferenceKind }

const ownersOf = async (tx: Repositories, deliveries: readonly Delivery[]): Promise<Map<string, Owner>> => {
  const wanted = new Map<string, { provider: string; kind: ReferenceKind; references: Set<string> }>()
  const names = deliveries.flatMap(({ provider, notification }) =>
    namesOf(notification).map((name) => ({ provider, ...name })),
  )
  for (const { provider, kind, reference } of names) {
    const name = `${provider}/${kind}`
    const group = wanted.get(name) ?? { provider, kind, references: new Set<string>() }
    wanted.set(name, group)
    group.references.add(reference)
  }
  const owners = new Map<string, Owner>()
  for (const { provider, kind, references } of wanted.values()) {
    for (const found of await tx.providerReferences.findMany(provider, kind, [...references])) {
      owners.set(nameOf(provider, kind, found.reference), found)
    }
  }
  return owners
}

const routeKind = async <Kind extends ReferenceKind>(
  tx: Repositories,
  { kind, handler, now }: { kind: Kind; handler: NotificationHandler<Kind> | undefined; now: Date },
  found: readonly { delivery: Delivery; owner: Owner }[],
): Promise<void> => {
  const mine = found.filter(({ delivery }) => delivery.notification.kind === kind)
  if (mine.length === 0) return
  if (handler === undefined) {
    for (const { delivery } of mine) delivery.outcome = { status: 'unmatched', reason: 'not_handled' }
    return
  }
  const notifications = mine.map(({ delivery: { provider, notification }, owner }) => ({
    provider,
    sellerId: owner.sellerId,
    resourceId: owner.resourceId,
    resourceKind: owner.kind,
    notification: notification as Extract<Notification, { kind: Kind }>,
  }))
  const outcomes = await handler(tx, notifications, now)
  mine.forEach(({ delivery }, index) => {
    delivery.outcome = outcomes[index] ?? { status: 'unmatched' }
  })
}

type RoutingContext = {
  handlers: NotificationHandlers
  now: Date
  /** Whose books somebody holds: left for later. Nobody's, where one waits for the lock. */
  isHeld?: (sellerId: string) => boolean
  /** Told whose books are about to be locked. */
  onSellers?: (sellerIds: readonly string[]) => void
}

const isReceived = (delivery: Delivery): delivery is Delivery & ReceivedDelivery =>
  delivery.notification.kind === 'received'

const routeReceived = async (
  tx: Repositories,
  deliveries: readonly Delivery[],
  { handler, now }: { handler: ReceivedHandler | undefined; now: Date },
): Promise<void> => {
  const received = deliveries.filter(isReceived)
  if (received.length === 0) return
  const outcomes = await handler?.(tx, received, now)
  received.forEach((delivery, index) => {
    delivery.outcome = outcomes?.[index] ?? { status: 'unmatched', reason: 'not_handled' }
  })
}

/**
 * Finds whose thing each notification is about and lets its area apply it, but for sellers whose book is held. Sets every
 * delivery's outcome.
 */
export const routeNotifications = async (
  tx: Repositories,
  deliveries: readonly Delivery[],
  { handlers, now, isHeld = () => false, onSellers = () => undefined }: RoutingContext,
): Promise<void> => {
  // First of all, since what goes back of money, or is claimed of it, was paid before.
  await routeReceived(tx, deliveries, { handler: handlers.received, now })
  const owners = await ownersOf(tx, deliveries)
  const owned = deliveries.flatMap((delivery) => {
    if (delivery.notification.kind === 'received') return []
    const owner = namesOf(delivery.notification)
      .map(({ kind, reference }) => owners.get(nameOf(delivery.provider, kind, reference)))
      .find((found) => found !== undefined)
    if (owner === undefined) delivery.outcome = { status: 'unmatched', reason: 'reference_unknown' }
    return owner ? [{ delivery, owner }] : []
  })
  onSellers?.(owned.map(({ owner }) => owner.sellerId))
  const found = owned.filter(({ delivery, owner }) => {
    const isFree = isHeld?.(owner.sellerId) !== true
    if (!isFree) delivery.outcome = { status: 'held' }
    return isFree
  })
  // Always in this order, so that what one callback brings about another can rely on.
  await routeKind(tx, { kind: 'charge', handler: handlers.charge, now }, found)
  await routeKind(tx, { kind: 'refund', handler: handlers.refund, now }, found)
  await routeKind(tx, { kind: 'dispute', handler: handlers.dispute, now }, found)
  await routeKind(tx, { kind: 'payout', handler: handlers.payout, now }, found)
}
