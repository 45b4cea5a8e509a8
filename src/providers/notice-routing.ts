import type { Repositories } from '../repositories.ts'
import type { Notice, NoticeKind } from './provider.port.ts'

/**
 * A notice with the thing of ours that it is about. A dispute that opens is about its payment, and so is a refund that
 * we know nothing of; everything else about the payment, withdrawal, refund or dispute itself. `resourceKind` says which.
 */
export type RoutedNotice<Kind extends NoticeKind> = {
  provider: string
  sellerId: string
  resourceId: string
  resourceKind: NoticeKind
  notice: Extract<Notice, { kind: Kind }>
}

/**
 * What became of a notice. `unmatched`: we do not know the thing yet, so it is tried again for a day, or without end
 * where it `waits` for something that is sure to end.
 */
export type NoticeOutcome =
  | { status: 'processed' }
  | { status: 'ignored'; reason: string }
  | { status: 'unmatched'; reason?: string; waits?: boolean }

/** Applies notices, in order, in the transaction that marks their callbacks as processed. One outcome each. */
export type NoticeHandler<Kind extends NoticeKind> = (
  tx: Repositories,
  notices: readonly RoutedNotice<Kind>[],
  now: Date,
) => Promise<readonly NoticeOutcome[]>

export type NoticeHandlers = { readonly [Kind in NoticeKind]?: NoticeHandler<Kind> }

/** A notice on its way: `outcome` is set once it is known. */
export type Delivery = { provider: string; notice: Notice; outcome?: NoticeOutcome }

type Name = { kind: NoticeKind; reference: string }

/** What a notice may be about, the likeliest first. */
const namesOf = (notice: Notice): Name[] => {
  if (notice.kind === 'dispute' && notice.state.status === 'open')
    return [{ kind: 'charge', reference: notice.state.chargeReference }]
  if (notice.kind === 'refund' && notice.begun !== undefined)
    return [notice, { kind: 'charge', reference: notice.begun.chargeReference }]
  return [notice]
}

const nameOf = (provider: string, kind: string, reference: string): string =>
  JSON.stringify([provider, kind, reference])

type Owner = { sellerId: string; resourceId: string; kind: NoticeKind }

const ownersOf = async (tx: Repositories, deliveries: readonly Delivery[]): Promise<Map<string, Owner>> => {
  const wanted = new Map<string, { provider: string; kind: NoticeKind; references: Set<string> }>()
  const names = deliveries.flatMap(({ provider, notice }) => namesOf(notice).map((name) => ({ provider, ...name })))
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

const routeKind = async <Kind extends NoticeKind>(
  tx: Repositories,
  { kind, handler, now }: { kind: Kind; handler: NoticeHandler<Kind> | undefined; now: Date },
  found: readonly { delivery: Delivery; owner: Owner }[],
): Promise<void> => {
  const mine = found.filter(({ delivery }) => delivery.notice.kind === kind)
  if (mine.length === 0) return
  if (handler === undefined) {
    for (const { delivery } of mine) delivery.outcome = { status: 'unmatched', reason: 'not_handled' }
    return
  }
  const notices = mine.map(({ delivery: { provider, notice }, owner }) => ({
    provider,
    sellerId: owner.sellerId,
    resourceId: owner.resourceId,
    resourceKind: owner.kind,
    notice: notice as Extract<Notice, { kind: Kind }>,
  }))
  const outcomes = await handler(tx, notices, now)
  mine.forEach(({ delivery }, index) => {
    delivery.outcome = outcomes[index] ?? { status: 'unmatched' }
  })
}

/** Finds whose thing each notice is about and lets its area apply it. Sets every delivery's outcome. */
export const routeNotices = async (
  tx: Repositories,
  deliveries: readonly Delivery[],
  { handlers, now }: { handlers: NoticeHandlers; now: Date },
): Promise<void> => {
  const owners = await ownersOf(tx, deliveries)
  const found = deliveries.flatMap((delivery) => {
    const owner = namesOf(delivery.notice)
      .map(({ kind, reference }) => owners.get(nameOf(delivery.provider, kind, reference)))
      .find((found) => found !== undefined)
    if (owner === undefined) delivery.outcome = { status: 'unmatched', reason: 'reference_unknown' }
    return owner ? [{ delivery, owner }] : []
  })
  // Always in this order, so that what one callback brings about another can rely on.
  await routeKind(tx, { kind: 'charge', handler: handlers.charge, now }, found)
  await routeKind(tx, { kind: 'refund', handler: handlers.refund, now }, found)
  await routeKind(tx, { kind: 'dispute', handler: handlers.dispute, now }, found)
  await routeKind(tx, { kind: 'payout', handler: handlers.payout, now }, found)
}
