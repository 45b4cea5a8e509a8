import type { ProviderRefund, RefundCapability } from '../provider.port.ts'
import type { PixApi } from './api/pix-api.ts'
import type { PixRefund } from './api/refunds.ts'
import { pixId } from './pix.ids.ts'
import { lookupFailure, settleWrite } from './pix.outcomes.ts'

const REASON_MAX = 140

/** Why a refund failed, the PSP says in a sentence that may name people: it stays there. */
export const refundStateOf = ({ status }: Pick<PixRefund, 'status'>): ProviderRefund['state'] =>
  // A state that is new to us is no end.
  status === 'failed'
    ? { status, reason: 'refund_not_made' }
    : { status: status === 'completed' ? status : 'processing' }

const refundOf = (refund: PixRefund): ProviderRefund => ({ reference: refund.id, state: refundStateOf(refund) })

const NO_PIX = { outcome: 'refused', reason: 'pix_of_the_payment_unknown' } as const

/** Refunds of received Pix, each under an id that follows from ours. */
export const createPixRefunds = ({ refunds }: Pick<PixApi, 'refunds'>): Required<RefundCapability> => ({
  async create({ refundId, endToEndId, amount, reason }, signal) {
    if (endToEndId === null) return NO_PIX
    const id = pixId(refundId)
    const description = reason?.slice(0, REASON_MAX)
    const result = await refunds.put(endToEndId, id, { amount, description }, { signal })
    const accepted = (refund: PixRefund) => ({ outcome: 'accepted' as const, refund: refundOf(refund) })
    if (result.kind === 'ok') return accepted(result.value)
    return settleWrite(result, () => refunds.get(endToEndId, id, { signal }), accepted)
  },

  async get({ refundId, endToEndId }, signal) {
    if (endToEndId === null) return { outcome: 'missing' }
    const result = await refunds.get(endToEndId, pixId(refundId), { signal })
    return result.kind === 'ok' ? { outcome: 'found', refund: refundOf(result.value) } : lookupFailure(result)
  },
})
