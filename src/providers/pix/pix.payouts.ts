import { add, ZERO } from '../../domain/money.ts'
import type { Payout, PayoutCapability, PayoutState } from '../provider.port.ts'
import type { AcceptedPayout, PixPayouts, SentPix } from './api/efi/payouts.ts'
import { pixId } from './pix.ids.ts'
import { lookupFailure, settleWrite } from './pix.outcomes.ts'

const MESSAGE_MAX = 140

export const payoutStateOf = ({ status, endToEndId, amount, returns, error }: SentPix): PayoutState => {
  if (status === 'failed') return { status, reason: `payout_${error?.code?.toLowerCase() ?? 'not_made'}` }
  // A state that is new to us is no end.
  if (status !== 'completed') return { status: 'processing' }
  const returned = returns.reduce((sum, part) => add(sum, part.amount), ZERO)
  return returned >= amount && returned > 0
    ? { status: 'returned', reason: 'payout_sent_back' }
    : { status, endToEndId }
}

const acceptedState = ({ status, endToEndId }: AcceptedPayout): PayoutState => {
  if (status === 'completed') return { status, endToEndId }
  return status === 'failed' ? { status, reason: 'payout_not_made' } : { status: 'processing' }
}

/** Payouts from the account at the PSP, each under an id that follows from the withdrawal's. */
export const createPixPayouts = (payouts: PixPayouts, payerKey: string): PayoutCapability => {
  const found =
    (id: string) =>
    (sent: SentPix): Payout => ({ reference: id, state: payoutStateOf(sent) })
  return {
    async create({ withdrawalId, amount, pixKey, holder, description }, signal) {
      const id = pixId(withdrawalId)
      const to = { key: pixKey, ...(holder === null ? {} : { document: holder.document }) }
      const message = description?.slice(0, MESSAGE_MAX)
      const result = await payouts.put(id, { amount, payerKey, to, message }, { signal })
      if (result.kind === 'ok') {
        return { outcome: 'accepted', payout: { reference: id, state: acceptedState(result.value) } }
      }
      return settleWrite(
        result,
        () => payouts.get(id, { signal }),
        (sent) => ({ outcome: 'accepted' as const, payout: found(id)(sent) }),
      )
    },

    async get({ withdrawalId }, signal) {
      const id = pixId(withdrawalId)
      const result = await payouts.get(id, { signal })
      return result.kind === 'ok' ? { outcome: 'found', payout: found(id)(result.value) } : lookupFailure(result)
    },
  }
}
