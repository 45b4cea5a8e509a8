/** What the PSP says of money that came in, went back or is claimed, as notifications. */
import type { PaidParts } from '../../domain/due-terms.ts'
import { add, ZERO } from '../../domain/money.ts'
import type { DisputeState, Notification } from '../provider.port.ts'
import type { Infraction } from './api/efi/infractions.ts'
import type { ReceivedPix } from './api/received-pix.ts'
import type { PixRefund } from './api/refunds.ts'
import { isUnbookedRefund } from './pix.ids.ts'
import { refundStateOf } from './pix.refunds.ts'

/** The PSP sent it back by itself, because somebody claimed it or it failed to do its part. */
export const isClaim = ({ nature }: PixRefund): boolean => nature !== 'original' && nature !== 'withdrawal'

/** Names the dispute behind a refund that the PSP began: by the payment system's id of the money that went back. */
export const claimReference = ({ endToEndId }: Pick<ReceivedPix, 'endToEndId'>, { id, returnId }: PixRefund): string =>
  returnId ?? `${endToEndId}-${id}`

/** What was added to the amount that was asked for, and taken off; a rebate is a discount for everybody. Null: not told. */
export const partsOf = (components: ReceivedPix['components']): PaidParts | null => {
  if (components === null) return null
  const { fine, interest, rebate, discount } = components
  return { fine: fine ?? ZERO, interest: interest ?? ZERO, discount: add(rebate ?? ZERO, discount ?? ZERO) }
}

/** It is over when we hear of it: the money is gone. */
const claimNews = (pix: ReceivedPix, refund: PixRefund, chargeReference: string): Notification[] => {
  if (refund.status !== 'completed') return []
  const reference = claimReference(pix, refund)
  const respondBy = refund.settledAt ?? refund.requestedAt ?? pix.receivedAt
  const open: DisputeState = {
    ...{ status: 'open', type: 'med', chargeReference, amount: refund.amount },
    ...{ reason: refund.nature, respondBy },
  }
  return [
    { kind: 'dispute', reference, state: open },
    { kind: 'dispute', reference, state: { status: 'lost' } },
  ]
}

const refundNews = (refund: PixRefund, chargeReference: string): Notification[] =>
  isUnbookedRefund(refund.id)
    ? []
    : [
        {
          kind: 'refund',
          reference: refund.id,
          state: refundStateOf(refund),
          begun: { chargeReference, amount: refund.amount, reason: null },
        },
      ]

/**
 * A received Pix with all that went back of it. Claims of whose Pix the PSP also has an infraction are told by that, from
 * their beginning to their end.
 */
export const newsOfReceived = (pix: ReceivedPix, infractions: readonly Infraction[] = []): Notification[] => {
  const { endToEndId, txid, amount, components, receivedAt, refunds } = pix
  const received: Notification = {
    kind: 'received',
    reference: endToEndId,
    received: { txid, amount, parts: partsOf(components), receivedAt },
  }
  if (txid === null) return [received]
  const claims = refunds.filter(isClaim)
  const hasInfraction = infractions.some((infraction) => infraction.endToEndId === endToEndId)
  return [
    received,
    ...refunds.filter((refund) => !isClaim(refund)).flatMap((refund) => refundNews(refund, txid)),
    ...(hasInfraction ? [] : claims.flatMap((refund) => claimNews(pix, refund, txid))),
  ]
}

const VERDICTS = { accepted: 'lost', rejected: 'won', canceled: 'canceled' } as const

/** A claim from its opening on. `txid` is of the Pix that it is about. */
export const newsOfInfraction = (infraction: Infraction, txid: string): Notification[] => {
  const { id: reference, amount, situation, respondBy, status } = infraction
  const open: DisputeState = {
    ...{ status: 'open', type: 'med', chargeReference: txid, amount },
    ...{ reason: situation === null ? 'med' : `med_${situation}`, respondBy },
  }
  const opening: Notification = { kind: 'dispute', reference, state: open }
  const verdict = status in VERDICTS ? VERDICTS[status as keyof typeof VERDICTS] : undefined
  return verdict === undefined ? [opening] : [opening, { kind: 'dispute', reference, state: { status: verdict } }]
}
