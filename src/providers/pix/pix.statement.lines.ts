/** What the PSP's lists say, as lines of a statement. */
import type { StatementLine } from '../provider.port.ts'
import type { SentPix } from './api/efi/payouts.ts'
import type { ReceivedPix } from './api/received-pix.ts'
import type { PixFees } from './pix.fees.ts'
import { claimReference, isClaim } from './pix.news.ts'
import { payoutStateOf } from './pix.payouts.ts'

/** A half open period. */
export type StatementPeriod = { from: Date; to: Date }

const isWithin = ({ from, to }: StatementPeriod, instant: Date): boolean => instant >= from && instant < to

/** Money that came in. `reference` is the charge's, and the Pix's own where it pays none. */
export const linesOfReceived = (pix: ReceivedPix, period: StatementPeriod, fees: PixFees): StatementLine[] => {
  const { endToEndId, txid, amount, receivedAt: happenedAt } = pix
  if (!isWithin(period, happenedAt)) return []
  const feeAmount = fees.get(endToEndId) ?? null
  return [{ kind: 'charge', reference: txid ?? endToEndId, endToEndId, amount, feeAmount, happenedAt }]
}

/**
 * Money that went back to payers, whenever it had come in. What the PSP took back by itself is a lost dispute, named by
 * its infraction where there is one.
 */
export const linesOfSentBack = (
  pix: ReceivedPix,
  period: StatementPeriod,
  infractionIds: ReadonlyMap<string, string>,
): StatementLine[] =>
  pix.refunds.flatMap((refund): StatementLine[] => {
    const { id, returnId, amount, status, settledAt, requestedAt } = refund
    const happenedAt = settledAt ?? requestedAt
    if (status !== 'completed' || happenedAt === null || !isWithin(period, happenedAt)) return []
    const line = { endToEndId: returnId, amount, feeAmount: null, happenedAt }
    if (!isClaim(refund)) return [{ kind: 'refund', reference: id, ...line }]
    return [{ kind: 'dispute', reference: infractionIds.get(pix.endToEndId) ?? claimReference(pix, refund), ...line }]
  })

/** Money that was sent. What came back whole was never paid out. */
export const linesOfSent = (sent: SentPix, period: StatementPeriod, fees: PixFees): StatementLine[] => {
  const { id, endToEndId, amount, settledAt, requestedAt } = sent
  const happenedAt = settledAt ?? requestedAt
  if (payoutStateOf(sent).status !== 'completed' || happenedAt === null || !isWithin(period, happenedAt)) return []
  const feeAmount = fees.get(endToEndId) ?? null
  return [{ kind: 'payout', reference: id ?? endToEndId, endToEndId, amount, feeAmount, happenedAt }]
}
